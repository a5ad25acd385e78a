import type { Stats } from 'node:fs';
import { isAlive, isKeptPart, ownerOfPart, readOwner } from '../../../lib/fs/part-name.ts';

const HOUR_MS = 60 * 60 * 1000;
/** For makers that cannot be asked: another machine on a shared disk, a container that is gone. */
const WEEK_MS = 7 * 24 * HOUR_MS;

/**
 * Whether something with this name and these looks was left behind: a temporary file or tree of this user whose maker is known to be dead.
 * One of an earlier start of this machine may as well be of another machine that is called the same, so nobody must have touched it for an
 * hour; one of a maker that cannot be asked gets a week, and so does what somebody meant to go on with.
 */
export const isLeftOver = (name: string, { uid, mtimeMs, ctimeMs }: Stats, now: number): boolean => {
  const owner = ownerOfPart(name);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  const ageMs = now - Math.max(mtimeMs, ctimeMs);
  if (owner === undefined) return isKeptPart(name) && ageMs > WEEK_MS;
  const self = readOwner();
  if (owner.home !== self.home) return ageMs > WEEK_MS;
  return owner.boot === self.boot ? !isAlive(owner, self) : ageMs > HOUR_MS;
};
