import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Caller, OWNER } from '../../../src/access/caller.ts';
import { createPolicy } from '../../../src/access/policy.ts';
import { createInstance } from '../../../src/app/create.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { snapshot } from '../sync/snapshot.ts';

const dir = tempDir();
const factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
afterAll(async () => {
  await factotum.close();
  dir[Symbol.dispose]();
});

/** What can stand at `n/x`: links that lead nowhere, to themselves, in a circle, up or out; and what links are mistaken for. */
const STANDS: Readonly<Record<string, (at: string) => void>> = {
  nothing: () => {},
  'a file': (at) => writeFileSync(at, 'x'),
  'an empty directory': (at) => mkdirSync(at),
  'a directory': (at) => {
    mkdirSync(join(at, 'x/x'), { recursive: true });
    writeFileSync(join(at, 'x/x/x'), 'x');
    writeFileSync(join(at, 'y'), 'y');
  },
  'a link to itself': (at) => symlinkSync('x', at),
  'a link in a circle': (at) => {
    symlinkSync('y', at);
    symlinkSync('x', join(dirname(at), 'y'));
  },
  'a dangling link': (at) => symlinkSync('nowhere', at),
  'a link to its directory': (at) => symlinkSync('.', at),
  'a link up': (at) => symlinkSync('..', at),
  'a link to a file': (at) => symlinkSync('../other', at),
  'a link to a directory': (at) => symlinkSync('../tree', at),
  'a link out': (at) => symlinkSync('/etc', at),
};
const ALL = Object.keys(STANDS);
const EXTRA_FILES: Readonly<Record<string, readonly string[]>> = { 'a file': ['n/x'], 'a directory': ['n/x/x/x/x', 'n/x/y'] };

const grow = (name: string, what: string): void => {
  rmSync(dir.at(name), { recursive: true, force: true });
  dir.write(`${name}/other`, 'other');
  dir.write(`${name}/n/beside`, 'beside');
  dir.write(`${name}/tree/leaf`, 'leaf');
  STANDS[what]?.(dir.at(`${name}/n/x`));
};

/** The owner is walked by paths, others by handles. */
const CALLERS = {
  'the owner': OWNER,
  'a caller with a policy': { ...OWNER, name: 'guest', policy: createPolicy({ readWrite: [dir.path] }) },
};

const askerFor = (caller: Caller) => ({
  async ask(name: string, args: object): Promise<unknown> {
    const { results } = await factotum.run([[name, args]], { caller });
    expect(results[0]?.error, name).toBeUndefined();
    return results[0]?.value;
  },
  async foresee(name: string, args: object): Promise<void> {
    const { results } = await factotum.run({ actions: [[name, args]], dry_run: true }, { caller });
    expect(results[0]?.error, name).toBeUndefined();
  },
});

const treeAt = (name: string) => snapshot(dir.at(name), { hasLooks: false });

describe.each(Object.entries(CALLERS))('for %s', (_who, caller) => {
  const { ask, foresee } = askerFor(caller);
  // A link that leads out may be looked at by everybody, but not be made, or met on the way, by a caller who may not go there.
  const some = caller === OWNER ? ALL : ALL.filter((what) => what === 'a directory' || /itself|circle|dangling|up/.test(what));

  describe.each(some)('where the source has %s at a name', (source) => {
    test('differences with every target are found and carried over', async () => {
      for (const target of some) {
        grow('left', target);
        grow('right', source);
        const diff = await ask('FA_diff_dirs', { left: 'left', right: 'right' });
        await foresee('FA_apply_dir_diff', { diff, target: 'left', source: 'right' });
        await ask('FA_apply_dir_diff', { diff, target: 'left', source: 'right' });
        expect(await ask('FA_diff_dirs', { left: 'left', right: 'right' }), target).toEqual({ added: [], removed: [], changed: [] });
      }
    });

    test('every target is made like it', async () => {
      for (const target of some) {
        grow('left', source);
        grow('right', target);
        const args = { src: 'left', dst: 'right', delete: true, max_delete_share: 1 };
        await foresee('FA_sync_dir', args);
        expect(await ask('FA_sync_dir', args), target).toMatchObject({ errors: [] });
        expect(treeAt('right'), target).toEqual(treeAt('left'));
      }
    });

    test('it is merged into every target as cp does', async () => {
      for (const target of some) {
        grow('left', source);
        for (const name of ['right', 'peer']) grow(name, target);
        const before = treeAt('right');
        const peer = spawnSync('cp', ['-a', '--remove-destination', `${dir.at('left')}/.`, dir.at('peer')]);
        const { ok } = await factotum.run([['FA_copy_dir', ['left', 'right']]], { caller });
        expect(ok, target).toBe(peer.status === 0);
        expect(treeAt('right'), target).toEqual(ok ? treeAt('peer') : before);
      }
    });

    test('it is copied, moved, packed, thrown away and removed', async () => {
      grow('left', source);
      const tree = treeAt('left');
      await ask('FA_copy_dir', { dir_path: 'left', target_dir_path: 'copy' });
      expect(treeAt('copy')).toEqual(tree);
      await ask('FA_rename_dir', { origin_dir_path: 'copy', target_dir: 'moved' });
      expect(treeAt('moved')).toEqual(tree);
      await ask('FA_create_tar', { source: 'moved', target: 'moved.tgz' });
      await ask('FA_zip_dir', { dir_we_want_to_zip: 'moved', zip_name: 'moved.zip' });
      await ask('FA_send_to_trash', { path: 'moved', trash_dir: 'trash' });
      await ask('FA_remove_dir_tree', { dir_path: 'left' });
      for (const gone of ['moved', 'left']) expect(existsSync(dir.at(gone)), gone).toBe(false);
    });
  });

  test.each(some.filter((what) => what.includes('link')))('%s is moved and removed, whatever it leads to', async (what) => {
    for (const name of ['left', 'right']) grow(name, what);
    await ask('FA_remove_file', { file_path: 'left/n/x' });
    await ask('FA_send_to_trash', { path: 'right/n/x', trash_dir: 'trash' });
    for (const name of ['left', 'right']) expect(treeAt(name).join()).not.toContain('n/x');
  });

  test.each(ALL)('a tree with %s is listed and searched', async (what) => {
    grow('left', what);
    const files = ['n/beside', 'other', 'tree/leaf', ...(EXTRA_FILES[what] ?? [])].sort();
    await ask('FA_write_manifest', { root: 'left', manifest_path: 'm.json' });
    expect(await ask('FA_verify_manifest', { root: 'left', manifest_path: 'm.json' })).toMatchObject({ matched: files, ok: true });
    expect(await ask('FA_fast_find', { root: 'left', use_index: false })).toEqual(files.map((file) => dir.at(`left/${file}`)));
    const found = await ask('FA_grep', { root: 'left', pattern: 'beside' });
    expect(found).toMatchObject([{ path: dir.at('left/n/beside') }]);
    expect(await ask('FA_list_dir', { dir_path: 'left', recursive: true })).toHaveLength(treeAt('left').length - 1);
    await ask('FA_get_dir_files_as_list', { dir_path: 'left', default_search_file_extension: '' });
    await ask('FA_find_duplicates', { root: 'left' });
    await ask('FA_copy_specify_extension_file', { file_dir_path: 'left', target_extension: 'x', target_path: 'out' });
    await ask('FA_rename_file', { origin_file_path: 'left', target_name: 'n' });
  });
});
