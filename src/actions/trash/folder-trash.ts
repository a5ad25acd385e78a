import { basename, join } from 'node:path';
import type { Context } from '../../core/context.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { readJson } from '../../lib/json/read.ts';
import { isName, type Trash, type Trashed } from './record.ts';

const META = '.trashmeta.json';

/** A trash in a folder of the caller's: `<ms>_<8 hex>__<name>` beside `<same id>.trashmeta.json`. */
export const folderTrash = (folder: string): Trash => ({
  async send(ctx, path, isDir) {
    const { files, signal, clock, newId } = ctx;
    const original = files.absolute(path);
    const at = clock.now();
    const id = `${at}_${newId().slice(0, 8)}`;
    const target = join(files.absolute(folder), `${id}__${basename(original)}`);
    await files.makeDir(folder, { parents: true, isPrivate: true });
    // The description first: killed in between, it describes nothing and is passed over.
    const meta = metaPath(folder, files.absolute, id);
    await files.write(meta, Buffer.from(JSON.stringify({ trash_id: id, original, trashed_at: at / 1000, is_dir: isDir })), { signal });
    try {
      await moveEntry(ctx, { from: original, to: target }, { exclusive: true, isDeletion: true });
    } catch (fault) {
      await files.remove(meta, { isNew: true });
      throw fault;
    }
    return { trash_id: id, original, trashed_at: new Date(at).toISOString(), path: target, is_dir: isDir };
  },

  async list({ files }) {
    if ((await files.stat(folder))?.kind !== 'dir') return [];
    const names = (await files.list(folder)).map(({ name }) => name);
    const things = thingsById(names);
    const found: Trashed[] = [];
    for (const meta of names.filter((name) => name.endsWith(META))) {
      const id = meta.slice(0, -META.length);
      const name = things.get(id);
      const described = name === undefined ? undefined : describe(await files.read(join(files.absolute(folder), meta)));
      if (name !== undefined && described !== undefined)
        found.push({ trash_id: id, ...described, path: join(files.absolute(folder), name) });
    }
    return found.sort((a, b) => a.trashed_at.localeCompare(b.trashed_at) || a.trash_id.localeCompare(b.trash_id));
  },

  async find(ctx, id) {
    const { files } = ctx;
    const meta = metaPath(folder, files.absolute, id);
    if (!isName(id) || (await files.stat(meta))?.kind !== 'file') return undefined;
    const described = describe(await files.read(meta));
    if (described === undefined) return undefined;
    const path = join(files.absolute(folder), `${id}__${basename(described.original)}`);
    if ((await files.stat(path, { followLinks: false })) !== undefined) return { trash_id: id, ...described, path };
    return (await this.list(ctx)).find((each) => each.trash_id === id); // described by somebody who gives other names
  },

  forget: ({ files }, { trash_id }) => files.remove(metaPath(folder, files.absolute, trash_id), { isOwn: true }),
});

const metaPath = (folder: string, absolute: Context['files']['absolute'], id: string): string => join(absolute(folder), `${id}${META}`);

/** The first thing of each id; where a name has several pairs of underscores, any of them may end its id. */
const thingsById = (names: readonly string[]): ReadonlyMap<string, string> => {
  const things = new Map<string, string>();
  for (const name of names)
    for (let at = name.indexOf('__'); at >= 0; at = name.indexOf('__', at + 1)) {
      const id = name.slice(0, at);
      if (!things.has(id)) things.set(id, name);
    }
  return things;
};

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
