import type { ByteSource } from '../../../src/lib/archive/byte-source.ts';
import type { ZipSink } from '../../../src/lib/archive/zip/zip-writer.ts';

const ZEROS = Buffer.alloc(1024 * 1024);

/** A file of any length that remembers only what is not zero: gigabytes cost nothing. */
export const sparseFile = (): ZipSink & { source(): ByteSource } => {
  const pieces = new Map<number, Uint8Array>();
  let size = 0;

  const writeAt = async (chunk: Uint8Array, position: number) => {
    size = Math.max(size, position + chunk.byteLength);
    if (!ZEROS.subarray(0, chunk.byteLength).equals(chunk)) pieces.set(position, Uint8Array.from(chunk));
  };

  const readAt = async (into: Uint8Array, position: number): Promise<number> => {
    const length = Math.max(0, Math.min(into.byteLength, size - position));
    into.fill(0, 0, length);
    for (const [at, piece] of pieces) {
      const from = Math.max(at, position);
      const to = Math.min(at + piece.byteLength, position + length);
      if (from < to) into.set(piece.subarray(from - at, to - at), from - position);
    }
    return length;
  };

  return {
    write: (chunk) => writeAt(chunk, size),
    writeAt,
    source: () => ({
      size,
      readAt,
      async *stream({ start = 0, end = size } = {}) {
        const buffer = Buffer.alloc(1024 * 1024);
        for (let at = start; at < end; at += buffer.byteLength)
          yield buffer.subarray(0, await readAt(buffer.subarray(0, Math.min(buffer.byteLength, end - at)), at));
      },
    }),
  };
};
