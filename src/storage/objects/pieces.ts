import { createHash, type Hash, hash as hashOnce } from 'node:crypto';
import type { Outgoing } from '../../core/storage.ts';

/** Digests that are made while content passes. */
export type PieceDigest = 'md5' | 'sha256';

/** A piece of content, held as a whole so that its digests can be told before it is sent. */
export interface Piece {
  /** From 1 on. */
  readonly number: number;
  readonly content: Buffer;
  readonly digests: Readonly<Partial<Record<PieceDigest, Buffer>>>;
}

export interface PieceOptions {
  readonly signal: AbortSignal;
  /** How large the piece of this number is, unless it is the last. */
  readonly bytesOf: (number: number) => number;
  readonly digests: readonly PieceDigest[];
  /** Buffers that may be used again; whoever is done with a piece puts its own there. */
  readonly free: Buffer[];
  /** Shown everything in its order, as it passes. */
  readonly watch?: ((chunk: Uint8Array) => void) | undefined;
}

/** A buffer begins with so much where nobody knows how much comes. */
const FIRST_BYTES = 256 * 1024;
/** So little is hashed at its end, at once; more would hold the thread for too long. */
const SHORT_BYTES = 256 * 1024;

/** Cuts content into pieces; there is always one, and all but the last are full. */
export async function* inPieces(
  content: Outgoing,
  { signal, bytesOf, digests, free, watch }: PieceOptions,
): AsyncGenerator<Piece & { readonly isLast: boolean }> {
  let filling = startPiece(1, bytesOf(1), { expected: content.bytes, digests, free });
  for await (const chunk of content.chunks({ start: 0 }, { signal })) {
    signal.throwIfAborted();
    watch?.(chunk);
    for (let at = 0; at < chunk.byteLength; ) {
      if (filling.isFull) {
        const number = filling.number + 1;
        yield { ...filling.end(), isLast: false };
        filling = startPiece(number, bytesOf(number), { expected: undefined, digests, free });
      }
      at += filling.take(chunk.subarray(at));
    }
  }
  signal.throwIfAborted();
  yield { ...filling.end(), isLast: true };
}

const startPiece = (
  number: number,
  maxBytes: number,
  { expected, digests, free }: { readonly expected: number | undefined } & Pick<PieceOptions, 'digests' | 'free'>,
) => {
  const isShort = number === 1 && expected !== undefined && expected <= SHORT_BYTES;
  const hashes: readonly (readonly [PieceDigest, Hash])[] = isShort ? [] : digests.map((name) => [name, createHash(name)]);
  let buffer = free.pop() ?? Buffer.allocUnsafe(number > 1 ? maxBytes : Math.min(expected ?? FIRST_BYTES, maxBytes));
  let filled = 0;
  const grow = (bytes: number): void => {
    const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(bytes, 2 * buffer.byteLength)));
    buffer.copy(larger, 0, 0, filled);
    buffer = larger;
  };
  return {
    number,
    get isFull() {
      return filled === maxBytes;
    },
    /** Takes as much as has room; tells how much that is. */
    take(chunk: Uint8Array): number {
      const taken = chunk.subarray(0, maxBytes - filled);
      if (filled + taken.byteLength > buffer.byteLength) grow(filled + taken.byteLength);
      buffer.set(taken, filled);
      for (const [, hash] of hashes) hash.update(taken);
      filled += taken.byteLength;
      return taken.byteLength;
    },
    end(): Piece {
      const content = buffer.subarray(0, filled);
      const made: Partial<Record<PieceDigest, Buffer>> = {};
      for (const [name, hash] of hashes) made[name] = hash.digest();
      if (isShort) for (const name of digests) made[name] = hashOnce(name, content, 'buffer');
      return { number, content, digests: made };
    },
  };
};
