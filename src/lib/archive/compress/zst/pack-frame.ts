import { type Done, ownBuffers } from '../../../workers/task.ts';
import { createXxh64 } from './xxh64.ts';

const LEVEL = 3;
const HAS_CHECKSUM = 0x04;

const load = async () => {
  const zstd = await import('@bokuweb/zstd-wasm');
  await zstd.init();
  return zstd;
};
/** One encoder for each thread. */
let loaded: ReturnType<typeof load> | undefined;

/** Packs a piece as a frame of its own, with a check sum of its content: a task, because it takes all of a core. */
export const packFrame = async (content: Uint8Array): Promise<Done<Uint8Array>> => {
  loaded ??= load();
  const frame = (await loaded).compress(content, LEVEL);
  const xxh64 = await createXxh64();
  xxh64.update(content);
  // The library leaves the check sum out; a frame may have it when its header, after the four bytes of the mark, says so.
  const length = frame.byteLength + 4;
  // As with deflate, the result takes the place of the content where it fits.
  const value = length <= content.buffer.byteLength ? new Uint8Array(content.buffer, 0, length) : new Uint8Array(length);
  const checksum = xxh64.digest();
  value.set(frame);
  value[4] = (frame[4] ?? 0) | HAS_CHECKSUM;
  value.set(checksum, frame.byteLength);
  return { value, transfer: ownBuffers(value) };
};
