import { basename, dirname, join } from 'node:path';
import { type OnConflict, settleConflict } from '../../../core/conflict.ts';
import { ArchiveException, PathExistsException, PathTraversalException } from '../../../core/errors.ts';
import type { Entry, FilePort } from '../../../core/files.ts';
import type { JudgedEntry } from '../../../lib/archive/judge/judge-entries.ts';
import { mapInSlices } from '../../../lib/async/in-slices.ts';

/** What becomes of an entry: where it goes, or undefined where it is left out. */
export interface Decision {
  readonly judged: JudgedEntry;
  readonly to: string | undefined;
  /** A file is there and goes. */
  readonly replaces: boolean;
  /** Into the trash. */
  readonly trashes: boolean;
}

interface Deciding {
  readonly files: FilePort;
  readonly signal: AbortSignal;
  /** The target. */
  readonly root: string;
  readonly onConflict: OnConflict;
}

/** Settles every conflict with what is at the target before anything is written; one that cannot be settled refuses all. */
export const decide = async (entries: readonly JudgedEntry[], { files, signal, root, onConflict }: Deciding): Promise<Decision[]> => {
  const there = await files.stat(root);
  if (there !== undefined && there.kind !== 'dir') throw inTheWay(root, 'a file');
  const placeOf = ({ segments }: JudgedEntry) => join(root, ...segments);
  if (there === undefined) return mapInSlices(entries, { signal }, (judged) => ({ judged, to: placeOf(judged), ...FREE }));

  const places = new Set(await mapInSlices(entries, { signal }, placeOf));
  const demandDir = directoryJudge(files, root);
  const decisions: Decision[] = [];
  for (const judged of entries) {
    const own = placeOf(judged);
    await demandDir(judged.kind === 'dir' ? own : dirname(own));
    decisions.push(judged.kind === 'dir' ? { judged, to: own, ...FREE } : await decideFile(files, judged, own, { places, onConflict }));
  }
  return decisions;
};

/** Nothing is in the way. */
const FREE = { replaces: false, trashes: false };

interface Rules {
  /** Where the entries of the archive go, as far as nothing is in the way. */
  readonly places: ReadonlySet<string>;
  readonly onConflict: OnConflict;
}

const decideFile = async (files: FilePort, judged: JudgedEntry, own: string, rules: Rules): Promise<Decision> => {
  const there = await files.stat(own, { followLinks: false });
  if (there === undefined) return { judged, to: own, ...FREE };
  if (there.kind === 'dir') throw inTheWay(own, 'a directory');
  const to = await settle(files, judged, own, rules);
  if (to === own && there.kind === 'link') throw linkInTheWay(own);
  return { judged, to, replaces: to === own, trashes: to === own && rules.onConflict === 'trash' };
};

const settle = async (files: FilePort, { entry }: JudgedEntry, own: string, { places, onConflict }: Rules): Promise<string | undefined> => {
  const source: Entry = {
    path: own,
    name: basename(own),
    kind: 'file',
    size: entry.size,
    mtimeMs: entry.mtimeMs ?? 0,
    mode: entry.mode ?? 0,
    identity: '',
  };
  // A new name must not be the place of another entry either.
  const seen: FilePort = {
    ...files,
    stat: async (path, options) => (path !== own && places.has(path) ? { ...source, path } : files.stat(path, options)),
  };
  try {
    return await settleConflict(seen, own, onConflict, source);
  } catch (fault) {
    throw fault instanceof PathExistsException ? new ArchiveException(fault.message, { context: fault.context, cause: fault }) : fault;
  }
};

/** Refuses directories below the target that are links or files; each is looked at once. */
const directoryJudge = (files: FilePort, root: string): ((directory: string) => Promise<void>) => {
  const good = new Set([root]);
  const demand = async (directory: string): Promise<void> => {
    if (good.has(directory)) return;
    await demand(dirname(directory));
    const there = await files.stat(directory, { followLinks: false });
    if (there?.kind === 'link') throw linkInTheWay(directory);
    if (there !== undefined && there.kind !== 'dir') throw inTheWay(directory, 'a file');
    good.add(directory);
  };
  return demand;
};

const linkInTheWay = (path: string) =>
  new PathTraversalException(`${path} is a link, and nothing is extracted through or over links; remove it or choose another target.`, {
    context: { path, reason: 'link_in_the_way' },
  });

const inTheWay = (path: string, what: string) =>
  new ArchiveException(`At ${path} is ${what} where the archive needs something else; choose another target.`, {
    context: { path, reason: 'in_the_way' },
  });
