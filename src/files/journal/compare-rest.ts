import { readdirSync } from 'node:fs';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { isOwnName } from '../../lib/fs/own-names.ts';
import { kindOf, statAt } from '../entry.ts';
import { isSameStamp, stampAt } from './stamp.ts';

/** How what is left of a tree differs from its whole copy. */
export interface RestComparison {
  /** Something is in both and not the same. */
  readonly unlike: boolean;
  /** Something is in both and differs in more than a poorer file system would account for: in kind, size or time. */
  readonly changed: boolean;
  /** Something is only in what is left. */
  readonly added: boolean;
  /** Something is only in the copy. */
  readonly missing: boolean;
}

const SAME: RestComparison = { unlike: false, changed: false, added: false, missing: false };

/** Compares what is left of a tree with the copy that was made of it. The root is not compared: what is taken out of it changes it. */
export const compareRest = (rest: string, copy: string): RestComparison => {
  const here = namesIn(rest);
  const there = new Set(namesIn(copy));
  const common = here.filter((name) => there.has(name));
  const start = { ...SAME, added: common.length < here.length, missing: common.length < there.size };
  return common.map((name) => compareEntry(entryPath(rest, name), entryPath(copy, name))).reduce(both, start);
};

const namesIn = (directory: string): readonly string[] => readdirSync(directory).filter((name) => !isOwnName(name));

const compareEntry = (rest: string, copy: string): RestComparison => {
  const unlike = !isSameStamp(stampAt(rest) ?? '', stampAt(copy));
  const changed = unlike && isChanged(rest, copy);
  const below = !changed && statAt(rest)?.isDirectory() ? compareRest(rest, copy) : SAME;
  return both({ ...SAME, unlike, changed }, below);
};

/** The coarsest times that a file system keeps (FAT). */
const COARSEST_MS = 2_000;

const isChanged = (rest: string, copy: string): boolean => {
  const [one, other] = [statAt(rest), statAt(copy)];
  if (one === undefined || other === undefined || kindOf(one) !== kindOf(other)) return true;
  if (!one.isFile()) return one.isSymbolicLink(); // its stamp is what it says
  return one.size !== other.size || Math.abs(one.mtimeMs - other.mtimeMs) > COARSEST_MS;
};

const both = (one: RestComparison, other: RestComparison): RestComparison => ({
  unlike: one.unlike || other.unlike,
  changed: one.changed || other.changed,
  added: one.added || other.added,
  missing: one.missing || other.missing,
});
