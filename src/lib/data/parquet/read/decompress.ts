import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { unpackHadoopLz4, unpackLz4 } from './lz4.ts';
import { demand, ParquetFault, WITHOUT_COLUMN } from './unreadable.ts';

/** Unpacks a page to exactly this many bytes. */
export type Decompress = (page: Uint8Array, length: number) => Uint8Array;

/** How pages of a codec are unpacked; what comes out with another length than the file tells is refused. */
export const openDecompressor = async (codec: string | undefined): Promise<Decompress> => {
  const unpack = await unpackerFor(codec);
  return (page, length) => {
    if (length === 0) return new Uint8Array(0); // some writers compress nothing to nothing
    const plain = unpack(page, length);
    demand(plain.byteLength === length, 'a page has another length than the file tells');
    return plain;
  };
};

const unpackerFor = async (codec: string | undefined): Promise<Decompress> => {
  switch (codec) {
    case 'UNCOMPRESSED':
      return (page) => page;
    case 'SNAPPY': {
      const { snappyUncompress } = await import('hyparquet/src/snappy.js');
      return (page, length) => filled(length, (into) => snappyUncompress(page, into));
    }
    case 'GZIP':
      return (page, length) => gunzipSync(page, { maxOutputLength: length });
    case 'BROTLI':
      return (page, length) => brotliDecompressSync(page, { maxOutputLength: length });
    case 'ZSTD': {
      const { decompress } = await import('fzstd');
      return (page, length) => decompress(modest(page, length));
    }
    case 'LZ4':
      return (page, length) => filled(length, (into) => unpackHadoopLz4(page, into));
    case 'LZ4_RAW':
      return (page, length) => filled(length, (into) => unpackLz4(page, into));
    default:
      throw new ParquetFault(`its codec ${codec ?? 'is unknown and'} is not supported`, { remedy: WITHOUT_COLUMN });
  }
};

const filled = (length: number, fill: (into: Uint8Array) => void): Uint8Array => {
  const into = new Uint8Array(length);
  fill(into);
  return into;
};

/**
 * The library takes as much memory as a frame asks for: that of its contents, or of its window where it does not tell them. It moves the whole
 * window for every block, so this gives one that is no larger than the page.
 */
const modest = (frame: Uint8Array, length: number): Uint8Array => {
  const descriptor = frame[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeWidth = descriptor >> 6 === 0 ? Number(isSingle) : 2 ** (descriptor >> 6);
  if (sizeWidth === 0) {
    const exponent = Math.max(MIN_WINDOW_BITS, Math.ceil(Math.log2(length)));
    if ((frame[5] ?? 0) >> 3 <= exponent - MIN_WINDOW_BITS) return frame;
    const smaller = new Uint8Array(frame);
    smaller[5] = (exponent - MIN_WINDOW_BITS) << 3;
    return smaller;
  }
  // The size stands behind the descriptor, the window and the number of the dictionary.
  const at = (isSingle ? 5 : 6) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  let size = sizeWidth === 2 ? 256 : 0;
  for (let index = 0; index < sizeWidth; index += 1) size += (frame[at + index] ?? 0) * 2 ** (8 * index);
  demand(size <= length, 'a page is longer than the file tells');
  return frame;
};

const MIN_WINDOW_BITS = 10;
