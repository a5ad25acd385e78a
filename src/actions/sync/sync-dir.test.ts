import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { snapshot } from '../../../test/e2e/sync/snapshot.ts';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import type { Outcome } from '../../core/result.ts';

const sync = async (house: TestHouse, args: object = {}, request: object = {}) => {
  const { results } = await house.run({ actions: [['FA_sync_dir', { src: 's', dst: 'd', ...args }]], ...request });
  return results[0];
};
/** What a synchronisation did that failed all the same. */
const summaryOf = (outcome: Outcome | undefined) => {
  expect(outcome?.error?.type).toBe('SyncException');
  return outcome?.error?.context.summary;
};
const at = (house: TestHouse, name: string, seconds: number) => utimesSync(house.dir.at(name), seconds, seconds);
const numbered = (count: number, prefix: string) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}/${n}`, `${n}`]));

/** The same work for the three who may ask for it: at full speed, by open directories, and change by change. */
const WAYS = {
  'the owner': (house: TestHouse, args: object) => sync(house, args),
  'a caller with a policy': async (house: TestHouse, args: object) => {
    const caller = { ...OWNER, name: 'guest', policy: createPolicy({ readWrite: [house.dir.path] }) };
    return (await house.factotum.run([['FA_sync_dir', { src: 's', dst: 'd', ...args }]], { caller })).results[0];
  },
  'a run with a quota': (house: TestHouse, args: object) => sync(house, args, { quota: { max_bytes: 1_000_000 } }),
};

describe.each(Object.entries(WAYS))('for %s', (_who, run) => {
  test('a tree becomes like another: files, links, empty directories, modes, times', async () => {
    await using house = openHouse({
      files: { 's/a.sh': 'a', 's/n/b': 'bb', 's/n/deep/c': 'c', 'd/n/b': 'old', 'd/extra/x': 'x', 'd/y': 'y' },
    });
    mkdirSync(house.dir.at('s/empty'));
    symlinkSync('a.sh', house.dir.at('s/link'));
    symlinkSync('nowhere', house.dir.at('s/n/dangling'));
    chmodSync(house.dir.at('s/a.sh'), 0o750);
    chmodSync(house.dir.at('s/n/deep'), 0o500);
    for (const name of ['s/a.sh', 's/n/b', 's/n/deep', 's/n', 's/empty', 's']) at(house, name, 1_000_000_000);
    const outcome = await run(house, { delete: true });
    expect(outcome).toMatchObject({
      status: 'ok',
      value: { copied: ['a.sh', 'link', 'n/b', 'n/dangling', 'n/deep/c'], deleted: ['extra/x', 'y'], errors: [] },
    });
    expect(snapshot(house.dir.at('d'))).toEqual(snapshot(house.dir.at('s')));
    expect(await run(house, { delete: true })).toMatchObject({ value: { copied: [], deleted: [], totals: { skipped: 5 } } });
    chmodSync(house.dir.at('s/n/deep'), 0o700);
    chmodSync(house.dir.at('d/n/deep'), 0o700);
  });

  test('things of another kind give way', async () => {
    await using house = openHouse({
      files: { 's/was-file/a': 'a', 's/was-dir': 'b', 's/was-link': 'c', 'd/was-file': 'x', 'd/was-dir/y': 'y' },
    });
    symlinkSync('../outside', house.dir.at('d/was-link'));
    house.dir.write('outside', 'untouched');
    const outcome = await run(house, { delete: true });
    expect(outcome).toMatchObject({ value: { errors: [], deleted: ['was-dir/y', 'was-file'] } });
    expect(snapshot(house.dir.at('d'), { hasLooks: false })).toEqual(snapshot(house.dir.at('s'), { hasLooks: false }));
    expect(house.dir.read('outside')).toBe('untouched');
  });

  test('only the mode is set where only the mode differs', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 'd/a': 'a' } });
    for (const name of ['s/a', 'd/a']) at(house, name, 1_000_000_000);
    chmodSync(house.dir.at('s/a'), 0o640);
    const { ino } = statSync(house.dir.at('d/a'));
    expect(await run(house, {})).toMatchObject({ value: { copied: [], skipped: ['a'] } });
    expect(statSync(house.dir.at('d/a'))).toMatchObject({ ino, mode: 0o100640 });
  });

  test('a file that is replaced keeps its owner', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only the superuser can give files away');
    await using house = openHouse({ files: { 's/a': 'new', 'd/a': 'old!' } });
    chownSync(house.dir.at('d/a'), 12_345, 54_321);
    expect(await run(house, {})).toMatchObject({ value: { copied: ['a'] } });
    expect(statSync(house.dir.at('d/a'))).toMatchObject({ uid: 12_345, gid: 54_321, size: 3 });
  });

  test('what is excluded is neither copied nor deleted', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 's/b.tmp': '', 's/n/c.tmp': '', 's/n/d': 'd', 'd/x.tmp': 'x', 'd/old': '' } });
    expect(await run(house, { delete: true, exclude: ['*.tmp'] })).toMatchObject({ value: { copied: ['a', 'n/d'], deleted: ['old'] } });
    expect([house.dir.read('d/x.tmp'), house.dir.read('d/n/c.tmp')]).toEqual(['x', undefined]);
  });
});

describe('comparing', () => {
  test('times are the same within the tolerance, and never finer than what can be set', async () => {
    await using house = openHouse({ files: { 's/a': '1', 'd/a': '2' } });
    at(house, 's/a', 1_700_000_003);
    at(house, 'd/a', 1_700_000_000);
    expect(await sync(house, { tolerance_s: 3 })).toMatchObject({ value: { skipped: ['a'] } });
    expect(await sync(house)).toMatchObject({ value: { copied: ['a'] } });
    utimesSync(house.dir.at('s/a'), 1_700_000_000.123456, 1_700_000_000.123456);
    expect(await sync(house, { tolerance_s: 0 })).toMatchObject({ value: { copied: ['a'] } });
    expect(await sync(house, { tolerance_s: 0 })).toMatchObject({ value: { copied: [] } });
  });

  test('an edit that keeps the size is seen, however soon after a sync it comes', async () => {
    await using house = openHouse({ files: { 's/a': '00' } });
    for (let round = 10; round < 30; round += 1) {
      house.dir.write('s/a', String(round));
      await sync(house);
      expect(house.dir.read('d/a')).toBe(String(round));
    }
    expect(await sync(house)).toMatchObject({ value: { copied: [], skipped: ['a'] } });
  });

  test('equal content is not copied, but gets the time of its source', async () => {
    await using house = openHouse({
      files: { 's/a': 'same', 'd/a': 'same', 's/big': 'x'.repeat(300_000), 'd/big': `${'x'.repeat(299_999)}y` },
    });
    at(house, 's/a', 1_000_000_000);
    expect(await sync(house, { compare: 'checksum' })).toMatchObject({ value: { copied: ['big'], skipped: ['a'] } });
    expect(statSync(house.dir.at('d/a')).mtimeMs).toBe(1_000_000_000_000);
  });
});

describe('the brake', () => {
  test('refuses to delete more than 50 files that are more than a tenth, before anything changes', async () => {
    await using house = openHouse({ files: { 's/new': 'n', ...numbered(51, 'd/x') } });
    expect(await sync(house, { delete: true })).toMatchObject({ error: { type: 'SyncException', context: { deletes: 51, keeps: 0 } } });
    expect(existsSync(house.dir.at('d/new'))).toBe(false);
    expect(await sync(house, { dry_run: true })).toMatchObject({ value: { copied: ['new'], totals: { bytes: 1 } } });
    expect(await sync(house, { delete: true, dry_run: true })).toMatchObject({ error: { type: 'SyncException' } });
    expect(await sync(house, { delete: true, max_delete: 51 })).toMatchObject({ value: { totals: { deleted: 51 } } });
  });

  test('lets a small number and a small share pass', async () => {
    await using house = openHouse({ files: { ...numbered(600, 's/k'), ...numbered(600, 'd/k'), ...numbered(60, 'd/x') } });
    expect(await sync(house, { delete: true, compare: 'checksum' })).toMatchObject({ value: { totals: { deleted: 60, skipped: 600 } } });
    await using other = openHouse({ files: { 's/a': '', ...numbered(50, 'd/x') } });
    expect(await sync(other, { delete: true })).toMatchObject({ value: { totals: { deleted: 50 } } });
  });

  test('refuses an empty source and one that is missing', async () => {
    await using house = openHouse({ files: { 'd/a': 'kept' } });
    expect(await sync(house, { delete: true })).toMatchObject({ error: { type: 'DirNotExistsException' } });
    mkdirSync(house.dir.at('s'));
    expect(await sync(house, { delete: true })).toMatchObject({ error: { type: 'SyncException' } });
    expect(house.dir.read('d/a')).toBe('kept');
  });

  test('deletes nothing where a directory that is new at the source holds what cannot be read', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 's/new/x': 'x', 'd/old': 'kept' } });
    writeFileSync(Buffer.concat([Buffer.from(house.dir.at('s/new/bad')), Buffer.from([0xff])]), '');
    for (const dry_run of [true, false]) {
      const outcome = await sync(house, { delete: true, dry_run });
      expect(summaryOf(outcome)).toMatchObject({ copied: ['a', 'new/x'], deleted: [], totals: { failed: 1 } });
      expect(outcome?.notes).toMatchObject([{ kind: 'delete_skipped', count: 1 }]);
    }
    expect(house.dir.read('d/old')).toBe('kept');
  });

  test('deletes nothing where the source could not be read', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 's/locked/x': 'x', 'd/old': 'kept' } });
    chmodSync(house.dir.at('s/locked'), 0o000);
    mkdirSync(house.dir.at('d/locked'));
    const outcome = await asOrdinaryUser(house.dir.path, () => sync(house, { delete: true }));
    expect(summaryOf(outcome)).toMatchObject({
      copied: ['a'],
      deleted: [],
      errors: [['locked', expect.stringContaining('s/locked')]],
      failed: [{ path: house.dir.at('s/locked'), reason: expect.stringContaining('Permission denied') }],
    });
    expect(outcome?.notes).toMatchObject([{ kind: 'delete_skipped' }]);
    expect(await asOrdinaryUser(house.dir.path, () => sync(house, { delete: true, on_unreadable: 'skip' }))).toMatchObject({
      status: 'ok',
      value: { copied: [], deleted: [], totals: { skipped: 1, failed: 1 } },
      notes: [{ kind: 'delete_skipped' }, { kind: 'unreadable', count: 1 }],
    });
  });
});

describe('refusals', () => {
  test('trees that lie inside each other', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 's/inner/b': 'b' } });
    symlinkSync('s', house.dir.at('alias'));
    for (const [src, dst] of [
      ['s', 's'],
      ['s', 's/inner'],
      ['s', 's/new/deeper'],
      ['s/inner', 's'],
      ['s', 'alias/new'],
    ])
      expect(await sync(house, { src, dst })).toMatchObject({ error: { type: 'SyncException' } });
    expect(readdirSync(house.dir.at('s'))).toEqual(['a', 'inner']);
  });

  test('a target that is a file', async () => {
    await using house = openHouse({ files: { 's/a': 'a', d: 'file' } });
    expect(await sync(house)).toMatchObject({ error: { type: 'SyncException' } });
  });

  test('a directory in the way of a file stays without delete, and is told', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 's/b': 'b', 'd/a/x': 'x' } });
    const refused = { copied: ['b'], errors: [['a', expect.stringContaining('directory')]] };
    expect(summaryOf(await sync(house))).toMatchObject(refused);
    expect(summaryOf(await sync(house, { on_unreadable: 'skip' }))).toMatchObject({ ...refused, copied: [] });
    expect(house.dir.read('d/a/x')).toBe('x');
  });

  test('a link that leads out of what a caller may read is told, the rest is copied', async () => {
    await using house = openHouse({ files: { 'room/s/a': 'a' } });
    symlinkSync('/etc', house.dir.at('room/s/out'));
    symlinkSync('a', house.dir.at('room/s/in'));
    const caller = { ...OWNER, name: 'guest', policy: createPolicy({ readWrite: [house.dir.at('room')] }) };
    const { results } = await house.factotum.run([['FA_sync_dir', ['room/s', 'room/d']]], { caller });
    expect(summaryOf(results[0])).toMatchObject({ copied: ['a', 'in'], errors: [['out', expect.stringContaining('policy')]] });
    expect(existsSync(house.dir.at('room/d/out'))).toBe(false);
  });

  test('more bytes than the quota has', async () => {
    await using house = openHouse({ files: { 's/a': 'x'.repeat(1000) } });
    expect(await sync(house, {}, { quota: { max_bytes: 10 } })).toMatchObject({ error: { type: 'QuotaExceededException' } });
  });
});

describe('a dry run', () => {
  test('of the list plans what a real run then does', async () => {
    await using house = openHouse({ files: { 's/a': 'aa', 's/n/b': 'b', 'd/a': 'old', 'd/x': 'gone' } });
    const before = snapshot(house.dir.path);
    const planned = await sync(house, { delete: true }, { dry_run: true });
    expect(snapshot(house.dir.path)).toEqual(before);
    const changes = planned?.plan?.effects.filter(({ kind }) => kind !== 'read').map(({ kind, target }) => `${kind} ${target}`);
    expect(changes?.sort()).toEqual(
      ['create d/n', 'create d/n/b', 'delete d/x', 'overwrite d/a'].map((each) => each.replace(' ', ` ${house.dir.path}/`)),
    );
  });

  test('sees what commands before it would do', async () => {
    await using house = openHouse({ files: { 's/a': 'aa' } });
    const { results } = await house.run({
      actions: [
        ['FA_sync_dir', ['s', 'd']],
        ['FA_copy_file', ['d/a', 'b']],
      ],
      dry_run: true,
    });
    expect(results.map(({ status }) => status)).toEqual(['planned', 'planned']);
    expect(existsSync(house.dir.at('d'))).toBe(false);
  });
});

test('what is deleted can go to the trash', async () => {
  await using house = openHouse({ files: { 's/a': 'a', 'd/old': 'o', 'd/dir/x': 'x', 'd/${env:HOME}': 'e' } });
  const home = process.env.XDG_DATA_HOME;
  process.env.XDG_DATA_HOME = house.dir.at('data');
  try {
    expect(await sync(house, { delete: true, trash: true })).toMatchObject({
      value: { deleted: ['${env:HOME}', 'dir/x', 'old'], errors: [] },
    });
    expect([house.dir.read('data/Trash/files/old'), house.dir.read('data/Trash/files/dir/x')]).toEqual(['o', 'x']);
    expect(readdirSync(house.dir.at('d'))).toEqual(['a']);
  } finally {
    if (home === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = home;
  }
});

test('lists are cut and totals are not', async () => {
  await using house = openHouse({ files: numbered(20, 's') });
  const outcome = await sync(house, { max_listed: 3 });
  expect(outcome).toMatchObject({ value: { copied: ['0', '1', '10'], totals: { copied: 20, bytes: 30 } }, notes: [{ kind: 'truncated' }] });
});

test('pipes are left out and told', async ({ skip }) => {
  await using house = openHouse({ files: { 's/a': 'a' } });
  if (process.platform === 'win32') skip('needs pipes');
  execFileSync('mkfifo', [house.dir.at('s/pipe')]);
  mkdirSync(house.dir.at('d'));
  expect(await sync(house)).toMatchObject({ value: { copied: ['a'] }, notes: [{ kind: 'skipped', count: 1 }] });
});

test('a cancelled run stops, and the next one finishes the job', async () => {
  const files = numbered(3000, 's/n');
  await using house = openHouse({ files });
  for (const name of [...Object.keys(files), 's/n', 's']) at(house, name, 1_700_000_000);
  const controller = new AbortController();
  const running = house.run([['FA_sync_dir', ['s', 'd']]], { signal: controller.signal });
  setImmediate(() => controller.abort());
  expect((await running).results[0]?.status).toBe('cancelled');
  expect(await sync(house, { delete: true })).toMatchObject({ value: { errors: [], deleted: [] } });
  expect(snapshot(house.dir.at('d'))).toEqual(snapshot(house.dir.at('s')));
});

test('links are copied with their times, and a link at the target is replaced, not followed', async () => {
  await using house = openHouse({ files: { 's/a': 'new', outside: 'o' } });
  symlinkSync('../outside', house.dir.at('s/l'));
  mkdirSync(house.dir.at('d'));
  symlinkSync('../outside', house.dir.at('d/a'));
  expect(await sync(house)).toMatchObject({ value: { copied: ['a', 'l'] } });
  expect(lstatSync(house.dir.at('d/a')).isFile()).toBe(true);
  expect(readlinkSync(house.dir.at('d/l'))).toBe('../outside');
  expect(lstatSync(house.dir.at('d/l')).mtimeMs).toBeCloseTo(lstatSync(house.dir.at('s/l')).mtimeMs, 1);
  expect(house.dir.read('outside')).toBe('o');
  rmSync(house.dir.at('d'), { recursive: true });
});
