import { lstatSync } from 'node:fs';
import { openDirectory } from '../../../lib/fs/handles.ts';
import { ownerOfPart } from '../../../lib/fs/part-name.ts';
import { resolvePath } from '../../../lib/fs/resolve.ts';
import type { Visitor } from '../../../lib/fs/walk.ts';
import { walkShared } from '../../../lib/fs/walk-shared.ts';
import { alone } from '../../../lib/tree/alone.ts';
import { grantOn } from '../tree/in-threads.ts';
import { isLeftOver } from './is-left-over.ts';
import { removeLeftOver } from './sweep-directory.ts';

export interface SweepTreeOptions {
  readonly signal: AbortSignal;
  readonly now?: number;
}

/** Removes the leftovers in a directory and everywhere below it; answers how many. Links are never entered. */
export const sweepTree = async (path: string, { signal, now = Date.now() }: SweepTreeOptions): Promise<number> => {
  const found: string[] = [];
  using root = openDirectory(resolvePath(path), []);
  const visitor: Visitor = {
    seesOwn: true,
    wants: (name) => ownerOfPart(name) !== undefined,
    enters: (name) => ownerOfPart(name) === undefined,
    entry(name, _kind, directory) {
      const stats = lstatSync(directory.address(name), { throwIfNoEntry: false });
      if (stats !== undefined && isLeftOver(name, stats, now)) found.push(directory.relative + name);
      return undefined;
    },
    unreadable() {}, // what nobody may look into, nobody has left anything in
  };
  const grant = grantOn(root, 'remove', { isGuarded: true });
  for await (const _ of walkShared({ grant, signal, start: () => ({ visitor, end: () => found }), ...alone }));
  for (const relative of found) {
    const names = relative.split('/');
    using directory = openDirectory(root.realPath, names.slice(0, -1));
    await removeLeftOver(directory, names.at(-1) ?? '');
  }
  return found.length;
};
