import { CrossBackendException, FileAutomationException, QuotaExceededException, StorageException } from '../../core/errors.ts';
import type { StoredItem } from '../../core/storage.ts';
import { boundedMap } from '../async/bounded-map.ts';
import { faultOfPath, isBelow, parentsOf, withoutCase } from '../location/storage-path.ts';
import { addFailure, type Failures, noFailures } from '../partial/failures.ts';
import { copyFile } from './copy-file.ts';
import { isUnchanged } from './is-unchanged.ts';
import { createSelection, type Selection, type SelectOptions } from './select.ts';
import { locationOf, type TransferEnd, type TransferOptions, type TransferReport, type TransferredFile } from './transfer.ts';

export interface TreeOptions extends TransferOptions, SelectOptions {
  /** Told how many bytes are to be sent, before the first is. */
  readonly onTotal?: ((bytes: number) => void) | undefined;
  /** Change nothing, only tell what would be done. */
  readonly tellsOnly?: boolean;
}

export interface SyncOptions extends TreeOptions {
  /** Delete what is only at the target. */
  readonly delete: boolean;
  /** Throws where so many deletions look like a mistake. */
  demandFew(doomed: number, kept: number): void;
}

/** What is below a directory, by paths that count from it. */
interface Tree {
  readonly files: ReadonlyMap<string, StoredItem>;
  readonly directories: readonly string[];
  /** Links, and whatever else is no file: nothing is sent for them, and nothing is deleted or written in their place. */
  readonly skipped: ReadonlySet<string>;
}

/** Carries everything below a directory; what fails does not stop the rest. */
export const copyTree = async (from: TransferEnd, to: TransferEnd, options: TreeOptions): Promise<TransferReport> => {
  demandApart(from, to);
  const report = newReport();
  const tree = await treeAt(from, { ...options, failed: report.failed });
  const wanted = [...tree.files].map(([relative, item]) => ({ relative, item }));
  await sendAll(from, to, sendable(to, wanted, new Set(), report.failed), options, report);
  await makeEmptyDirectories(to, tree, options, report.failed);
  return report;
};

/** Makes a directory like another one: sends what is new or changed, and deletes what is only there, where that is wanted. */
export const syncTree = async (from: TransferEnd, to: TransferEnd, options: SyncOptions): Promise<TransferReport> => {
  demandApart(from, to);
  const report = newReport();
  const { failed } = report;
  const [source, target] = await Promise.all([
    treeAt(from, { ...options, failed }),
    treeAt(to, { ...options, failed, mayBeMissing: true, followLinks: false }),
  ]);
  const { ignoresCase } = to.storage.can;
  const known = ignoresCase ? new Set([...source.files.keys()].map(withoutCase)) : source.files;
  const isDoomed = (relative: string): boolean =>
    !known.has(ignoresCase ? withoutCase(relative) : relative) && !isAtOrBelowAny(relative, source.skipped);
  const doomed = options.delete ? [...target.files.keys()].filter(isDoomed) : [];
  if (doomed.length > 0) options.demandFew(doomed.length, target.files.size - doomed.length);
  const wanted = await changedIn(from, to, { source, target }, options, report);
  await sendAll(from, to, sendable(to, wanted, target.skipped, failed), options, report);
  if (options.tellsOnly === true) return { ...report, deleted: doomed.map((relative) => below(to, relative).path) };
  await makeEmptyDirectories(to, source, options, report.failed);
  // After a failure nothing is deleted: what is doomed may be what a file that could not be read was renamed from.
  if (report.failed.count === 0) await deleteAll(to, { doomed, source, target }, options, report);
  return report;
};

interface Report extends TransferReport {
  readonly files: TransferredFile[];
  readonly deleted: string[];
}

const newReport = (): Report => ({ files: [], deleted: [], failed: noFailures() });

interface TreeSelection extends SelectOptions {
  readonly signal: AbortSignal;
  readonly hold?: TransferOptions['hold'];
  readonly mayBeMissing?: boolean;
  readonly followLinks?: boolean;
  /** Where what cannot be read is put down. */
  readonly failed: Failures;
}

/** About what an entry takes in memory beside its path. */
const ITEM_BYTES = 200;

const treeAt = async (
  end: TransferEnd,
  { signal, failed, hold, mayBeMissing = false, followLinks = true, ...selecting }: TreeSelection,
): Promise<Tree> => {
  const { storage, path } = end;
  const files = new Map<string, StoredItem>();
  const directories: string[] = [];
  const skipped = new Set<string>();
  const isWanted: Selection = createSelection(selecting);
  const prefix = path === '' ? 0 : path.length + 1;
  const onSkipped = (where: string) => void skipped.add(where.slice(prefix));
  const onUnreadable = (where: string, fault: unknown) => addFailure(failed, locationOf({ storage, path: where }), fault);
  for await (const item of storage.list(path, { signal, deep: true, followLinks, onUnreadable, onSkipped })) {
    const relative = item.path.slice(prefix);
    hold?.(ITEM_BYTES + 2 * item.path.length);
    if (!isWanted(relative)) continue;
    const fault = faultOfPath(relative);
    if (fault !== undefined) {
      addFailure(failed, locationOf({ storage, path: item.path }), badName({ storage, path: item.path }, fault));
      continue;
    }
    if (item.kind === 'file') files.set(relative, item);
    else directories.push(relative);
  }
  if (files.size === 0 && directories.length === 0 && !mayBeMissing) await demandDirectory(end, signal);
  return { files, directories, skipped };
};

/** No service is given a name that another one could not give back. */
const badName = (end: TransferEnd, fault: string): StorageException =>
  new StorageException(`${JSON.stringify(locationOf(end))} ${fault}; rename it first.`, {
    context: { code: 'bad_name', location: locationOf(end) },
  });

/** One tree inside of the other would be copied into itself, or deleted with what it lies in. */
const demandApart = (from: TransferEnd, to: TransferEnd): void => {
  if (from.storage.location !== to.storage.location) return;
  const fold = from.storage.can.ignoresCase ? withoutCase : (path: string) => path;
  const [source, target] = [fold(from.path), fold(to.path)];
  if (source !== target && !isBelow(source, target) && !isBelow(target, source)) return;
  throw new CrossBackendException(
    `${locationOf(from)} and ${locationOf(to)} lie inside each other; choose two places of which neither holds the other.`,
    {
      context: { source: locationOf(from), target: locationOf(to) },
    },
  );
};

const isAtOrBelowAny = (relative: string, places: ReadonlySet<string>): boolean =>
  places.size > 0 && [...parentsOf(relative), relative].some((each) => places.has(each));

const demandDirectory = async (end: TransferEnd, signal: AbortSignal): Promise<void> => {
  if (end.path === '' || (await end.storage.stat(end.path, { signal }))?.kind === 'dir') return;
  throw new CrossBackendException(`No directory is at ${locationOf(end)}; check the location.`, {
    context: { code: 'not_found', location: locationOf(end) },
  });
};

const below = ({ storage, path }: TransferEnd, relative: string): TransferEnd => ({
  storage,
  path: path === '' ? relative : `${path}/${relative}`,
});

interface Wanted {
  readonly relative: string;
  readonly item: StoredItem;
}

/** Compares both trees: what is the same is told, what is not is given. */
const changedIn = async (
  from: TransferEnd,
  to: TransferEnd,
  { source, target }: { readonly source: Tree; readonly target: Tree },
  { compare, maxWorkers, signal }: TreeOptions,
  report: Report,
): Promise<Wanted[]> => {
  const changed: Wanted[] = [];
  await boundedMap([...source.files], compare === 'checksum' ? maxWorkers : 1, async ([relative, item]) => {
    const there = target.files.get(relative);
    const ends = { from: below(from, relative), to: below(to, relative) };
    await collecting(report.failed, ends.to, signal, async () => {
      if (there !== undefined && (await isUnchanged({ end: ends.from, item }, { end: ends.to, item: there }, compare, signal)))
        report.files.push({ path: ends.to.path, bytes: item.bytes, verified: 'none', how: 'unchanged', resumedBytes: 0 });
      else changed.push({ relative, item });
    });
  });
  return changed;
};

const sendAll = async (
  from: TransferEnd,
  to: TransferEnd,
  wanted: readonly Wanted[],
  options: TreeOptions,
  report: Report,
): Promise<void> => {
  options.onTotal?.(wanted.reduce((sum, { item }) => sum + item.bytes, 0));
  await boundedMap(wanted, options.maxWorkers, ({ relative, item }) =>
    collecting(report.failed, below(to, relative), options.signal, async () => {
      const target = below(to, relative);
      report.files.push(
        options.tellsOnly === true ? foretold(target, item) : await copyFile(below(from, relative), target, options, { source: item }),
      );
    }),
  );
};

/** Without what would be written through a link, and without all but the first of those that the target takes for one. */
const sendable = (to: TransferEnd, wanted: readonly Wanted[], links: ReadonlySet<string>, failed: Failures): readonly Wanted[] => {
  const taken = new Set<string>();
  return wanted.filter(({ relative }) => {
    const end = below(to, relative);
    const isDouble = to.storage.can.ignoresCase === true && taken.has(withoutCase(relative));
    taken.add(withoutCase(relative));
    if (!isDouble && !isAtOrBelowAny(relative, links)) return true;
    const why = isDouble ? 'is there already under a name that differs only in its letters' : 'leads through a link that is there';
    addFailure(
      failed,
      locationOf(end),
      new StorageException(`${locationOf(end)} ${why}; rename or remove one of them.`, {
        context: { code: 'exists', location: locationOf(end) },
      }),
    );
    return false;
  });
};

const foretold = ({ path }: TransferEnd, { bytes }: StoredItem): TransferredFile => ({
  path,
  bytes,
  verified: 'none',
  how: 'copied',
  resumedBytes: 0,
});

/** Notes a failure of one of many; a stop and a used up budget end all of them. */
const collecting = async (failed: Failures, end: TransferEnd, signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (fault) {
    signal.throwIfAborted();
    if (!(fault instanceof FileAutomationException) || fault instanceof QuotaExceededException) throw fault;
    addFailure(failed, locationOf(end), fault);
  }
};

/** Those with something in them came with it. */
const makeEmptyDirectories = async (to: TransferEnd, tree: Tree, { signal }: TreeOptions, failed: Failures): Promise<void> => {
  const { makeDir } = to.storage;
  if (makeDir === undefined) return;
  const made = new Set([...tree.files.keys()].flatMap(parentsOf));
  for (const relative of tree.directories) {
    if (made.has(relative)) continue;
    await collecting(failed, below(to, relative), signal, () => makeDir(below(to, relative).path, { signal }));
  }
};

interface Doomed {
  readonly doomed: readonly string[];
  readonly source: Tree;
  readonly target: Tree;
}

const deleteAll = async (
  to: TransferEnd,
  { doomed, source, target }: Doomed,
  { maxWorkers, signal, ...options }: SyncOptions,
  report: Report,
): Promise<void> => {
  if (!options.delete) return;
  await boundedMap(doomed, maxWorkers, (relative) =>
    collecting(report.failed, below(to, relative), signal, async () => {
      const { path } = below(to, relative);
      await to.storage.remove(path, { signal });
      report.deleted.push(path);
    }),
  );
  const { removeDir } = to.storage;
  if (removeDir === undefined || report.failed.count > 0) return;
  const kept = new Set([...source.directories, ...[...source.files.keys()].flatMap(parentsOf)]);
  const extra = target.directories.filter((relative) => !kept.has(relative));
  // The deepest first: a directory goes when nothing is in it any more.
  for (const relative of extra.toSorted((one, other) => other.length - one.length))
    await collecting(report.failed, below(to, relative), signal, async () => void (await removeDir(below(to, relative).path, { signal })));
};
