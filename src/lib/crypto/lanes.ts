import { boundedMap } from '../async/bounded-map.ts';

/** Enough for reading, ciphering and writing to go on at the same time. */
const LANES = 4;

/** Works on numbers from 0 up to `count`, several at a time; each lane has a buffer of its own. The first failure stops all. */
export const inLanes = async (
  count: number,
  bufferBytes: number,
  work: (index: number, buffer: Buffer) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lanes = Array.from({ length: Math.min(LANES, count) }, () => Buffer.allocUnsafeSlow(bufferBytes));
  const lane = async (buffer: Buffer) => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index, buffer);
    }
  };
  await boundedMap(lanes, LANES, async (buffer) => {
    try {
      await lane(buffer);
    } catch (fault) {
      next = count;
      throw fault;
    }
  });
};
