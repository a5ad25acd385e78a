import { lstatSync } from 'node:fs';
import type { EntryKind, Grant } from '../../core/files.ts';
import type { Visitor } from '../fs/walk.ts';
import { walkShared } from '../fs/walk-shared.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../search/left-out.ts';
import { alone } from './alone.ts';

/** An entry of a tree. */
export interface Described {
  readonly name: string;
  /** From the root, with `/`. */
  readonly relative: string;
  readonly kind: EntryKind;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface DescribeOptions {
  readonly grant: Grant;
  /** What is in directories inside too. */
  readonly isRecursive: boolean;
  readonly signal: AbortSignal;
}

/** Describes what is in a directory, in the order of paths; links are described, never entered. */
export const describeTree = async ({
  grant,
  isRecursive,
  signal,
}: DescribeOptions): Promise<{ readonly entries: Described[]; readonly unreadable: LeftOut }> => {
  const entries: Described[] = [];
  const unreadable = nothingLeftOut();
  const visitor: Visitor = {
    wants: () => true,
    enters: () => isRecursive,
    entry(name, kind, directory) {
      const stats = lstatSync(directory.address(name), { throwIfNoEntry: false });
      // One that vanished meanwhile is not there.
      if (stats !== undefined) entries.push({ name, relative: directory.relative + name, kind, size: stats.size, mtimeMs: stats.mtimeMs });
      return undefined;
    },
    unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
  };
  const result = { entries, unreadable };
  for await (const _ of walkShared({ grant, signal, start: () => ({ visitor, end: () => result }), ...alone }));
  return result;
};
