import { boundedMap } from '../async/bounded-map.ts';

/**
 * Enough for reading, ciphering and writing to go on at the same time.
 */
const LANES = 4;

/** Works on the numbers from 0 up to `count`, several at a time; each lane has a buffer of its own. The first failure stops all. */
export const inLanes = async (
  count: number,
  bufferBytes: number,
  work: (index: number, buffer: Buffer) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (buffer: Buffer) => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index, buffer);
    }
  };
  const buffers = Array.from({ length: Math.min(LANES, count) }, () => Buffer.allocUnsafeSlow(bufferBytes));
  await boundedMap(buffers, LANES, async (buffer) => {
    try {
      await lane(buffer);
    } catch (fault) {
      next = count;
      throw fault;
    }
  });
};
