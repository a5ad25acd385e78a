import { dirname, join } from 'node:path';
import type { Context } from '../../../core/context.ts';
import { ArchiveException, PathExistsException } from '../../../core/errors.ts';
import type { Progress } from '../../../core/progress.ts';
import { shortName, shownName } from '../../../lib/archive/entry.ts';
import type { JudgedEntry } from '../../../lib/archive/judge/judge-entries.ts';
import type { OpenArchive } from '../../../lib/archive/open-archive.ts';
import { fileModeFrom, timeFrom } from './attributes.ts';
import { dirMaker } from './make-dirs.ts';

/** What is written, and where. */
interface Filling {
  readonly archive: OpenArchive;
  readonly entries: readonly JudgedEntry[];
  /** A private directory. */
  readonly stage: string;
  readonly shown: Progress;
}

/** Writes entries in this order: directories, contents, copies, and links last, so that nothing is written through one. */
export const fillStage = async (context: Context, filling: Filling): Promise<void> => {
  const { files, signal } = context;
  const { entries, stage } = filling;
  const placeOf = ({ segments }: JudgedEntry) => join(stage, ...segments);
  const makeDir = dirMaker(files, stage);
  for (const each of entries) await makeDir(each.kind === 'dir' ? placeOf(each) : dirname(placeOf(each)));
  await writeContents(context, filling, placeOf);
  const byIndex = new Map(entries.map((each) => [each.index, each]));
  for (const each of entries) {
    const original = each.copyOf === undefined ? undefined : byIndex.get(each.copyOf);
    if (original !== undefined)
      await clear(each, () =>
        files.copy(placeOf(original), placeOf(each), { keepMetadata: true, durable: false, exclusive: true, signal }),
      );
  }
  for (const each of entries) if (each.kind === 'link') await clear(each, () => files.makeLink(placeOf(each), each.entry.linkTarget ?? ''));
};

const writeContents = async (
  { files, signal }: Context,
  { archive, entries, shown }: Filling,
  placeOf: (each: JudgedEntry) => string,
): Promise<void> => {
  const byIndex = new Map(entries.filter(({ kind }) => kind === 'file').map((each) => [each.index, each]));
  const alike = lookalikes(entries);
  await archive.read([...byIndex.keys()], async (index, content) => {
    const each = byIndex.get(index);
    if (each === undefined) return;
    await clear(each, async () => {
      await using writer = await files.create(placeOf(each), {
        signal,
        durable: false,
        exclusive: alike.has(index),
        ...fileModeFrom(each.entry),
        ...timeFrom(each.entry),
      });
      for await (const chunk of content) {
        await writer.write(chunk);
        shown.advance(chunk.byteLength);
      }
      await writer.commit();
    });
  });
};

/** In a directory of our own only another entry can be in the way. */
const clear = async ({ entry: { name } }: JudgedEntry, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof PathExistsException)) throw fault;
    throw new ArchiveException(
      `The archive entry ${shownName(name)} has the same name as another one on this file system; extract to one that tells such names apart.`,
      {
        context: { entry: shortName(name), reason: 'same_name' },
        cause: fault,
      },
    );
  }
};

/** Entries whose places differ only in case or composition, which some file systems take for one. */
const lookalikes = (entries: readonly JudgedEntry[]): ReadonlySet<number> => {
  const first = new Map<string, number>();
  const alike = new Set<number>();
  for (const { segments, index } of entries) {
    const folded = segments.join('/').normalize('NFC').toLowerCase();
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, index);
    else alike.add(index).add(earlier);
  }
  return alike;
};
