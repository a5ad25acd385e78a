import { dirname, relative, sep } from 'node:path';
import { makeWay, type OnConflict } from '../../../core/conflict.ts';
import type { Context } from '../../../core/context.ts';
import { PathExistsException } from '../../../core/errors.ts';
import { demandDeclaredBytes, type JudgedEntry, judgeEntries, type LinkRule } from '../../../lib/archive/judge/judge-entries.ts';
import type { ArchiveLimits } from '../../../lib/archive/limits.ts';
import type { OpenArchive } from '../../../lib/archive/open-archive.ts';
import { mapInSlices } from '../../../lib/async/in-slices.ts';
import { fileModeFrom, timeFrom } from './attributes.ts';
import { type Decision, decide } from './decide.ts';
import { fillStage } from './fill-stage.ts';
import { putInPlace } from './put-in-place.ts';
import { namingTarget, openStage } from './stage.ts';

/** What is to be extracted, where, and under which rules. */
export interface Extraction {
  readonly archive: OpenArchive;
  /** Places in the archive. */
  readonly wanted: readonly number[];
  readonly target: string;
  readonly limits: ArchiveLimits;
  readonly links: LinkRule;
  readonly onConflict: OnConflict;
}

/** Something that was, or would be, written. */
export interface Written {
  /** From the target, with `/`. */
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Judges everything first, then extracts all of it or nothing; gives what was written, in archive order. */
export const extract = async (context: Context, extraction: Extraction): Promise<Written[]> => {
  const { files, progress } = context;
  const root = files.absolute(extraction.target);
  const decisions = await decideAll(context, extraction);
  const entries = neededFor(decisions);
  await using stage = await openStage(context, root);
  const shown = progress(
    `extract to ${root}`,
    entries.reduce((sum, { entry }) => sum + entry.size, 0),
  );
  await namingTarget(stage.path, root, () => fillStage(context, { archive: extraction.archive, entries, stage: stage.path, shown }));
  await putInPlace(context, stage, decisions, root);
  return writtenBy(decisions, { root, signal: context.signal });
};

/** The same decisions, told to the file port of a dry run. */
export const foreseeExtract = async (context: Context, extraction: Extraction): Promise<Written[]> => {
  const { files, signal } = context;
  const root = files.absolute(extraction.target);
  const decisions = await decideAll(context, extraction);
  await files.makeDir(root, { parents: true });
  for (const { judged, to, trashes } of decisions) {
    if (trashes && to !== undefined) await makeWay(context, to);
    if (to !== undefined) await foreseeEntry(files, signal, judged, to);
  }
  return writtenBy(decisions, { root, signal });
};

const foreseeEntry = async (files: Context['files'], signal: AbortSignal, { entry, kind }: JudgedEntry, to: string): Promise<void> => {
  await files.makeDir(kind === 'dir' ? to : dirname(to), { parents: true });
  if (kind === 'dir') return;
  if (kind === 'link') return files.makeLink(to, entry.linkTarget ?? '');
  await using writer = await files.create(to, { signal, expectedBytes: entry.size, ...fileModeFrom(entry), ...timeFrom(entry) });
  await writer.commit();
};

const decideAll = async (
  { files, signal }: Context,
  { archive, wanted, target, limits, links, onConflict }: Extraction,
): Promise<Decision[]> => {
  await demandNoLooseLink(files, files.absolute(target));
  const chosen = wanted.flatMap((index) => archive.entries[index] ?? []);
  demandDeclaredBytes(chosen, limits);
  const judged = await judgeEntries(await archive.examine(wanted), { links, limits, signal });
  const inArchive = (place: number) => wanted[place] ?? place;
  const placed = await mapInSlices(judged, { signal }, (each) => ({
    ...each,
    index: inArchive(each.index),
    ...(each.copyOf !== undefined && { copyOf: inArchive(each.copyOf) }),
  }));
  return decide(placed, { files, signal, root: files.absolute(target), onConflict });
};

/** Nothing is made behind a link that leads nowhere: who made it meant something else. */
const demandNoLooseLink = async (files: Context['files'], root: string): Promise<void> => {
  if ((await files.stat(root)) !== undefined || (await files.stat(root, { followLinks: false })) === undefined) return;
  throw new PathExistsException(`${root} is a link that leads nowhere; make the directory it leads to, or choose another target.`, {
    context: { path: root },
  });
};

/** What has to be unpacked: all that is written, and the originals of copies even where they are left out. */
const neededFor = (decisions: readonly Decision[]): JudgedEntry[] => {
  const copied = new Set(decisions.flatMap(({ judged, to }) => (to === undefined || judged.copyOf === undefined ? [] : [judged.copyOf])));
  return decisions.filter(({ judged, to }) => to !== undefined || copied.has(judged.index)).map(({ judged }) => judged);
};

const writtenBy = async (
  decisions: readonly Decision[],
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<Written[]> => {
  const written = await mapInSlices(decisions, { signal }, ({ judged, to }) =>
    to === undefined ? [] : [{ name: relative(root, to).split(sep).join('/'), isDirectory: judged.kind === 'dir' }],
  );
  return written.flat();
};
