import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';

/** Lines that lie one behind the other, and their numbers. */
export interface NumberedLines {
  readonly text: Uint8Array;
  /** Where each ends in `text`. */
  readonly ends: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Writes lines as JSON records: a head, the number, what is between, the text, and what is behind. The text has to be UTF-8. */
export interface RecordWriter {
  /**
   * Writes some of the lines from `from` on, all with the same head; tells how many. The first record begins at `base`. What it gives
   * is good until the next call.
   */
  write(lines: NumberedLines, from: number, to: number, head: Uint8Array, base: number): Records;
}

export interface Records {
  readonly count: number;
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

/** What a writer takes; everything else is unusual. */
export const MAX_HEAD_BYTES = 4096;
export const MAX_TEXT_BYTES = 64 * 1024;

const MAX_RECORDS = 256;
/** Addresses below belong to the kernel itself. */
const FIRST_ADDRESS = 1024;
/** The kernel reads and writes this much beyond what it is told. */
const SLACK_BYTES = 64;
/** `\u001f`. */
const LONGEST_ESCAPE = 6;
const LONGEST_NUMBER = 10;

/** Starts a writer for records that are alike but for head, number and text. Undefined where there is no WebAssembly. */
export const createRecordWriter = (between: Uint8Array, behind: Uint8Array): RecordWriter | undefined => {
  const betweenAt = FIRST_ADDRESS;
  const behindAt = after(betweenAt, between.byteLength);
  const headAt = after(behindAt, behind.byteLength);
  const numbersAt = after(headAt, MAX_HEAD_BYTES);
  const endsAt = after(numbersAt, MAX_RECORDS * 4);
  const textAt = after(endsAt, MAX_RECORDS * 4);
  const outAt = after(textAt, MAX_TEXT_BYTES);
  const mostPerRecord = MAX_HEAD_BYTES + LONGEST_NUMBER + between.byteLength + behind.byteLength;
  const kernel = instantiateKernel(KERNEL_BASE64, after(outAt, MAX_TEXT_BYTES * LONGEST_ESCAPE + MAX_RECORDS * mostPerRecord));
  if (kernel === undefined) return undefined;
  const memory = new Uint8Array(kernel.memory.buffer);
  const ownEnds = new Uint32Array(kernel.memory.buffer, endsAt, MAX_RECORDS);
  const ownNumbers = new Uint32Array(kernel.memory.buffer, numbersAt, MAX_RECORDS);
  const writeRecords = kernel.fn('writeRecords');
  memory.set(between, betweenAt);
  memory.set(behind, behindAt);
  kernel.call('configure', betweenAt, between.byteLength, behindAt, behind.byteLength);

  return {
    write({ text, ends, numbers }, from, to, head, base) {
      const start = startOf(ends, from);
      let last = from;
      for (; last < to && last - from < MAX_RECORDS && (ends[last] ?? 0) - start <= MAX_TEXT_BYTES; last += 1) {
        ownEnds[last - from] = ends[last] ?? 0;
        ownNumbers[last - from] = numbers[last] ?? 0;
      }
      const count = last - from;
      memory.set(head, headAt);
      memory.set(text.subarray(start, startOf(ends, last)), textAt);
      const outEnd = writeRecords(textAt, start, endsAt, numbersAt, count, headAt, head.byteLength, outAt, base);
      return { count, text: memory.subarray(outAt, outEnd), ends: ownEnds };
    },
  };
};

/** Where a line begins: at the end of the one before. */
const startOf = (ends: Uint32Array, line: number): number => (line === 0 ? 0 : (ends[line - 1] ?? 0));

const after = (address: number, bytes: number): number => Math.ceil((address + bytes + SLACK_BYTES) / 16) * 16;
