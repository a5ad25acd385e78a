import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWatcherRoom, type WatcherRoom } from '../../../test/support/watcher-room.ts';

let room: WatcherRoom;

beforeEach(async () => {
  room = await openWatcherRoom({ 'old.txt': 'old' });
});
afterEach(() => room[Symbol.asyncDispose]());

const ALL = ['created', 'modified', 'deleted', 'moved'] as const;

describe('hints are not needed', () => {
  test('what no hint told of is found by the rescan', async () => {
    await room.add({ rescanS: 30 });
    room.dir.write('a.txt', '1');
    await room.pass(32_000);
    expect(await room.told()).toEqual(['created a.txt']);
  });

  test.each([
    ['ENOSPC', /max_user_watches/],
    ['EMFILE', /max_user_instances/],
    ['ENOSYS', /looked at regularly/],
  ])('%s makes the watcher poll, and it says what helps', async (code, remedy) => {
    room.refuseHints(code);
    await room.add({ pollS: 5, rescanS: 60 });
    expect(await room.watchers.list()).toMatchObject([{ state: 'degraded', message: expect.stringMatching(remedy) }]);
    expect(room.lines.filter((line) => remedy.test(line))).toHaveLength(1);
    room.dir.write('a.txt', '1');
    await room.pass(7_000);
    expect(await room.told()).toEqual(['created a.txt']);
    room.refuseHints(null);
    await room.pass(65_000);
    expect(await room.watchers.list()).toMatchObject([{ state: 'watching', message: null }]);
  });

  test('a watcher that was told to poll asks for no hints', async () => {
    room.refuseHints('ENOSPC');
    await room.add({ poll: true, pollS: 3 });
    room.dir.write('a.txt', '1');
    await room.pass(5_000);
    expect(await room.told()).toEqual(['created a.txt']);
    expect(await room.watchers.list()).toMatchObject([{ state: 'polling' }]);
  });

  test('a root that goes away deletes nothing; when it is back, differences count', async () => {
    await room.add({ events: ALL, poll: true, pollS: 3 });
    const away = `${room.dir.path}-away`;
    renameSync(room.dir.path, away);
    await room.pass(10_000);
    expect(await room.told()).toEqual([]);
    expect(await room.watchers.list()).toMatchObject([{ state: 'missing', message: expect.stringContaining('there again') }]);
    renameSync(away, room.dir.path);
    room.dir.write('a.txt', '1');
    await room.pass(10_000);
    expect(await room.told()).toEqual(['created a.txt']);
    expect(await room.watchers.list()).toMatchObject([{ state: 'polling', files: 2 }]);
  });

  test('a root that is replaced by another one of the same name gives hints again', async () => {
    await room.add({ events: ALL });
    renameSync(room.dir.path, `${room.dir.path}-away`);
    mkdirSync(room.dir.path);
    room.hintRoot();
    await room.pass(2_000);
    rmSync(`${room.dir.path}-away`, { recursive: true });
    room.write('a.txt', '1'); // heard of only where the new directory was opened
    await room.pass(2_000);
    expect(await room.told()).toContain('created a.txt');
  });

  test('so does a link that leads elsewhere, after the next rescan', async () => {
    room.dir.write('one/a.txt', '1');
    room.dir.write('two/b.txt', '22');
    symlinkSync('one', room.dir.at('current'));
    await room.add({ events: ALL }, { path: room.dir.at('current') });
    rmSync(room.dir.at('current'));
    symlinkSync('two', room.dir.at('current'));
    await room.pass(301_000);
    expect([...(await room.told())].sort()).toEqual(['created b.txt', 'deleted a.txt']);
    room.write('two/c.txt', '333');
    await room.pass(2_000);
    expect(await room.told()).toContain('created c.txt');
  });

  test('a pinned path that was swapped for a link shows nothing, whatever hints its old directory gives', async () => {
    await room.add({ events: ALL }, { isPinned: true });
    const [away, elsewhere] = [`${room.dir.path}-away`, `${room.dir.path}-elsewhere`];
    mkdirSync(elsewhere);
    writeFileSync(`${elsewhere}/secret.txt`, '1');
    renameSync(room.dir.path, away);
    const old = room.hintsOf(away);
    symlinkSync(elsewhere, room.dir.path);
    old('secret.txt');
    await room.pass(2_000);
    room.hintRoot();
    await room.pass(2_000);
    for (const each of [away, elsewhere]) rmSync(each, { recursive: true });
    expect(await room.told()).toEqual([]);
    expect(await room.watchers.list()).toMatchObject([{ state: 'missing' }]);
  });

  test('a pinned path that leads elsewhere shows nothing', async () => {
    await room.add({ poll: true, pollS: 3 }, { isPinned: true });
    const elsewhere = `${room.dir.path}-elsewhere`;
    mkdirSync(elsewhere);
    writeFileSync(`${elsewhere}/secret.txt`, '1');
    rmSync(room.dir.path, { recursive: true });
    symlinkSync(elsewhere, room.dir.path);
    await room.pass(10_000);
    rmSync(elsewhere, { recursive: true });
    expect(await room.told()).toEqual([]);
  });

  test('no timer is longer than a minute', async () => {
    await room.add({ rescanS: 3600 });
    await room.pass(1_000);
    expect(room.longestTimerMs).toBeLessThanOrEqual(60_000);
  });
});
