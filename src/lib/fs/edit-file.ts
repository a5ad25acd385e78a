import type { Context } from '../../core/context.ts';
import type { Edited, EditTarget, FilePort, Reader } from '../../core/files.ts';

/** How a file is changed: by what it holds, into what takes its place. */
export type ChangeFile<T> = (source: Reader, target: EditTarget) => Promise<Edited<T>>;

type Editor = Pick<Context, 'files' | 'signal' | 'note'>;

/** Edits a file for a command, whose entry tells what of the file, beside its content, could not be kept. */
export const editFile = <T>({ files, signal, note }: Editor, path: string, change: ChangeFile<T>): Promise<T> =>
  files.edit(path, change, {
    signal,
    onLost: (reason) => note({ kind: 'attributes_lost', message: lostSentence(files.absolute(path), reason), path: files.absolute(path) }),
  });

/**
 * Reads one file and writes another, which may be the same one under whatever name: then it is an edit. `change` may be called several
 * times. What it writes appears as a whole or, where nothing is changed, not at all.
 */
export const transformFile = async <T>(editor: Editor, { from, to }: FromTo, change: ChangeFile<T>): Promise<T> => {
  const { files, signal } = editor;
  if (await isSameFile(files, from, to)) return editFile(editor, to, change);
  await using source = await files.open(from);
  await using target = await files.create(to, { signal });
  const { value, isChanged } = await change(source, target);
  if (isChanged) await target.commit();
  return value;
};

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** So often a file may be replaced while it is looked at. */
const MOST_LOOKS = 20;

/**
 * Whether two paths lead to the same file. Two looks are two moments: where another process replaces the file in between, it would not be
 * known again, and what is an edit would be done without waiting for the edits of others.
 */
export const isSameFile = async (files: Pick<FilePort, 'absolute' | 'stat'>, one: string, other: string): Promise<boolean> => {
  if (files.absolute(one) === files.absolute(other)) return (await files.stat(other)) !== undefined;
  for (let looks = 1; ; looks += 1) {
    const before = await files.stat(other);
    if (before === undefined) return false;
    if ((await files.stat(one))?.identity === before.identity) return true;
    const after = await files.stat(other);
    // The number of a file that is gone may be given to the next one; its time tells them apart.
    const isStill = after?.identity === before.identity && after.mtimeMs === before.mtimeMs;
    if (isStill || looks === MOST_LOOKS) return false;
  }
};

const lostSentence = (path: string, reason: string): string =>
  `Extended attributes and access lists of ${path}, if it had any, were not all kept: ${reason}.`;

/** All that a file holds; for files whose size was judged before. */
export const readWhole = async (source: Reader): Promise<Buffer> => {
  const into = Buffer.alloc(source.entry.size);
  return into.subarray(0, await source.readAt(into, 0));
};
