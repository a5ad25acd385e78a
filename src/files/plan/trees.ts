import { dirname, join } from 'node:path';
import { FileAccessException } from '../../core/errors.ts';
import type { FilePort, Listed, TreeCopyOptions } from '../../core/files.ts';
import { newFileMode } from '../../lib/fs/new-file-mode.ts';
import { demandApart, demandDir, demandGoing, demandReplaceable } from '../refusals.ts';
import { marked } from './making.ts';
import { demandParents, planParents } from './parents.ts';
import { demandReadable, demandRoom } from './permission.ts';
import { dirOver, type PlannedDir, type PlannedNode } from './planned-tree.ts';
import { type Located, type Planner, type Seen, toldBelow } from './planner.ts';
import { copyOf } from './writing.ts';

/** Whole trees that would be copied, in the order in which the disk would see them. */
export const createPlannedTrees = (planner: Planner): Pick<FilePort, 'copyTree'> => ({
  async copyTree(from, to, options) {
    const source = planner.locate(from, { access: 'read' });
    demandDir(await planner.look(source.real), source.shown);
    const target = planner.locate(to, { access: 'write' });
    const there = await planner.look(target.real);
    if (there === undefined) await demandParents(planner, target);
    demandApart(source.real, target.real);
    planner.policy?.judgeTree(target.real, 'write', target.shown);
    demandReplaceable('dir', there?.kind, { path: target.shown });
    const [pair, work] = [
      { source, target },
      { planner, ...options },
    ];
    if (there === undefined) return planParents(planner, target, () => grow(pair, work));
    await check(pair, options.bypass === undefined ? work : { ...work, bypass: { unreadable() {}, vanished() {} } });
    await merge(pair, work);
  },
});

interface Pair {
  readonly source: Located;
  readonly target: Located;
}

interface Work extends TreeCopyOptions {
  readonly planner: Planner;
}

/** Visits what is in a source, names sorted. */
const eachEntry = async (
  { source, target }: Pair,
  { planner, signal, bypass }: Work,
  visit: (pair: Pair, listed: Listed, seen: Seen) => Promise<void>,
): Promise<void> => {
  for (const listed of await entriesOf(source, planner, bypass)) {
    const pair = { source: below(source, listed.name), target: below(target, listed.name) };
    demandGoing(signal, pair.target.shown);
    const seen = await planner.look(pair.source.real);
    if (seen !== undefined) await visit(pair, listed, seen);
  }
};

/** What is in a source; one that cannot be read is told, where the work may go on without. */
const entriesOf = async ({ real, shown }: Located, planner: Planner, bypass: Work['bypass']): Promise<readonly Listed[]> => {
  try {
    return await planner.entries(real, toldBelow(shown, bypass));
  } catch (fault) {
    if (bypass === undefined || !(fault instanceof FileAccessException)) throw fault;
    bypass.unreadable(shown, fault);
    return [];
  }
};

const below = ({ shown, real, touched }: Located, name: string): Located => ({
  shown: join(shown, name),
  real: join(real, name),
  touched: join(touched, name),
});

/** A new tree shows once it is whole: what fails on the way leaves nothing behind. */
const grow = async (pair: Pair, work: Work): Promise<void> => {
  const seen = await work.planner.look(pair.source.real);
  if (seen !== undefined) work.planner.tree.put(pair.target.real, await grownDir(pair, seen, work));
};

const grownDir = async (pair: Pair, { mtimeMs, mode }: Seen, work: Work): Promise<PlannedDir> => {
  const { planner, keepMetadata } = work;
  const directory = dirOver(undefined, keepMetadata ? { mtimeMs, mode } : { mtimeMs: planner.now() });
  planner.record('create', pair.target.touched, {});
  await eachEntry(pair, work, async (inner, { name }, seen) => {
    const node = seen.kind === 'dir' ? await grownDir(inner, seen, work) : await leafOf(inner, seen, { ...work, there: undefined });
    if (node !== undefined) directory.changed.set(name, node);
  });
  return directory;
};

/** The copy of a file or a link; pipes, sockets and devices are left out. */
const leafOf = async (
  { source, target }: Pair,
  seen: Seen,
  { planner, keepMetadata, there, bypass }: Work & { readonly there: Seen | undefined },
): Promise<PlannedNode | undefined> => {
  const kind = there === undefined ? 'create' : 'overwrite';
  if (seen.kind === 'link') {
    const text = await planner.textOfLink(seen, source.shown);
    planner.judgeLink(dirname(target.real), text);
    if (there !== undefined) planner.budget?.remove?.(1);
    planner.record(kind, target.touched, { seen: there });
    return { kind: 'link', target: text, mtimeMs: planner.now() };
  }
  if (seen.kind !== 'file' || !isReadable(seen, source.shown, bypass)) return undefined;
  planner.budget?.spend(seen.size ?? 0);
  planner.record('read', source.touched, { bytes: seen.size, seen });
  if (there !== undefined) planner.budget?.remove?.(1);
  planner.record(kind, target.touched, { bytes: seen.size, seen: there });
  const mode = there?.kind === 'file' ? there.mode & 0o777 : newFileMode();
  return { kind: 'file', mode, mtimeMs: planner.now(), ...copyOf(seen, { keepMetadata }) };
};

/** One that cannot be read is told, where the work may go on without. */
const isReadable = (seen: Seen, shown: string, bypass: Work['bypass']): boolean => {
  try {
    demandReadable(seen, shown);
    return true;
  } catch (fault) {
    if (bypass === undefined) throw fault;
    bypass.unreadable(shown, fault);
    return false;
  }
};

/** Finds what stands in the way before anything changes. */
const check = (pair: Pair, work: Work): Promise<void> =>
  eachEntry(pair, work, async (inner, { kind }, seen) => {
    const { planner } = work;
    const there = await planner.look(inner.target.real);
    if (kind !== 'other') demandReplaceable(kind, there?.kind, { path: inner.target.shown });
    if (kind === 'link' && planner.policy !== undefined)
      planner.judgeLink(dirname(inner.target.real), await planner.textOfLink(seen, inner.source.shown));
    if (kind === 'dir' && (there !== undefined || planner.policy !== undefined)) await check(inner, work);
  });

const merge = async (pair: Pair, work: Work): Promise<void> => {
  const { planner, keepMetadata } = work;
  await eachEntry(pair, work, async (inner, { kind }, seen) => {
    const there = await planner.look(inner.target.real);
    if (kind !== 'other') demandReplaceable(kind, there?.kind, { path: inner.target.shown });
    if (kind === 'dir' && there === undefined) demandRoom(planner, inner.target);
    if (kind === 'dir') return there === undefined ? grow(inner, work) : merge(inner, work);
    demandRoom(planner, inner.target);
    const leaf = await leafOf(inner, seen, { ...work, there });
    if (leaf !== undefined) planner.tree.put(inner.target.real, leaf);
  });
  if (keepMetadata) await keepMarks(pair, planner);
};

const keepMarks = async ({ source, target }: Pair, planner: Planner): Promise<void> => {
  const [from, to] = [await planner.look(source.real), await planner.look(target.real)];
  const node = from && to && marked(to, from);
  if (node !== undefined && dirname(target.real) !== target.real) planner.tree.put(target.real, node);
};
