import type { Dirent } from 'node:fs';
import type { EntryKind } from '../../core/files.ts';
import { withoutOwn } from './own-names.ts';
import { systemFault } from './system-fault.ts';
import type { Visitor } from './walk.ts';
import { kindAt, kindOf, type WalkedDirectory } from './walk-directory.ts';

/** What a walk does in a directory, in the order of paths. */
export interface Steps {
  /** A name to be told, or with `/` at its end a directory to be walked. */
  readonly steps: readonly string[];
  /** The kinds of told names that are no files. */
  readonly kinds?: ReadonlyMap<string, EntryKind>;
}

/** What Node puts in the place of bytes that are no UTF-8; a name with it may name something else, or nothing. */
const NO_TEXT = '\uFFFD';

/** Picks from the entries of a directory. What is below one comes where its name with `/` sorts, so that paths are in the order of texts. */
export const pickSteps = (directory: WalkedDirectory, found: readonly Dirent[], visitor: Visitor): Steps => {
  const entries = visitor.seesOwn === true ? found : withoutOwn(found);
  if (visitor.begin?.(directory, entries) === false) return { steps: [] };
  const steps: string[] = [];
  let kinds: Map<string, EntryKind> | undefined;
  for (const entry of entries) {
    const { name } = entry;
    const kind = kindOf(entry, directory);
    if (kind === undefined) continue;
    const isWanted = visitor.wants(name, kind, directory);
    const isEntered = kind === 'dir' && visitor.enters(name, directory);
    if (!isWanted && !isEntered) continue;
    if (name.includes(NO_TEXT) && kindAt(directory.address(name)) === undefined) {
      visitor.unreadable(directory.relative + name, systemFault('EILSEQ', 'scandir', name));
      continue;
    }
    if (isEntered) steps.push(`${name}/`);
    if (!isWanted) continue;
    steps.push(name);
    if (kind === 'file') continue;
    kinds ??= new Map();
    kinds.set(name, kind);
  }
  return { steps: steps.sort(), ...(kinds && { kinds }) };
};

/** Does what may fail for a directory; one that cannot be read is told, and the walk goes on without it. */
export const attempt = <T>(visitor: Visitor, relative: string, work: () => T): T | undefined => {
  try {
    return work();
  } catch (fault) {
    visitor.unreadable(relative.slice(0, -1), fault);
    return undefined;
  }
};
