import { StringDecoder } from 'node:string_decoder';

/** How much of each output is kept unless a caller says otherwise. */
export const MAX_OUTPUT_BYTES = 10 * 2 ** 20;

/** The beginning of a program's output; what comes after the cap is dropped. */
export interface CappedOutput {
  take(chunk: Uint8Array): void;
  readonly truncated: boolean;
  /** What was kept, as UTF-8 with U+FFFD for bad bytes; a character that the cap cuts through is left out. */
  text(): string;
}

const FIRST_BYTES = 4096;

/** One growing buffer, because a program that writes single bytes would make a list of chunks a hundred times its content. */
export const createCappedOutput = (maxBytes: number): CappedOutput => {
  let kept = Buffer.alloc(0);
  let length = 0;
  let truncated = false;

  const makeRoomFor = (needed: number) => {
    if (needed <= kept.length) return;
    const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, kept.length * 2, FIRST_BYTES)));
    kept.copy(larger, 0, 0, length);
    kept = larger;
  };

  return {
    take(chunk) {
      const fitting = chunk.subarray(0, maxBytes - length);
      truncated ||= fitting.length < chunk.length;
      makeRoomFor(length + fitting.length);
      kept.set(fitting, length);
      length += fitting.length;
    },
    get truncated() {
      return truncated;
    },
    text() {
      const decoder = new StringDecoder('utf8');
      const whole = decoder.write(kept.subarray(0, length));
      return truncated ? whole : whole + decoder.end();
    },
  };
};
