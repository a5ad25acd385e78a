import { lstatSync } from 'node:fs';
import type { Policy } from '../access/policy.ts';
import { DirNotExistsException } from '../core/errors.ts';
import type { Access, Grant } from '../core/files.ts';
import type { Place } from './place.ts';

/** Slots of the shared counters: stop flag, files done, bytes done (low and high half). */
const COUNTER_SLOTS = 4;

/** Judges a root for bulk work before any of it starts. */
export const grantFor = async (absolute: string, access: Access, { place, policy }: { readonly place: Place; readonly policy: Policy | undefined }): Promise<Grant> => {
  using spot = place(absolute, { access, followLinks: true });
  if (lstatSync(spot.at, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new DirNotExistsException(`No directory at ${absolute}; check the path.`, { context: { path: absolute } });
  }
  policy?.judgeTree(spot.real, access, absolute);
  return {
    root: spot.real,
    access,
    byHandles: policy !== undefined,
    dry: false,
    counters: new SharedArrayBuffer(COUNTER_SLOTS * Int32Array.BYTES_PER_ELEMENT),
  };
};
