import type { Dirent } from 'node:fs';
import type { EntryKind } from '../../core/files.ts';
import { withoutOwn } from './own-names.ts';
import { NO_TEXT, readBytes, shownBytes } from './raw-names.ts';
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

/** Picks from the entries of a directory. What is below one comes where its name with `/` sorts, so that paths are in the order of texts. */
export const pickSteps = (directory: WalkedDirectory, found: readonly Dirent[], visitor: Visitor): Steps => {
  const entries = visitor.seesOwn === true ? found : withoutOwn(found);
  if (visitor.begin?.(directory, entries) === false) return { steps: [] };
  const steps: string[] = [];
  let kinds: Map<string, EntryKind> | undefined;
  let doubtful: Map<string, Wish> | undefined;
  for (const entry of entries) {
    const { name } = entry;
    const kind = kindOf(entry, directory);
    if (kind === undefined) continue;
    const isWanted = visitor.wants(name, kind, directory);
    const isEntered = kind === 'dir' && visitor.enters(name, directory);
    if (!isWanted && !isEntered) continue;
    if (name.includes(NO_TEXT)) {
      doubtful ??= new Map();
      doubtful.set(name, { isWanted, isEntered });
      continue;
    }
    if (isEntered) steps.push(`${name}/`);
    if (!isWanted) continue;
    steps.push(name);
    if (kind === 'file') continue;
    kinds ??= new Map();
    kinds.set(name, kind);
  }
  if (doubtful !== undefined) kinds = pickDoubtful(directory, doubtful, visitor, { steps, kinds });
  return { steps: steps.sort(), ...(kinds && { kinds }) };
};

/** What a visitor says of a name. */
interface Wish {
  readonly isWanted: boolean;
  readonly isEntered: boolean;
}

/** Adds the names that are texts after all; those that are none are told. Two may look alike, and only one of them is a text. */
const pickDoubtful = (
  directory: WalkedDirectory,
  doubtful: ReadonlyMap<string, Wish>,
  visitor: Visitor,
  { steps, kinds = new Map() }: { readonly steps: string[]; readonly kinds: Map<string, EntryKind> | undefined },
): Map<string, EntryKind> => {
  const { texts, raw } = readBytes(directory.address());
  for (const [name, { isWanted, isEntered }] of doubtful) {
    const kind = texts.has(name) ? kindAt(directory.address(name)) : undefined;
    if (kind === undefined) continue;
    if (kind === 'dir' && isEntered) steps.push(`${name}/`);
    if (!isWanted) continue;
    steps.push(name);
    if (kind !== 'file') kinds.set(name, kind);
  }
  for (const name of raw) {
    if (!doubtful.has(name.bytes.toString())) continue;
    if (visitor.raw !== undefined) visitor.raw(name, directory);
    else visitor.unreadable(directory.relative + shownBytes(name.bytes), systemFault('EILSEQ', 'scandir', shownBytes(name.bytes)));
  }
  return kinds;
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
