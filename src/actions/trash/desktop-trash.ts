import { userInfo } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { Context } from '../../core/context.ts';
import { FileAutomationException, PathExistsException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { isName, type Trash, type Trashed } from './record.ts';

/** A trash directory of the desktop specification: `files/` with the things, `info/` with a description of each. */
interface TrashDir {
  readonly path: string;
  /** Paths in descriptions count from here; undefined for absolute ones. */
  readonly base: string | undefined;
}

/** The user's own trash, in the layout that file managers share, so that any of them can restore from it. */
export const desktopTrash: Trash = {
  async send(ctx, path, isDir) {
    const { files, clock } = ctx;
    const original = files.absolute(path);
    const trash = await trashFor(ctx, original);
    const at = new Date(clock.now());
    // Each by itself: one that somebody else put there is refused, and with it all that would follow.
    for (const folder of ['', 'files', 'info']) await files.makeDir(join(trash.path, folder), { parents: true, isPrivate: true });
    const name = await claimName(ctx, trash, original, at);
    const target = join(trash.path, 'files', name);
    try {
      await moveEntry(ctx, { from: original, to: target }, { exclusive: true, isDeletion: true });
    } catch (fault) {
      await files.remove(infoPath(trash, name), { isNew: true });
      throw fault;
    }
    return { trash_id: idOf(trash, name), original, trashed_at: at.toISOString(), path: target, is_dir: isDir };
  },

  async list(ctx) {
    const found: Trashed[] = [];
    for (const trash of await knownTrashes(ctx)) found.push(...(await entriesOf(ctx.files, trash)));
    return found.sort((a, b) => a.trashed_at.localeCompare(b.trashed_at) || a.trash_id.localeCompare(b.trash_id));
  },

  async find(ctx, id) {
    for (const trash of await knownTrashes(ctx)) {
      const name = trash.base === undefined ? id : basename(id);
      const found = idOf(trash, name) === id && isName(name) ? await entryOf(ctx.files, trash, name) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  },

  forget: ({ files }, { path }) => files.remove(join(dirname(dirname(path)), 'info', `${basename(path)}.trashinfo`), { isOwn: true }),
};

const homeTrash = (): TrashDir => ({
  path: join(process.env.XDG_DATA_HOME || join(homeDirectory(), '.local', 'share'), 'Trash'),
  base: undefined,
});

/** Entries of the home trash go by name, those on other devices by path. */
const idOf = ({ path, base }: TrashDir, name: string): string => (base === undefined ? name : join(path, 'files', name));

const infoPath = ({ path }: TrashDir, name: string): string => join(path, 'info', `${name}.trashinfo`);

/** The home trash for what lies on its device, else a trash at the top of the other device, so that nothing is copied. */
const trashFor = async ({ files }: Context, original: string): Promise<TrashDir> => {
  const home = homeTrash();
  const device = await deviceOf(files, dirname(original));
  if (device === (await deviceOf(files, home.path))) return home;
  const top = await topOf(files, dirname(original), device);
  const other = { path: join(top, `.Trash-${userInfo().uid}`), base: top };
  try {
    await files.makeDir(other.path, { isPrivate: true });
    return other;
  } catch (fault) {
    if (fault instanceof FileAutomationException) return home; // not ours to write: the home trash takes a copy
    throw fault;
  }
};

/** The device of a path or of its nearest parent that exists. */
const deviceOf = async (files: FilePort, path: string): Promise<string> => {
  const entry = await files.stat(path);
  return entry === undefined ? deviceOf(files, dirname(path)) : (entry.identity.split(':')[0] ?? '');
};

/** The highest directory on the same device. */
const topOf = async (files: FilePort, path: string, device: string): Promise<string> => {
  const above = dirname(path);
  return above === path || (await deviceOf(files, above)) !== device ? path : topOf(files, above, device);
};

/** The trashes this user can be shown: the home one, and that of the device of the working directory. */
const knownTrashes = async ({ files, cwd }: Context): Promise<TrashDir[]> => {
  const home = homeTrash();
  const top = await topOf(files, cwd, await deviceOf(files, cwd));
  const other = { path: join(top, `.Trash-${userInfo().uid}`), base: top };
  const all = other.path === home.path ? [home] : [home, other];
  const there = await Promise.all(all.map(async (trash) => (await files.stat(join(trash.path, 'info')))?.kind === 'dir'));
  return all.filter((_, at) => there[at]);
};

/** Takes a free name by creating its description, which decides between two who want the same. */
const claimName = async ({ files, signal }: Context, trash: TrashDir, original: string, at: Date): Promise<string> => {
  const ending = extname(original);
  const stem = basename(original, ending);
  const shown = trash.base === undefined ? original : relative(trash.base, original);
  const info = `[Trash Info]\nPath=${encodePath(shown)}\nDeletionDate=${localTime(at)}\n`;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? basename(original) : `${stem}.${count}${ending}`;
    if ((await files.stat(join(trash.path, 'files', name), { followLinks: false })) !== undefined) continue;
    try {
      await files.write(infoPath(trash, name), Buffer.from(info), { signal, exclusive: true, needsDirectory: true });
      return name;
    } catch (fault) {
      if (!(fault instanceof PathExistsException)) throw fault;
    }
  }
};

const entriesOf = async (files: FilePort, trash: TrashDir): Promise<Trashed[]> => {
  const found: Trashed[] = [];
  for (const { name: info } of await files.list(join(trash.path, 'info'))) {
    const name = info.replace(/\.trashinfo$/, '');
    const entry = name === info ? undefined : await entryOf(files, trash, name);
    if (entry !== undefined) found.push(entry);
  }
  return found;
};

const entryOf = async (files: FilePort, trash: TrashDir, name: string): Promise<Trashed | undefined> => {
  const entry = await files.stat(join(trash.path, 'files', name), { followLinks: false });
  const info = infoPath(trash, name);
  if (entry === undefined || (await files.stat(info)) === undefined) return undefined;
  const described = readInfo((await files.read(info)).toString());
  if (described === undefined) return undefined;
  const { original, at } = described;
  return {
    trash_id: idOf(trash, name),
    original: trash.base === undefined ? original : join(trash.base, original),
    trashed_at: at.toISOString(),
    path: entry.path,
    is_dir: entry.kind === 'dir',
  };
};

/** What a description says; one that no program should have written hides its entry, it does not break the list. */
const readInfo = (text: string): { readonly original: string; readonly at: Date } | undefined => {
  const written = /^Path=(.*)$/m.exec(text)?.[1];
  const at = new Date(/^DeletionDate=(.*)$/m.exec(text)?.[1] ?? '');
  if (written === undefined || Number.isNaN(at.getTime())) return undefined;
  try {
    return { original: decodePath(written), at };
  } catch {
    return undefined;
  }
};

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
const decodePath = (path: string): string => path.split('/').map(decodeURIComponent).join('/');

/** Local time without a zone, as the desktop specification wants it. */
const localTime = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
