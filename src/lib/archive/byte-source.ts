/** A file that can be read at any place and as a stream. */
export interface ByteSource {
  readonly size: number;
  /** Fills as much of `into` as there is from `position`; gives the number of bytes read. */
  readAt(into: Uint8Array, position: number): Promise<number>;
  /** The bytes from `start` (inclusive) to `end` (exclusive) in chunks. */
  stream(range?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>;
}

/** The bytes at a place, fewer where the file ends. */
export const bytesAt = async (source: ByteSource, position: number, length: number): Promise<Buffer> => {
  const into = Buffer.allocUnsafe(Math.max(0, Math.min(length, source.size - position)));
  return into.subarray(0, await source.readAt(into, position));
};

const WINDOW_BYTES = 256 * 1024;

/** Reads small pieces through a window, so that neighbours cost one call. */
export const windowOver = (source: ByteSource): ((position: number, length: number) => Promise<Buffer>) => {
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  return async (position, length) => {
    if (position < start || position + length > start + window.byteLength) {
      start = position;
      window = await bytesAt(source, position, Math.max(length, WINDOW_BYTES));
    }
    return window.subarray(position - start, position - start + length);
  };
};
