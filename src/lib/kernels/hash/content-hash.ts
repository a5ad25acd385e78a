import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';
import { createPlainHash } from './plain-hash.ts';

/** A fast 128-bit hash that tells contents apart: XXH128, of short ones XXH64 twice. Whoever wants to can make two contents that it takes for one. */
export interface ContentHash {
  /** Where bytes are put before they are taken; a whole number of 1024 bytes long. */
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
const WORDS_AT = 2048;
const UNIT_BYTES = 1024;
/** The kernel uses the unit before. */
const BLOCK_AT = WORDS_AT + 2 * UNIT_BYTES;

/** Starts hashing, at most so many bytes at once: a multiple of 1024. */
export const createContentHash = (blockBytes: number): ContentHash => {
  if (blockBytes % UNIT_BYTES !== 0) throw new RangeError(`blocks of ${blockBytes} bytes are no multiple of ${UNIT_BYTES}`);
  const kernel = instantiateKernel(KERNEL_BASE64, BLOCK_AT + blockBytes);
  if (kernel === undefined) return createPlainHash(blockBytes);
  const { buffer } = kernel.memory;
  const begin = kernel.fn('begin');
  const add = kernel.fn('add');
  const finish = kernel.fn('finish');
  return {
    block: Buffer.from(buffer, BLOCK_AT, blockBytes),
    begin: () => void begin(),
    addBlock: () => void add(BLOCK_AT, BLOCK_AT + blockBytes),
    end: (bytes) => void finish(BLOCK_AT, BLOCK_AT + bytes, WORDS_AT),
    words: new Uint32Array(buffer, WORDS_AT, 4),
  };
};
