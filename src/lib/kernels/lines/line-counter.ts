import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';

/** Counts the lines of one file: LF, CRLF and a lone CR each end one, and a last line without an end counts. */
export interface LineCounter {
  /** Two places for bytes, so that one can be filled while the other is counted. */
  readonly blocks: readonly [Uint8Array, Uint8Array];
  /** Counts the first bytes of a block, which follow those counted before. */
  count(block: Uint8Array, bytes: number): void;
  /** The lines of everything counted. */
  lines(): number;
}

const LF = 0x0a;
const CR = 0x0d;
/** Addresses below belong to the kernel itself. */
const FIRST_ADDRESS = 1024;
/** The kernel looks one byte further than it counts. */
const SLACK_BYTES = 64;

/** Starts counting, at most `blockBytes` at once. */
export const createLineCounter = (blockBytes: number): LineCounter => {
  const secondAddress = FIRST_ADDRESS + blockBytes + SLACK_BYTES;
  const kernel = instantiateKernel(KERNEL_BASE64, secondAddress + blockBytes + SLACK_BYTES);
  if (kernel === undefined) return createPlainCounter(blockBytes);
  const { buffer } = kernel.memory;
  const memory = new Uint8Array(buffer);
  let ended = 0;
  let last = LF;
  return {
    blocks: [new Uint8Array(buffer, FIRST_ADDRESS, blockBytes), new Uint8Array(buffer, secondAddress, blockBytes)],
    count(block, bytes) {
      if (bytes === 0) return;
      const start = block.byteOffset;
      if (last === CR && block[0] !== LF) ended += 1;
      memory[start + bytes] = LF; // a CR at the end is counted with what comes next
      ended += kernel.call('countLineEnds', start, start + bytes);
      last = block[bytes - 1] ?? LF;
    },
    lines: () => (last === LF ? ended : ended + 1),
  };
};

/** The same without WebAssembly. */
const createPlainCounter = (blockBytes: number): LineCounter => {
  let ended = 0;
  let last = LF;
  return {
    blocks: [new Uint8Array(blockBytes), new Uint8Array(blockBytes)],
    count(block, bytes) {
      for (let at = 0; at < bytes; at += 1) {
        const byte = block[at] ?? 0;
        if (byte === LF || last === CR) ended += 1;
        last = byte;
      }
    },
    lines: () => (last === LF ? ended : ended + 1),
  };
};
