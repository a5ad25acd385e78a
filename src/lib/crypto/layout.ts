import { chunksFor, type Header, TAG_BYTES } from './container.ts';

/** Where the chunks of a file lie, in clear and encrypted. Plain data, for other threads. */
export interface Layout {
  /** Bytes before the first encrypted chunk. */
  readonly offset: number;
  readonly chunkBytes: number;
  /** Bytes of plaintext. */
  readonly size: number;
  readonly count: number;
}

export const layoutOf = ({ bytes, chunkBytes }: Header, size: number): Layout => ({
  offset: bytes.byteLength,
  chunkBytes,
  size,
  count: chunksFor(size, chunkBytes),
});

/** The longest that a chunk is, with its tag. */
export const longestSealed = ({ size, chunkBytes }: Layout): number => Math.min(size, chunkBytes) + TAG_BYTES;

/** Where one chunk lies. */
export const chunkAt = ({ offset, chunkBytes, size, count }: Layout, index: number) => ({
  plainAt: index * chunkBytes,
  plainBytes: Math.min(chunkBytes, size - index * chunkBytes),
  sealedAt: offset + index * (chunkBytes + TAG_BYTES),
  isLast: index === count - 1,
});
