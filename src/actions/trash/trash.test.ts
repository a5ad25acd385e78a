import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openOwner } from '../../../test/e2e/files/ports.ts';
import { createInstance } from '../../app/create.ts';
import type { Instance } from '../../app/instance/instance.ts';
import type { Context } from '../../core/context.ts';
import { desktopTrash } from './desktop-trash.ts';
import { folderTrash } from './folder-trash.ts';

let cwd: string;
let factotum: Instance;
const before = process.env.XDG_DATA_HOME;

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-trash-')));
  process.env.XDG_DATA_HOME = join(cwd, 'data');
  factotum = createInstance({ cwd, log: { level: 'silent' } });
});
afterEach(async () => {
  await factotum.close();
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
  rmSync(cwd, { recursive: true, force: true });
});

const value = async (command: unknown): Promise<unknown> => {
  const [outcome] = (await factotum.run([command])).results;
  expect(outcome?.error).toBeUndefined();
  return outcome?.value;
};
const errorOf = async (command: unknown) => (await factotum.run([command])).results[0]?.error;
const file = (name: string, content = name) => {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), content);
};
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

describe('the trash of the desktop', () => {
  test('takes a file with a description that others can read', async () => {
    file('a b é.txt');
    const sent = await value(['FA_send_to_trash', { path: 'a b é.txt' }]);
    expect(sent).toMatchObject({ trash_id: 'a b é.txt', original: join(cwd, 'a b é.txt'), is_dir: false });
    expect(read('data/Trash/info/a b é.txt.trashinfo')).toMatch(
      /^\[Trash Info\]\nPath=\/.*a%20b%20%C3%A9\.txt\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/,
    );
    expect(read('data/Trash/files/a b é.txt')).toBe('a b é.txt');
  });

  test('keeps both of two files with one name', async () => {
    file('x/a.txt', 'one');
    file('y/a.txt', 'two');
    await value(['FA_send_to_trash', ['x/a.txt']]);
    await value(['FA_send_to_trash', ['y/a.txt']]);
    const listed = await value(['FA_list_trash']);
    // The layout keeps whole seconds, so the order of the two is not told.
    expect((listed as { trash_id: string }[]).map(({ trash_id }) => trash_id).sort()).toEqual(['a.2.txt', 'a.txt']);
    await value(['FA_restore_from_trash', { trash_id: 'a.2.txt' }]);
    expect(read('y/a.txt')).toBe('two');
    expect(await value(['FA_list_trash'])).toHaveLength(1);
  });

  test('restores a directory with its content and refuses to overwrite', async () => {
    file('d/deep/a.txt', 'x');
    await value(['FA_send_to_trash', ['d']]);
    expect(existsSync(join(cwd, 'd'))).toBe(false);
    file('d', 'in the way');
    expect(await errorOf(['FA_restore_from_trash', ['d']])).toMatchObject({ type: 'VersioningException' });
    rmSync(join(cwd, 'd'));
    await value(['FA_restore_from_trash', ['d']]);
    expect(read('d/deep/a.txt')).toBe('x');
  });

  test('empties entry by entry and counts entries, not descriptions', async () => {
    file('a.txt');
    file('d/b.txt');
    await value(['FA_send_to_trash', ['a.txt']]);
    await value(['FA_send_to_trash', ['d']]);
    expect(await value(['FA_empty_trash'])).toBe(2);
    expect(readdirSync(join(cwd, 'data/Trash/files'))).toEqual([]);
    expect(readdirSync(join(cwd, 'data/Trash/info'))).toEqual([]);
  });

  test('passes over descriptions that are damaged, and lists the others', async () => {
    file('good.txt');
    await value(['FA_send_to_trash', ['good.txt']]);
    for (const [name, info] of Object.entries({
      undated: 'Path=/x\nDeletionDate=yesterday\n',
      misspelt: 'Path=/100%\nDeletionDate=2026-01-01T00:00:00\n',
      empty: '',
    })) {
      file(`data/Trash/files/${name}`);
      file(`data/Trash/info/${name}.trashinfo`, `[Trash Info]\n${info}`);
    }
    expect(await value(['FA_list_trash'])).toMatchObject([{ trash_id: 'good.txt' }]);
  });

  test('keeps a file of another device on that device', async ({ skip }) => {
    const other = '/dev/shm';
    if (!existsSync(other) || statSync(other).dev === statSync(cwd).dev) skip('needs a second file system at /dev/shm');
    const folder = mkdtempSync(join(other, 'factotum-trash-'));
    try {
      writeFileSync(join(folder, 'far.txt'), 'far');
      const sent = await value(['FA_send_to_trash', [join(folder, 'far.txt')]]);
      expect(sent).toMatchObject({ path: expect.stringMatching(/^\/dev\/shm\/\.Trash-\d+\/files\/far/) });
      await using there = createInstance({ cwd: folder, log: { level: 'silent' } });
      const { results } = await there.run([
        ['FA_list_trash'],
        ['FA_restore_from_trash', { trash_id: (sent as { trash_id: string }).trash_id }],
      ]);
      expect(results[1]).toMatchObject({ status: 'ok', value: join(folder, 'far.txt') });
      expect(readFileSync(join(folder, 'far.txt'), 'utf8')).toBe('far');
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(join(other, `.Trash-${process.getuid?.()}`), { recursive: true, force: true });
    }
  });

  test('is read and written by trash-cli alike', async ({ skip }) => {
    if (spawnSync('trash-list', ['--version']).error !== undefined) skip('needs the program trash-list');
    const env = { ...process.env, HOME: cwd };
    file('ours.txt');
    file('theirs.txt');
    await value(['FA_send_to_trash', ['ours.txt']]);
    execFileSync('trash-put', [join(cwd, 'theirs.txt')], { env });
    expect(execFileSync('trash-list', { env, encoding: 'utf8' })).toContain(join(cwd, 'ours.txt'));
    expect(await value(['FA_list_trash'])).toContainEqual(expect.objectContaining({ original: join(cwd, 'theirs.txt') }));
  });
});

describe.each([
  ['the desktop', {}],
  ['a folder', { trash_dir: 't' }],
])('the trash of %s', (_, where) => {
  test('takes a file once, however many throw it away at once', async () => {
    file('a.txt', 'abc');
    const { results } = await factotum.run({
      mode: 'parallel',
      actions: Array.from({ length: 4 }, () => ['FA_send_to_trash', { path: 'a.txt', ...where }]),
    });
    expect(results.filter(({ status }) => status === 'ok')).toHaveLength(1);
    expect(await value(['FA_list_trash', where])).toHaveLength(1);
    const left = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left).toHaveLength(2); // the file and its description
  });
});

describe.each([
  ['the desktop', {}, ['data/Trash', 'data/Trash/files', 'data/Trash/info']],
  ['a folder', { trash_dir: 't' }, ['t']],
])('the directories of the trash of %s', (_, where, directories) => {
  const rights = () => directories.map((each) => statSync(join(cwd, each)).mode & 0o777);

  test.skipIf(process.platform === 'win32')(
    'are for their owner alone, whatever the mask of new files, and are made so again',
    async () => {
      const mask = process.umask(0);
      try {
        file('a.txt');
        await value(['FA_send_to_trash', { path: 'a.txt', ...where }]);
        expect(rights()).toEqual(directories.map(() => 0o700));
        for (const each of directories) chmodSync(join(cwd, each), 0o755);
        file('b.txt');
        await value(['FA_send_to_trash', { path: 'b.txt', ...where }]);
        expect(rights()).toEqual(directories.map(() => 0o700));
      } finally {
        process.umask(mask);
      }
    },
  );

  test.skipIf(process.getuid?.() !== 0)('are refused where another user made them', async () => {
    file('a.txt', 'secret');
    for (const each of directories) mkdirSync(join(cwd, each), { recursive: true, mode: 0o777 });
    chownSync(join(cwd, directories[0] ?? ''), 12_345, 12_345);
    expect(await errorOf(['FA_send_to_trash', { path: 'a.txt', ...where }])).toMatchObject({ type: 'FileAccessException' });
    expect(read('a.txt')).toBe('secret');
  });

  test.skipIf(process.platform === 'win32')('are refused where they are a link', async () => {
    file('a.txt', 'secret');
    file('elsewhere/x');
    mkdirSync(join(cwd, directories[0] ?? '', '..'), { recursive: true });
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, directories[0] ?? ''));
    expect(await errorOf(['FA_send_to_trash', { path: 'a.txt', ...where }])).toBeDefined();
    expect([read('a.txt'), readdirSync(join(cwd, 'elsewhere'))]).toEqual(['secret', ['x']]);
  });

  test('do not have all their descriptions read to bring one entry back', async () => {
    for (let each = 0; each < 30; each += 1) {
      file(`${each}.txt`);
      await value(['FA_send_to_trash', { path: `${each}.txt`, ...where }]);
    }
    const listed = (await value(['FA_list_trash', where])) as { readonly trash_id: string; readonly original: string }[];
    const wanted = listed.find(({ original }) => original.endsWith('/7.txt'));
    const files = openOwner(cwd);
    const looks: string[] = [];
    const noting =
      <T>(look: (path: string) => Promise<T>) =>
      (path: string): Promise<T> => {
        looks.push(path);
        return look(path);
      };
    const counting = { ...files, read: noting(files.read), list: noting(files.list) };
    const trash = 'trash_dir' in where ? folderTrash(where.trash_dir) : desktopTrash;
    const ctx = { files: counting, cwd } as unknown as Context; // all that looking needs of it
    expect(await trash.find(ctx, wanted?.trash_id ?? '')).toEqual(wanted);
    expect(looks).toHaveLength(1);
  });

  test('give nothing for an id that leads elsewhere', async () => {
    file('a.txt');
    await value(['FA_send_to_trash', { path: 'a.txt', ...where }]);
    for (const trash_id of ['../a.txt', '..', '.', 'x/../a.txt', 'a\0b', ''])
      expect(await errorOf(['FA_restore_from_trash', { trash_id, ...where }])).toBeDefined();
  });
});

describe('a trash in a folder', () => {
  test('brings back what somebody else described and named', async () => {
    file('t/7_dddddddd__other-name', 'x');
    file('t/7_dddddddd.trashmeta.json', JSON.stringify({ original: join(cwd, 'back.txt'), trashed_at: 1, is_dir: false }));
    await value(['FA_restore_from_trash', { trash_id: '7_dddddddd', trash_dir: 't' }]);
    expect(read('back.txt')).toBe('x');
  });

  test('passes over descriptions that describe nothing or are damaged', async () => {
    file('t/1_aaaaaaaa.trashmeta.json', '{"original": "/x", "trashed_at": 1, "is_dir": false}');
    file('t/2_bbbbbbbb__x', 'x');
    file('t/2_bbbbbbbb.trashmeta.json', 'no json');
    file('t/3_cccccccc__x', 'x');
    file('t/3_cccccccc.trashmeta.json', '{"original": "/x", "trashed_at": 1e300, "is_dir": false}');
    expect(await value(['FA_list_trash', ['t']])).toEqual([]);
  });

  test('a dry run names what would leave and says that it cannot know the name in the trash', async () => {
    file('a.txt', 'abc');
    const { results } = await factotum.run({ actions: [['FA_send_to_trash', ['a.txt', 't']]], dry_run: true });
    expect(results[0]?.plan).toMatchObject({
      effects: [
        { kind: 'create', target: join(cwd, 't') },
        { kind: 'delete', target: join(cwd, 'a.txt'), bytes: 3 },
      ],
      complete: false,
    });
    expect(read('a.txt')).toBe('abc');
    expect(existsSync(join(cwd, 't'))).toBe(false);
  });
});
