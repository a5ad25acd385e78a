import type { FileHandle } from 'node:fs/promises';
import type { Entry, Reader, Writer } from '../core/files.ts';

const CHUNK_BYTES = 256 * 1024;

/** A reader over an open file; `release` frees what the path held. */
export const readerOf = (entry: Entry, handle: FileHandle, release: () => void): Reader => ({
  entry,
  readAt: async (into, position) => {
    let filled = 0;
    while (filled < into.byteLength) {
      const { bytesRead } = await handle.read(into, filled, into.byteLength - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  },
  async *stream({ start = 0, end = Number.POSITIVE_INFINITY, chunkBytes = CHUNK_BYTES } = {}) {
    for (let position = start; position < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - position));
      const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  },
  async [Symbol.asyncDispose]() {
    try {
      await handle.close();
    } finally {
      release();
    }
  },
});

/** What a writer does around its bytes. */
export interface WriterParts {
  readonly handle: FileHandle;
  readonly signal: AbortSignal;
  spend(bytes: number): void;
  commit(): Promise<void>;
  dispose(): Promise<void>;
}

/** A writer over an open file; every write may be the one that is over budget or too late. */
export const writerOf = ({ handle, signal, spend, commit, dispose }: WriterParts): Writer => {
  let end = 0;
  const put = async (chunk: Uint8Array, position: number) => {
    signal.throwIfAborted();
    spend(chunk.byteLength);
    for (let done = 0; done < chunk.byteLength; ) {
      const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done, position + done);
      done += bytesWritten;
    }
  };
  return {
    async write(chunk) {
      await put(chunk, end);
      end += chunk.byteLength;
    },
    async writeAt(chunk, position) {
      await put(chunk, position);
      end = Math.max(end, position + chunk.byteLength);
    },
    commit,
    [Symbol.asyncDispose]: dispose,
  };
};
