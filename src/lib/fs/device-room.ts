import { lstatSync, statfsSync } from 'node:fs';
import type { DeviceRoom } from '../../core/journal.ts';

/** Of a large device a twentieth would be more than anybody misses. */
const MOST_RESERVED_BYTES = 1024 ** 3;
const RESERVED_SHARE = 1 / 20;

/** What the device of a directory has left; undefined where it does not tell. */
export const deviceRoom = (directory: string): DeviceRoom | undefined => {
  try {
    const { dev: device } = lstatSync(directory);
    const { bsize, blocks, bavail, files, ffree } = statfsSync(directory);
    const freeBytes = bavail * bsize;
    const isShortOfFiles = files > 0 && ffree < files * RESERVED_SHARE; // some have no fixed number
    return { device, freeBytes, isTight: isShortOfFiles || freeBytes < Math.min(blocks * bsize * RESERVED_SHARE, MOST_RESERVED_BYTES) };
  } catch {
    return undefined;
  }
};
