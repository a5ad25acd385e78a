import { lstatSync } from 'node:fs';
import type { EntryKind } from '../../core/files.ts';
import { systemFault } from './system-fault.ts';
import type { Visitor } from './walk.ts';
import type { OpenedDirectory } from './walk-directory.ts';

/** What a walk does in a directory, in the order of paths. */
export interface Steps {
  /** A name to be told, or with `/` at its end a directory to be walked. */
  readonly steps: readonly string[];
  /** The kinds of told names that are no files. */
  readonly kinds?: ReadonlyMap<string, EntryKind>;
}

/** What Node puts in the place of bytes that are no UTF-8. */
const NO_TEXT = '\uFFFD';

/** Reads a directory. What is below a directory comes where its name with `/` sorts, so that paths are in the order of texts. */
export const listSteps = (directory: OpenedDirectory, visitor: Visitor): Steps => {
  const steps: string[] = [];
  let kinds: Map<string, EntryKind> | undefined;
  directory.list((name, kind) => {
    const isWanted = visitor.wants(name, kind, directory);
    const isEntered = kind === 'dir' && visitor.enters(name, directory);
    if (!isWanted && !isEntered) return;
    if (name.includes(NO_TEXT) && isMisread(directory, name))
      return visitor.unreadable(directory.relative + name, systemFault('EILSEQ', 'scandir', name));
    if (isEntered) steps.push(`${name}/`);
    if (!isWanted) return;
    steps.push(name);
    if (kind === 'file') return;
    kinds ??= new Map();
    kinds.set(name, kind);
  });
  return { steps: steps.sort(), ...(kinds && { kinds }) };
};

/** The name really holds the character, or it is not UTF-8 and as text would name something else. */
const isMisread = (directory: OpenedDirectory, name: string): boolean =>
  lstatSync(directory.address(name), { throwIfNoEntry: false }) === undefined;
