import { readdirSync } from 'node:fs';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { isOwnName } from '../../lib/fs/own-names.ts';
import { statAt } from '../entry.ts';
import { isSameStamp, stampAt } from './stamp.ts';

/** How what is left of a tree differs from its whole copy. */
export interface RestComparison {
  /** Something is in both and not the same. */
  readonly unlike: boolean;
  /** Something is only in what is left. */
  readonly added: boolean;
  /** Something is only in the copy. */
  readonly missing: boolean;
}

const SAME: RestComparison = { unlike: false, added: false, missing: false };

/** Compares what is left of a tree with the copy that was made of it. The root is not compared: what is taken out of it changes it. */
export const compareRest = (rest: string, copy: string): RestComparison => {
  const [here, there] = [rest, copy].map((path) => readdirSync(path).filter((name) => !isOwnName(name)));
  const names = new Set(there);
  const added = here?.some((name) => !names.has(name)) ?? false;
  const common = here?.filter((name) => names.has(name)) ?? [];
  const start = { ...SAME, added, missing: common.length < names.size };
  return common.map((name) => compareEntry(entryPath(rest, name), entryPath(copy, name))).reduce(both, start);
};

const compareEntry = (rest: string, copy: string): RestComparison => {
  if (!isSameStamp(stampAt(rest) ?? '', stampAt(copy))) return { ...SAME, unlike: true };
  return statAt(rest)?.isDirectory() ? compareRest(rest, copy) : SAME;
};

const both = (one: RestComparison, other: RestComparison): RestComparison => ({
  unlike: one.unlike || other.unlike,
  added: one.added || other.added,
  missing: one.missing || other.missing,
});
