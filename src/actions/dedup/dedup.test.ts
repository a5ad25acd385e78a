import { linkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { otherDevice } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { ActionACL } from '../../access/acl.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { createInstance } from '../../app/create.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const only = async (action: string, args: object, options: Parameters<typeof factotum.run>[1] = {}) =>
  (await factotum.run([[action, args]], options)).results[0];
const planned = async (action: string, args: object) => (await factotum.run({ actions: [[action, args]], dry_run: true })).results[0];

const inodeOf = (path: string): number => statSync(path).ino;

describe('FA_find_duplicates', () => {
  test('tells groups by path, and with digests their size and digest', async () => {
    using dir = tempDir({ a: 'abc', b: 'abc', c: 'abd' });
    expect(await only('FA_find_duplicates', { root: dir.path })).toMatchObject({ value: [[dir.at('a'), dir.at('b')]] });
    expect(await only('FA_find_duplicates', { root: dir.path, digests: true, algorithm: 'md5' })).toMatchObject({
      value: [{ size: 3, digest: '900150983cd24fb0d6963f7d28e17f72', paths: [dir.at('a'), dir.at('b')] }],
    });
  });

  test('a missing root holds nothing, which a note says', async () => {
    using dir = tempDir();
    expect(await only('FA_find_duplicates', { root: dir.at('none') })).toMatchObject({ value: [], notes: [{ kind: 'missing' }] });
  });

  test.each([{ algorithm: 'nope' }, { exclude: ['['] }, { sample_bytes: 0 }, { apply: 'shred' }])(
    'refuses %j, in a dry run too',
    async (args) => {
      using dir = tempDir();
      const refused = { status: 'failed', error: { type: 'ArgumentException' } };
      expect(await only('FA_find_duplicates', { root: dir.path, ...args })).toMatchObject(refused);
      expect(await planned('FA_find_duplicates', { root: dir.path, ...args })).toMatchObject(refused);
    },
  );

  test('a caller with limits finds only what lies below', async () => {
    using dir = tempDir({ 'mine/a': 'x', 'mine/b': 'x', 'theirs/c': 'x' });
    const caller = { name: 'limited', policy: createPolicy({ readOnly: [dir.at('mine')] }), remote: true };
    expect(await only('FA_find_duplicates', { root: dir.at('mine') }, { caller })).toMatchObject({
      value: [[dir.at('mine/a'), dir.at('mine/b')]],
    });
    expect(await only('FA_find_duplicates', { root: dir.path }, { caller })).toMatchObject({ error: { type: 'PolicyException' } });
    expect(await only('FA_find_duplicates', { root: dir.at('mine'), apply: 'hardlink' }, { caller })).toMatchObject({ status: 'failed' });
    expect(inodeOf(dir.at('mine/a'))).not.toBe(inodeOf(dir.at('mine/b')));
  });

  test('makes one file of a group', async () => {
    using dir = tempDir({ a: 'same', 'n/b': 'same', 'n/${env:HOME}': 'same', d: 'else' });
    expect(await only('FA_find_duplicates', { root: dir.path, apply: 'hardlink' })).toMatchObject({
      status: 'ok',
      value: [[dir.at('a'), dir.at('n/${env:HOME}'), dir.at('n/b')]],
    });
    expect(new Set(['a', 'n/b', 'n/${env:HOME}'].map((name) => inodeOf(dir.at(name)))).size).toBe(1);
    expect(await only('FA_find_duplicates', { root: dir.path })).toMatchObject({ value: [] });
  });

  test('a dry run tells which files would be replaced, and replaces none', async () => {
    using dir = tempDir({ a: 'same', b: 'same' });
    const outcome = await planned('FA_find_duplicates', { root: dir.path, apply: 'hardlink' });
    expect(outcome).toMatchObject({
      status: 'planned',
      plan: { steps: { results: [{ plan: { effects: expect.arrayContaining([{ kind: 'overwrite', target: dir.at('b'), bytes: 4 }]) } }] } },
    });
    expect(inodeOf(dir.at('a'))).not.toBe(inodeOf(dir.at('b')));
  });

  test('whoever may only read cannot have anything replaced', async () => {
    using dir = tempDir({ a: 'same', b: 'same' });
    const caller = { ...OWNER, acl: new ActionACL({ allow: ['effect:reads'] }) };
    expect(await only('FA_find_duplicates', { root: dir.path }, { caller })).toMatchObject({ status: 'ok' });
    for (const apply of ['hardlink', 'reflink', 'trash']) {
      expect(await only('FA_find_duplicates', { root: dir.path, apply }, { caller })).toMatchObject({
        status: 'failed',
        error: { type: 'ActionNotPermittedException' },
      });
    }
    expect(dir.read('b')).toBe('same');
  });
});

describe('FA_replace_duplicate', () => {
  test('compares the bytes before it replaces anything', async () => {
    using dir = tempDir({ a: 'same', b: 'diff' });
    for (const how of ['hardlink', 'reflink', 'trash']) {
      expect(await only('FA_replace_duplicate', { path: dir.at('b'), original: dir.at('a'), how })).toMatchObject({
        error: { type: 'FileAccessException', message: expect.stringContaining('does not hold the same') },
      });
    }
    expect(dir.read('b')).toBe('diff');
  });

  test('says what is left to do where two files cannot share their space', async ({ skip }) => {
    using other = otherDevice();
    if (other === undefined) return skip('needs a second file system at /dev/shm');
    using dir = tempDir({ a: 'same' });
    const far = join(other.path, 'far');
    writeFileSync(far, 'same');
    for (const how of ['hardlink', 'reflink'])
      expect(await only('FA_replace_duplicate', { path: far, original: dir.at('a'), how })).toMatchObject({
        error: {
          type: 'FileAccessException',
          message: `${far} and ${dir.at('a')} lie on different file systems and cannot share their space; use trash.`,
          context: { path: far, original: dir.at('a'), code: 'EXDEV' },
        },
      });
  });

  test('two names of one file have nothing to free', async () => {
    using dir = tempDir({ a: 'same' });
    linkSync(dir.at('a'), dir.at('b'));
    expect(await only('FA_replace_duplicate', { path: dir.at('b'), original: dir.at('a') })).toMatchObject({ value: false });
    expect(await only('FA_replace_duplicate', { path: dir.at('b'), original: dir.at('a'), how: 'trash' })).toMatchObject({
      error: { type: 'ArgumentException' },
    });
    expect(dir.read('b')).toBe('same');
  });

  test('throws a duplicate into the trash', async () => {
    using dir = tempDir({ a: 'same', b: 'same' });
    using home = tempDir();
    const before = process.env.XDG_DATA_HOME;
    process.env.XDG_DATA_HOME = home.path;
    try {
      expect(await only('FA_replace_duplicate', { path: dir.at('b'), original: dir.at('a'), how: 'trash' })).toMatchObject({ value: true });
    } finally {
      if (before === undefined) delete process.env.XDG_DATA_HOME;
      else process.env.XDG_DATA_HOME = before;
    }
    expect(dir.read('b')).toBeUndefined();
    expect(home.read('Trash/files/b')).toBe('same');
  });

  test('large files that differ at their end are told apart', async () => {
    using dir = tempDir();
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, 'x');
    writeFileSync(dir.at('a'), bytes);
    writeFileSync(dir.at('c'), bytes);
    bytes[bytes.byteLength - 1] = 0;
    writeFileSync(dir.at('b'), bytes);
    expect(await only('FA_replace_duplicate', { path: dir.at('b'), original: dir.at('a') })).toMatchObject({ status: 'failed' });
    expect(await only('FA_replace_duplicate', { path: dir.at('c'), original: dir.at('a') })).toMatchObject({ value: true });
    expect(inodeOf(dir.at('c'))).toBe(inodeOf(dir.at('a')));
  });
});
