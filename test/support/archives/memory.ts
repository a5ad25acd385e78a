import type { ByteSource } from '../../../src/lib/archive/byte-source.ts';
import type { ZipSink } from '../../../src/lib/archive/zip/zip-writer.ts';

/** Bytes as a file that can be read. */
export const sourceOf = (bytes: Uint8Array, chunkBytes = 1000): ByteSource => ({
  size: bytes.byteLength,
  async readAt(into, position) {
    const part = bytes.subarray(position, position + into.byteLength);
    into.set(part);
    return part.byteLength;
  },
  async *stream({ start = 0, end = bytes.byteLength } = {}) {
    for (let at = start; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(at + chunkBytes, end));
  },
});

/** Bytes in pieces, each a copy that is spoilt when the next one is asked for: whoever keeps one is found out. */
export async function* chunksOf(bytes: Uint8Array, chunkBytes = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    const piece = Uint8Array.from(bytes.subarray(at, at + chunkBytes));
    yield piece;
    piece.fill(0xee);
  }
}

/** All pieces of a stream, copied as they come. */
export const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
};

/** A file in memory that is being written. */
export interface MemorySink extends ZipSink {
  bytes(): Buffer;
}

export const memorySink = (): MemorySink => {
  let held = Buffer.alloc(0);
  return {
    async write(chunk) {
      held = Buffer.concat([held, chunk]);
    },
    async writeAt(chunk, position) {
      held.set(chunk, position);
    },
    bytes: () => held,
  };
};

/** Limits that nothing meets. */
export const NO_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER, maxEntries: 1_000_000, maxRatio: 1_000_000 };

/** A signal that never fires. */
export const { signal } = new AbortController();
