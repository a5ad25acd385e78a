import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';

/** Counts the lines of one file: LF, CRLF and a lone CR each end one, and a last line without an end counts. */
export interface LineCounter {
  /** Where the next bytes are put. */
  readonly input: Uint8Array;
  /** Counts the first bytes of `input`, which follow those counted before. */
  count(bytes: number): void;
  /** The lines of everything counted. */
  lines(): number;
}

const LF = 0x0a;
const CR = 0x0d;
/** Addresses below belong to the kernel itself. */
const FIRST_ADDRESS = 1024;

/** Starts counting, at most `inputBytes` at once. */
export const createLineCounter = (inputBytes: number): LineCounter => {
  const kernel = instantiateKernel(KERNEL_BASE64, FIRST_ADDRESS + inputBytes + 1);
  const memory = new Uint8Array(kernel.memory.buffer);
  const input = memory.subarray(FIRST_ADDRESS, FIRST_ADDRESS + inputBytes);
  let ended = 0;
  let last = LF;
  return {
    input,
    count(bytes) {
      if (bytes === 0) return;
      const end = FIRST_ADDRESS + bytes;
      if (last === CR && input[0] !== LF) ended += 1;
      memory[end] = LF; // a CR at the end is counted with what comes next
      ended += kernel.call('countLineEnds', FIRST_ADDRESS, end);
      last = input[bytes - 1] ?? LF;
    },
    lines: () => (last === LF ? ended : ended + 1),
  };
};
