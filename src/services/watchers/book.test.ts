import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWatcherRoom, type WatcherRoom } from '../../../test/support/watcher-room.ts';
import { openWatcherBook } from './book.ts';
import { configuredWatcher, type WatcherEntry } from './from-config.ts';

let room: WatcherRoom;

beforeEach(async () => {
  room = await openWatcherRoom({ 'in/old.txt': 'old', 'in/old.csv': 'old' });
});
afterEach(() => room[Symbol.asyncDispose]());

const entry = (changes: Partial<WatcherEntry> = {}): WatcherEntry => ({
  name: 'w',
  path: room.dir.at('in'),
  actions: [['FA_progress_list']],
  enabled: true,
  events: ['created', 'modified'],
  recursive: true,
  include: [],
  exclude: [],
  settle_s: 1,
  debounce_s: 0.5,
  batch: 1,
  on_busy: 'queue',
  rescan_s: 300,
  poll: false,
  poll_s: 5,
  ...changes,
});
const configure = (...entries: readonly WatcherEntry[]) => room.watchers.configure(entries.map(configuredWatcher));

describe('watchers of the configuration', () => {
  test('watch, and what was there before them is no news', async () => {
    expect(await configure(entry())).toBe(1);
    expect(await room.watchers.list()).toMatchObject([{ name: 'w', running: true, state: 'watching', files: 2 }]);
    room.write('in/a.txt', '1');
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created a.txt']);
  });

  test('know after a reload what they knew, and tell what they would have told', async () => {
    await configure(entry());
    room.dir.write('in/unheard.txt', '1');
    await configure(entry({ batch: 2 }));
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created unheard.txt']);
  });

  test('that see more than before take what was there for old', async () => {
    await configure(entry({ include: ['*.csv'] }));
    room.dir.write('in/unheard.csv', '1');
    room.dir.write('in/unseen.txt', '1');
    await configure(entry());
    await room.pass(2_000);
    expect(await room.told()).toEqual(['created unheard.csv']);
  });

  test('that see less than before take nothing for deleted, and that go deeper take nothing for new', async () => {
    room.dir.write('in/deep/a.csv', '1');
    room.dir.write('in/cache/b.csv', '1');
    const events = ['created', 'deleted'] as const;
    await configure(entry({ events }));
    await configure(entry({ events, include: ['*.csv'], recursive: false }));
    await configure(entry({ events, include: ['*.csv'], exclude: ['cache'] }));
    await room.pass(2_000);
    await configure(entry({ events }));
    await room.pass(2_000);
    expect(await room.told()).toEqual([]);
    expect(await room.watchers.list()).toMatchObject([{ files: 4 }]);
  });

  test('begin anew at another path', async () => {
    await configure(entry());
    room.dir.write('other/a.txt', '1');
    await configure(entry({ path: room.dir.at('other') }));
    await room.pass(2_000);
    expect(await room.told()).toEqual([]);
    expect(await room.watchers.list()).toMatchObject([{ files: 1 }]);
  });

  test('can be switched off, wait for a path that is not there, and cannot be stopped by an action', async () => {
    await configure(entry({ enabled: false }), entry({ name: 'later', path: room.dir.at('later') }));
    expect(await room.watchers.list()).toMatchObject([
      { name: 'later', state: 'missing' },
      { name: 'w', running: false, state: 'idle' },
    ]);
    await expect(room.watchers.remove('w')).rejects.toThrow(/stands in the configuration/);
    expect(await room.watchers.removeAll()).toEqual([]);
    room.dir.write('later/a.txt', '1');
    await room.pass(7_000);
    expect(await room.told()).toEqual(['created a.txt']);
  });

  test('go with the configuration, and nothing is kept of them', async () => {
    await room.add({}, { name: 'made' });
    await configure(entry());
    await configure();
    expect((await room.watchers.list()).map(({ name }) => name)).toEqual(['made']);
    expect(await room.store.ledger.list('w')).toEqual([]);
  });
});

describe('watchers made at run time', () => {
  test('names are there once, and unknown ones are refused', async () => {
    await room.add();
    await expect(room.add()).rejects.toThrow(/already/);
    await expect(room.watchers.remove('other')).rejects.toThrow(/FA_watch_list/);
    await expect(room.add({}, { name: 'x', actions: 'no list' })).rejects.toThrow(/no list of commands/);
  });

  test('a watcher that was stopped forgets what it knew', async () => {
    await room.add();
    await room.watchers.remove('w');
    room.write('in/a.txt', '1');
    await room.add();
    await room.pass(2_000);
    expect(await room.told()).toEqual([]);
  });

  test('what another process stores is taken up within a minute', async () => {
    const beside = openWatcherBook({ store: room.store, clock: { now: Date.now, monotonic: Date.now }, log: () => {} });
    expect(await beside.add({ name: 'w', path: room.dir.path, actions: [] }, 'owner')).toMatchObject({ state: 'idle', running: true });
    await room.pass(60_000);
    expect(await room.watchers.list()).toMatchObject([{ state: 'watching' }]);
    await beside.remove('w');
    await room.pass(60_000);
    expect(await room.watchers.list()).toEqual([]);
  });
});
