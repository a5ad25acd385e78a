import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';

/** A fast 128-bit hash that tells contents apart: XXH64 under two seeds. Whoever wants to can make two contents that it takes for one. */
export interface ContentHash {
  /** Where bytes are put before they are taken; a whole number of 32 bytes long. */
  readonly block: Buffer;
  begin(): void;
  /** Takes the whole block. */
  addBlock(): void;
  /** Takes the first bytes of the block, as the last ones. */
  end(bytes: number): void;
  /** The hash after `end`, as four words. */
  readonly words: Uint32Array;
}

/** Addresses below belong to the kernel itself. */
const WORDS_AT = 1024;
const BLOCK_AT = 2048;
const STRIPE_BYTES = 32;

/** Starts hashing, at most so many bytes at once: a multiple of 32. */
export const createContentHash = (blockBytes: number): ContentHash => {
  if (blockBytes % STRIPE_BYTES !== 0) throw new RangeError(`blocks of ${blockBytes} bytes are no multiple of ${STRIPE_BYTES}`);
  const kernel = instantiateKernel(KERNEL_BASE64, BLOCK_AT + blockBytes);
  const { buffer } = kernel.memory;
  return {
    block: Buffer.from(buffer, BLOCK_AT, blockBytes),
    begin: () => void kernel.call('begin'),
    addBlock: () => void kernel.call('add', BLOCK_AT, BLOCK_AT + blockBytes),
    end: (bytes) => void kernel.call('finish', BLOCK_AT, BLOCK_AT + bytes, WORDS_AT),
    words: new Uint32Array(buffer, WORDS_AT, 4),
  };
};
