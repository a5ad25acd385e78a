import { renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWatcherRoom, type WatcherRoom } from '../../../test/support/watcher-room.ts';

let room: WatcherRoom;

beforeEach(async () => {
  room = await openWatcherRoom({ 'old.txt': 'old' });
});
afterEach(() => room[Symbol.asyncDispose]());

const ALL = ['created', 'modified', 'deleted', 'moved'] as const;

describe('what is told', () => {
  test('files that were there before the watcher are no news', async () => {
    await room.add();
    await room.pass(5_000);
    expect(await room.told()).toEqual([]);
  });

  test('a file is created, modified, moved and deleted', async () => {
    await room.add({ events: ALL });
    room.write('a.txt', '1');
    await room.pass(2_000);
    room.write('a.txt', '12');
    await room.pass(2_000);
    room.move('a.txt', 'b.txt');
    await room.pass(2_000);
    room.remove('b.txt');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created a.txt', 'modified a.txt', 'moved a.txt > b.txt', 'deleted b.txt']);
    expect(room.counted).toEqual(['created', 'modified', 'moved', 'deleted']);
  });

  test('the list gets the event, its paths and their sizes', async () => {
    await room.add();
    room.write('a.txt', 'four');
    await room.pass(2_000);
    const file = { path: room.dir.at('a.txt'), relative: 'a.txt', moved_from: null, size: 4, replayed: false };
    expect(await room.events()).toEqual([{ watcher: 'w', kind: 'created', ...file, paths: [file.path], files: [file] }]);
    expect(await room.claim()).toMatchObject([{ source: 'watch', name: 'w', caller: 'owner', body: [['FA_progress_list']] }]);
  });

  test('only kinds that are asked for, and a change that was not asked for is not told later', async () => {
    await room.add({ events: ['deleted'] });
    room.write('a.txt', '1');
    await room.pass(2_000);
    await room.watchers.close();
    expect(await room.told()).toEqual([]);
    expect(await room.store.ledger.list('w')).toHaveLength(2);
  });

  test('directories are entered, also those that come later, and are no events themselves', async () => {
    await room.add({ events: ALL });
    room.makeDir('new');
    room.dir.write('new/inner/unheard.txt', '1');
    await room.pass(1_000);
    room.write('new/inner/heard.txt', '2');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created new/inner/unheard.txt', 'created new/inner/heard.txt']);
  });

  test('a directory that is moved or removed moves or removes its files', async () => {
    room.dir.write('d/a.txt', '1');
    room.dir.write('d/e/b.txt', '22');
    await room.add({ events: ALL });
    room.move('d', 'f');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['moved a.txt > f/a.txt', 'moved b.txt > f/e/b.txt']);
    room.remove('f');
    await room.pass(2_000);
    expect((await room.told()).slice(2).sort()).toEqual(['deleted f/a.txt', 'deleted f/e/b.txt']);
  });

  test('a file that gives way to a directory is deleted, and the other way round', async () => {
    room.dir.write('x', '1');
    await room.add({ events: ALL });
    rmSync(room.dir.at('x'));
    room.dir.write('x/inner.txt', '22');
    room.hint('x');
    await room.pass(2_000);
    expect([...(await room.told())].sort()).toEqual(['created x/inner.txt', 'deleted x']);
    rmSync(room.dir.at('x'), { recursive: true });
    room.write('x', '333');
    await room.pass(2_000);
    expect((await room.told()).slice(2).sort()).toEqual(['created x', 'deleted x/inner.txt']);
  });

  test('nothing below where the watcher is not recursive', async () => {
    await room.add({ recursive: false });
    room.makeDir('d');
    room.dir.write('d/a.txt', '1');
    room.write('b.txt', '1');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created b.txt']);
  });

  test('globs say what counts; links, and what factotum writes aside, never do', async () => {
    await room.add({ include: ['*.csv', 'in/*'], exclude: ['in/skip*', 'cache'] });
    for (const name of ['a.csv', 'a.txt', 'in/b', 'in/skip', 'cache/c.csv']) room.dir.write(name, name);
    symlinkSync('a.csv', room.dir.at('link.csv'));
    room.dir.write(`.factotum-00000000-00000000-1-1-${'0'.repeat(32)}.part`, '');
    for (const name of ['a.csv', 'a.txt', 'in', 'cache', 'link.csv']) room.hint(name);
    await room.pass(2_000);
    expect((await room.told()).toSorted()).toEqual(['created a.csv', 'created in/b']);
  });

  test('one file can be watched, also when it is replaced by another', async () => {
    await room.add({ events: ALL }, { path: room.dir.at('old.txt') });
    room.write('new.txt', 'new');
    room.move('new.txt', 'old.txt');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['modified old.txt']);
  });
});

describe('complete files', () => {
  test('a file that grows is told once, when it has been quiet', async () => {
    await room.add({ settleS: 2 });
    for (let at = 1; at < 6; at += 1) {
      room.write('a.txt', 'x'.repeat(at));
      await room.pass(1_500);
    }
    expect(await room.told()).toEqual([]);
    await room.pass(1_000);
    expect(await room.events()).toMatchObject([{ kind: 'created', size: 5 }]);
  });

  test('a change without a hint during the pause counts too', async () => {
    await room.add({ settleS: 2 });
    room.write('a.txt', '1');
    await room.pass(1_900);
    room.dir.write('a.txt', '12');
    await room.pass(1_900);
    expect(await room.told()).toEqual([]);
    await room.pass(500);
    expect(await room.events()).toMatchObject([{ size: 2 }]);
  });

  test('a file that comes and goes is not told', async () => {
    await room.add({ events: ALL });
    room.write('a.txt', '1');
    await room.pass(500);
    room.remove('a.txt');
    await room.pass(5_000);
    expect(await room.told()).toEqual([]);
  });

  test('deleted and written again is modified, once', async () => {
    await room.add({ events: ALL });
    room.remove('old.txt');
    await room.pass(300);
    room.write('old.txt', 'another');
    await room.pass(3_000);
    expect(await room.told()).toEqual(['modified old.txt']);
  });

  test('with a ready marker a file waits for it, and the marker is no file', async () => {
    await room.add({ readyMarker: '*.done', rescanS: 3600 });
    room.write('a.txt', '1');
    await room.pass(10_000);
    expect(await room.told()).toEqual([]);
    room.write('a.txt.done', '');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created a.txt']);
  });
});

describe('restarts', () => {
  test('what happened meanwhile is told, as such, and each file once', async () => {
    await room.add({ events: ALL });
    room.write('a.txt', '1');
    room.write('b.txt', '22');
    await room.pass(2_000);
    await room.restart(() => {
      room.dir.write('c.txt', '333');
      room.dir.write('a.txt', '1111');
      renameSync(room.dir.at('b.txt'), room.dir.at('d.txt'));
      rmSync(room.dir.at('old.txt'));
    });
    await room.pass(3_000);
    expect((await room.told()).slice(2).toSorted()).toEqual(['created c.txt', 'deleted old.txt', 'modified a.txt', 'moved b.txt > d.txt']);
    expect((await room.events()).map(({ replayed }) => replayed)).toEqual([false, false, true, true, true, true]);
    await room.restart();
    await room.pass(3_000);
    expect(await room.told()).toHaveLength(6);
  });

  test('a file that was not yet quiet when the process ended is told after it', async () => {
    await room.add();
    room.write('a.txt', '1');
    await room.pass(500);
    await room.restart();
    await room.pass(3_000);
    expect(await room.told()).toEqual(['created a.txt']);
  });

  test('a file whose time was set back is another one', async () => {
    await room.add();
    room.write('a.txt', '1');
    await room.pass(2_000);
    utimesSync(room.dir.at('a.txt'), 1, 1);
    await room.restart();
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created a.txt', 'modified a.txt']);
  });
});

describe('runs that go on', () => {
  test('batches hold files of one kind', async () => {
    await room.add({ batch: 2, events: ALL });
    for (const name of ['a', 'b', 'c']) room.write(name, name);
    room.remove('old.txt');
    await room.pass(2_000);
    // Which of them is looked at first is up to the disk.
    expect((await room.events()).map(({ kind, paths }) => `${kind} ${paths.length}`).sort()).toEqual([
      'created 1',
      'created 2',
      'deleted 1',
    ]);
  });

  test('coalesce gathers what comes meanwhile into one run', async () => {
    await room.add({ onBusy: 'coalesce' });
    room.write('a', '1');
    await room.pass(2_000);
    const [first] = await room.claim();
    for (const name of ['b', 'c']) room.write(name, name);
    await room.pass(10_000);
    expect(await room.told()).toEqual(['created a']);
    if (first !== undefined) await room.end(first);
    await room.pass(1_000);
    expect((await room.events()).map(({ paths }) => paths.length)).toEqual([1, 2]);
  });

  test('drop leaves out what comes meanwhile, for good', async () => {
    await room.add({ onBusy: 'drop' });
    room.write('a', '1');
    await room.pass(2_000);
    const [first] = await room.claim();
    room.write('b', '2');
    await room.pass(2_000);
    if (first !== undefined) await room.end(first);
    room.write('c', '3');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created a', 'created c']);
    expect(room.counted).toEqual(['created', 'dropped', 'created']);
  });

  test('restart cancels the run and hands its files over again with the new ones', async () => {
    await room.add({ onBusy: 'restart' });
    room.write('a', '1');
    await room.pass(2_000);
    const [first] = await room.claim();
    await room.restart();
    room.remove('old.txt');
    await room.pass(2_000);
    expect(await room.store.run(first?.runId ?? '')).toMatchObject({ isCancelRequested: false });
    room.write('b', '2');
    await room.pass(2_000);
    expect(await room.store.run(first?.runId ?? '')).toMatchObject({ isCancelRequested: true });
    expect((await room.events()).map(({ files }) => files.map(({ relative }) => relative))).toEqual([['a'], ['a', 'b']]);
  });

  test('what a run of the watcher writes in the tree is no news, what others write is', async () => {
    await room.add({ events: ALL });
    room.write('a.txt', '1');
    await room.pass(2_000);
    const [claim] = await room.claim();
    const run = { runId: claim?.runId ?? '', watcher: 'w' };
    for (const name of ['a.txt.bak', 'made']) room.watchers.changing(run, room.dir.at(name));
    room.write('a.txt.bak', '1');
    room.makeDir('made');
    room.dir.write('made/deep/b.txt', '1');
    room.write('foreign.txt', '1');
    await room.pass(5_000);
    room.write('a.txt.bak', '12');
    if (claim !== undefined) await room.end(claim);
    await room.pass(5_000);
    expect(await room.told()).toEqual(['created a.txt', 'created foreign.txt']);
    room.write('a.txt.bak', 'by somebody else');
    await room.pass(2_000);
    expect((await room.told()).at(-1)).toBe('modified a.txt.bak');
  });
});

test('a file of somebody else stays news, also when a run touches it before it is told', async () => {
  await room.add({ events: ALL });
  room.write('a.txt', '1');
  await room.pass(2_000);
  const [claim] = await room.claim();
  room.write('b.txt', '1');
  await room.pass(500);
  room.watchers.changing({ runId: claim?.runId ?? '', watcher: 'w' }, room.dir.at('b.txt'));
  room.write('b.txt', 'touched');
  if (claim !== undefined) await room.end(claim);
  await room.pass(3_000);
  expect(await room.told()).toEqual(['created a.txt', 'created b.txt']);
});

test('a file that a program changes whenever it is handled is taken up less and less often, but not lost', async () => {
  await room.add({ rescanS: 86_400 });
  room.write('log.txt', '0');
  const counts: number[] = [];
  for (let minute = 0; minute < 4; minute += 1) {
    for (let second = 0; second < 60; second += 2) {
      await room.pass(2_000);
      for (const claim of await room.claim()) {
        room.write('log.txt', `${minute} ${second}`);
        await room.end(claim);
      }
    }
    counts.push((await room.told()).length);
  }
  expect(counts[0]).toBeLessThan(10);
  expect((counts[3] ?? 0) - (counts[1] ?? 0)).toBeLessThanOrEqual(2);
  expect(room.lines.every((line) => line.includes('exclude it'))).toBe(true);
  await room.pass(300_000);
  expect((await room.told()).length).toBeGreaterThan(counts[3] ?? 0);
});

describe('the store', () => {
  test('a store that fails loses no event', async () => {
    await room.add();
    const { take } = room.store.ledger;
    let refused = 0;
    Object.assign(room.store.ledger, { take: () => Promise.reject(new Error(`full ${++refused}`)) });
    room.write('a.txt', '1');
    await room.pass(10_000);
    expect(refused).toBeGreaterThan(1);
    Object.assign(room.store.ledger, { take });
    await room.pass(10_000);
    expect(await room.told()).toEqual(['created a.txt']);
    expect(room.lines.map((line) => line.split(':')[0])).toEqual(['error', 'info']);
  });
});
