import { constants, deflateRawSync } from 'node:zlib';
import { type Done, ownBuffers } from '../../workers/task.ts';

/** One block of a longer deflate stream. */
export interface DeflateBlock {
  readonly data: Uint8Array;
  /** The 32 KiB before the block, so that cutting the stream costs no compression. */
  readonly dictionary: Uint8Array | undefined;
  readonly isLast: boolean;
  readonly level: number;
}

/**
 * Compresses a block so that the results of all blocks, joined, are one deflate stream. The result lies where the block lay, as long as
 * it fits: buffers that go back and forth need not be collected, which happens far too late for memory of this size.
 */
export const deflateBlock = ({ data, dictionary, isLast, level }: DeflateBlock): Done<Uint8Array> => {
  const packed = deflateRawSync(data, {
    level,
    memLevel: 9,
    chunkSize: roomFor(data.byteLength),
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(dictionary !== undefined && { dictionary }),
  });
  if (packed.byteLength > data.buffer.byteLength - data.byteOffset) return { value: packed, transfer: ownBuffers(packed) };
  const value = new Uint8Array(data.buffer, data.byteOffset, packed.byteLength);
  value.set(packed);
  return { value, transfer: ownBuffers(value) };
};

/** Enough for the worst case, so that the output never moves while it grows. */
export const roomFor = (bytes: number): number => bytes + (bytes >> 10) + 64;
