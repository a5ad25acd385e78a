import { describe, expect, test } from 'vitest';
import type { WatcherSnapshot } from '../../../src/core/ports/watchers.ts';
import { embeddedStore } from '../../../src/services/engine/embedded/embedded-store.ts';
import { openWatcherBook } from '../../../src/services/watchers/book.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

const CONFIG = `[[watchers]]
name = "inbox"
path = "in"
actions = [["FA_progress_list"]]
`;

/** A place whose store has a watcher called `stored`. */
const openPlace = async () => {
  const dir = tempDir({ 'factotum.toml': CONFIG, 'in/a.txt': '1' });
  const store = embeddedStore({ file: dir.at('factotum/factotum.db') });
  const book = openWatcherBook({ store, clock: { now: Date.now, monotonic: Date.now }, log: () => {} });
  await book.add({ name: 'stored', path: dir.at('in'), actions: [], rules: { recursive: false } }, 'owner');
  await store.close();
  const ask = (...words: string[]) => factotum(['watch', ...words], { cwd: dir.path, env: { XDG_STATE_HOME: dir.path } });
  return { dir, ask };
};

describe('factotum watch', () => {
  test('lists watchers of the store and of the configuration', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    const watchers = answerOf<WatcherSnapshot[]>(ask('--json'));
    expect(watchers.map(({ name, path, running }) => [name, path, running])).toEqual([
      ['inbox', dir.at('in'), true],
      ['stored', dir.at('in'), true],
    ]);
    expect(ask('list').out).toMatch(/^WATCHER +PATH .*\ninbox .*created, modified +1 command\nstored .*\(not below\) .*0 commands\n/);
  });

  test('tests whether the system tells of changes', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    expect(ask('test', 'in').out).toMatch(/a new file was told after [\d.]+ ms\./);
    expect(ask('test', 'nowhere')).toMatchObject({ err: expect.stringContaining('No directory at') });
    expect(ask('test')).toMatchObject({ code: 2, err: expect.stringContaining('DIR is missing') });
  });
});
