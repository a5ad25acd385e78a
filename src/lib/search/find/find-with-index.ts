import { sep } from 'node:path';
import type { Grant } from '../../../core/files.ts';
import { leadsToOwn } from '../../fs/own-names.ts';
import { createWalk, type WalkPart } from '../../fs/walk.ts';
import { kindAt } from '../../fs/walk-directory.ts';
import type { Pace } from '../../fs/walk-pace.ts';
import type { PartWork } from '../../fs/walk-shared.ts';
import type { IndexAnswer } from '../index/ask-index.ts';
import { createSettled } from '../index/settled.ts';
import type { FindQuery, FoundPaths } from './find-part.ts';

export interface IndexedFind {
  readonly grant: Grant;
  readonly query: FindQuery;
  readonly start: () => PartWork<FoundPaths>;
  readonly rest: readonly WalkPart[];
  readonly pace: Pace;
}

/**
 * Finds what is left of a search by an index: its answers are checked against the disk, and directories that may have changed since it
 * was made are walked. Undefined where the answers are not enough.
 */
export const findWithIndex = async ({ paths, coverage }: IndexAnswer, find: IndexedFind): Promise<readonly FoundPaths[] | undefined> => {
  const { grant, query, start, rest, pace } = find;
  if (coverage === undefined) {
    const hits = checked(paths, grant.root, start(), () => true);
    return hits.count < query.most ? undefined : [hits];
  }
  const settled = createSettled(grant.root, coverage);
  const work = start();
  const { visitor } = work;
  using walk = createWalk(
    grant,
    { ...visitor, enters: (name, parent) => visitor.enters(name, parent) && !settled.isSettled(name, parent) },
    rest,
  );
  await pace.run(walk);
  return [work.end(), checked(paths, grant.root, start(), settled.has)];
};

/** Those of the paths that are there and wanted, in directories that count. */
const checked = (
  paths: readonly string[],
  root: string,
  { visitor, end }: PartWork<FoundPaths>,
  counts: (directory: string) => boolean,
): FoundPaths => {
  const prefix = root.endsWith(sep) ? root : root + sep;
  for (const path of [...paths].sort()) {
    if (!path.startsWith(prefix)) continue;
    const relative = path.slice(prefix.length).replaceAll(sep, '/');
    if (leadsToOwn(relative)) continue;
    const slash = relative.lastIndexOf('/') + 1;
    const directory = { relative: relative.slice(0, slash), address: (name = '') => `${prefix}${relative.slice(0, slash)}${name}` };
    const kind = counts(directory.relative) ? kindAt(path) : undefined;
    const name = relative.slice(slash);
    if (kind !== undefined && visitor.wants(name, kind, directory) && visitor.entry(name, kind, directory) === 'end') break;
  }
  return end();
};
