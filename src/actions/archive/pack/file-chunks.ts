import type { Reader } from '../../../core/files.ts';

const CHUNK_BYTES = 256 * 1024;

/** The content of a file up to a length, through one buffer: each chunk is good only until the next one is asked for. */
export async function* fileChunks(reader: Reader, length = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let position = 0; position < length; ) {
    const bytes = await reader.readAt(buffer.subarray(0, length - position), position);
    if (bytes === 0) return;
    position += bytes;
    yield buffer.subarray(0, bytes);
  }
}
