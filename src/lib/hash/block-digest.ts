import { createHash, type Hash, hash } from 'node:crypto';
import { findHash } from './hasher.ts';
import type { BlockSink } from './read-into.ts';

/** Makes the digests of one file after the other. */
export interface BlockDigest extends BlockSink {
  /** The digest after `end`, in lower-case hex. */
  hex(): string;
}

/** Most files fit; larger blocks would leave the cache of the processor. */
const BLOCK_BYTES = 64 * 1024;

/** Starts making digests of a kind; an unknown one is refused. */
export const createBlockDigest = async (algorithm: string): Promise<BlockDigest> => {
  const known = findHash(algorithm);
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let digest = '';
  const hex = () => digest;
  if ('openssl' in known) return { block, hex, ...opensslSteps(known.openssl, block, (made) => (digest = made)) };
  const hasher = await known.load();
  return {
    block,
    hex,
    begin: () => void hasher.init(),
    addBlock: () => void hasher.update(block),
    end(bytes) {
      hasher.update(block.subarray(0, bytes));
      digest = hasher.digest('hex');
    },
  };
};

/** One call does for a file that fits into the block: an object for each would cost more than its digest. */
const opensslSteps = (name: string, block: Buffer, tell: (digest: string) => void): Pick<BlockDigest, 'begin' | 'addBlock' | 'end'> => {
  let large: Hash | undefined;
  return {
    begin() {
      large = undefined;
    },
    addBlock() {
      large ??= createHash(name);
      large.update(block);
    },
    end(bytes) {
      const rest = block.subarray(0, bytes);
      tell(large === undefined ? hash(name, rest, 'hex') : large.update(rest).digest('hex'));
    },
  };
};
