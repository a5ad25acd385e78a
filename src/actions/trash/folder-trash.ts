import { basename, join } from 'node:path';
import type { Context } from '../../core/context.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { readJson } from '../../lib/json/read.ts';
import type { Trash, Trashed } from './record.ts';

const META = '.trashmeta.json';

/** A trash in a folder of the caller's: `<ms>_<8 hex>__<name>` beside `<same id>.trashmeta.json`. */
export const folderTrash = (folder: string): Trash => ({
  async send(ctx, path, isDir) {
    const { files, signal, clock, newId } = ctx;
    const original = files.absolute(path);
    const at = clock.now();
    const id = `${at}_${newId().slice(0, 8)}`;
    const target = join(files.absolute(folder), `${id}__${basename(original)}`);
    await files.makeDir(folder, { parents: true });
    // The description first: killed in between, it describes nothing and is passed over.
    const meta = metaPath(folder, files.absolute, id);
    await files.write(meta, Buffer.from(JSON.stringify({ trash_id: id, original, trashed_at: at / 1000, is_dir: isDir })), { signal });
    try {
      await moveEntry(ctx, { from: original, to: target }, { exclusive: true, isDeletion: true });
    } catch (fault) {
      await files.remove(meta, { isOwn: true });
      throw fault;
    }
    return { trash_id: id, original, trashed_at: new Date(at).toISOString(), path: target, is_dir: isDir };
  },

  async list({ files }) {
    if ((await files.stat(folder))?.kind !== 'dir') return [];
    const names = (await files.list(folder)).map(({ name }) => name);
    const found: Trashed[] = [];
    for (const meta of names.filter((name) => name.endsWith(META))) {
      const id = meta.slice(0, -META.length);
      const name = names.find((each) => each.startsWith(`${id}__`));
      const described = name === undefined ? undefined : describe(await files.read(join(files.absolute(folder), meta)));
      if (name !== undefined && described !== undefined)
        found.push({ trash_id: id, ...described, path: join(files.absolute(folder), name) });
    }
    return found.sort((a, b) => a.trashed_at.localeCompare(b.trashed_at) || a.trash_id.localeCompare(b.trash_id));
  },

  forget: ({ files }, { trash_id }) => files.remove(metaPath(folder, files.absolute, trash_id), { isOwn: true }),
});

const metaPath = (folder: string, absolute: Context['files']['absolute'], id: string): string => join(absolute(folder), `${id}${META}`);

/** What a description says; undefined for one that is not ours. */
const describe = (bytes: Buffer): Omit<Trashed, 'trash_id' | 'path'> | undefined => {
  const meta = readOr(bytes);
  if (typeof meta !== 'object' || meta === null) return undefined;
  // Any object may have these keys; what they hold is checked below.
  const { original, trashed_at, is_dir } = meta as {
    readonly original?: unknown;
    readonly trashed_at?: unknown;
    readonly is_dir?: unknown;
  };
  if (typeof original !== 'string' || typeof trashed_at !== 'number' || typeof is_dir !== 'boolean') return undefined;
  const at = new Date(trashed_at * 1000);
  return Number.isNaN(at.getTime()) ? undefined : { original, trashed_at: at.toISOString(), is_dir };
};

const readOr = (bytes: Buffer): unknown => {
  try {
    return readJson(bytes);
  } catch {
    return undefined; // a damaged description hides its entry, it does not break the list
  }
};
