import { lstatSync, unlinkSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { openDirectory } from '../../../lib/fs/handles.ts';
import { isKeptPart, ownerOfPart } from '../../../lib/fs/part-name.ts';
import { resolvePath } from '../../../lib/fs/resolve.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { spotIn } from '../../place.ts';
import { discardTree } from '../tree/discard-tree.ts';
import { isLeftOver } from './is-left-over.ts';

const MAX_ENTRIES = 200_000;

/** Removes the leftovers directly in a directory; answers how many. */
export const sweepDirectory = async (path: string, { now = Date.now() } = {}): Promise<number> => {
  using directory = openDirectory(resolvePath(path), []);
  let entries = 0;
  let removed = 0;
  for await (const { name } of await opendir(directory.address(), { bufferSize: 256 })) {
    entries += 1;
    if (entries > MAX_ENTRIES) break;
    if (ownerOfPart(name) === undefined && !isKeptPart(name)) continue;
    const stats = lstatSync(directory.address(name), { throwIfNoEntry: false });
    if (stats === undefined || !isLeftOver(name, stats, now)) continue;
    await removeLeftOver(directory, name);
    removed += 1;
  }
  return removed;
};

/** Removes a temporary file or tree that nobody needs; gone already is fine. */
export const removeLeftOver = async (directory: DirectoryHandle, name: string): Promise<void> => {
  const spot = spotIn(directory, name, { isGuarded: false });
  const stats = lstatSync(spot.at, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return discardTree(spot, pause);
  try {
    unlinkSync(spot.at);
  } catch (fault) {
    if (codeOf(fault) !== 'ENOENT') throw fault;
  }
};

const pause = () => new Promise<void>((go) => void setImmediate(go));
