import { crc32 } from '../../hash/crc32.ts';
import { type DeflateOptions, deflateStream } from './deflate-stream.ts';

/** No name, no time, written on Unix: the same input gives the same bytes. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** Compresses a stream on all threads into a gzip file of one member. */
export async function* gzip(chunks: AsyncIterable<Uint8Array>, options: DeflateOptions): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let bytes = 0;
  yield HEADER;
  yield* deflateStream(chunks, {
    ...options,
    onInput(block) {
      checksum = crc32(block, checksum);
      bytes += block.byteLength;
      options.onInput?.(block);
    },
  });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(bytes % 2 ** 32, 4);
  yield trailer;
}
