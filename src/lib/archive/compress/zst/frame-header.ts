import { broken } from '../../broken.ts';
import type { ForwardBytes } from '../../forward-bytes.ts';

/** What a frame says of itself. */
export type FrameHeader =
  | { readonly kind: 'frame'; readonly bytes: Buffer; readonly hasChecksum: boolean }
  /** Somebody's notes, to be jumped over. */
  | { readonly kind: 'skippable'; readonly size: number };

const MAGIC = 0xfd2fb528;
/** How much memory a frame may ask for; as much as zstd itself allows unasked. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];

interface FrameReading {
  readonly isFirst: boolean;
  /** Something else behind a frame is taken for the end. */
  readonly lenient: boolean;
}

/** Whether a frame begins with the mark of those that are jumped over; files of LZ4 have the same. */
export const isSkippable = (mark: Buffer): boolean => mark.byteLength >= 4 && mark.readUInt32LE(0) >>> 4 === 0x184d2a5;

/** Reads the header of the next frame; undefined at the end of the file. */
export const readFrameHeader = async (bytes: ForwardBytes, { isFirst, lenient }: FrameReading): Promise<FrameHeader | undefined> => {
  const mark = await bytes.take(4);
  if (mark.byteLength === 0 && !isFirst) return undefined;
  if (isSkippable(mark)) return { kind: 'skippable', size: (await exactly(bytes, 4)).readUInt32LE(0) };
  const magic = mark.byteLength === 4 ? mark.readUInt32LE(0) : 0;
  if (magic !== MAGIC && lenient && !isFirst) return undefined;
  if (magic !== MAGIC) throw broken(isFirst ? 'is no zstd file' : 'has data after its end');
  const descriptor = await exactly(bytes, 1);
  const flags = descriptor.readUInt8(0);
  const isSingle = (flags & 0x20) !== 0;
  const windowField = await exactly(bytes, isSingle ? 0 : 1);
  const dictionary = await exactly(bytes, DICTIONARY_BYTES[flags & 3] ?? 0);
  if (dictionary.some((byte) => byte !== 0)) throw broken('was packed with a dictionary that it does not hold');
  const sizeField = await exactly(bytes, isSingle && flags >> 6 === 0 ? 1 : (SIZE_BYTES[flags >> 6] ?? 0));
  if ((isSingle ? contentSize(sizeField) : windowSize(windowField.readUInt8(0))) > MAX_WINDOW_BYTES)
    throw broken(`needs more than ${MAX_WINDOW_BYTES} bytes of memory to be unpacked`);
  return { kind: 'frame', bytes: Buffer.concat([mark, descriptor, windowField, dictionary, sizeField]), hasChecksum: (flags & 0x04) !== 0 };
};

/** Bytes that must be there. */
export const exactly = async (bytes: ForwardBytes, length: number): Promise<Buffer> => {
  const taken = await bytes.take(length);
  if (taken.byteLength < length) throw broken('is a cut zstd file');
  return taken;
};

const windowSize = (field: number): number => {
  const base = 2 ** (10 + (field >> 3));
  return base + (base / 8) * (field & 7);
};

const contentSize = (field: Buffer): number =>
  Number(BigInt(`0x${Buffer.from(field).reverse().toString('hex')}`)) + (field.byteLength === 2 ? 256 : 0);
