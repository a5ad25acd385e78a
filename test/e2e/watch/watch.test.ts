import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NewWatcher, WatchRules } from '../../../src/core/ports/watchers.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import type { ShownEvent } from '../../../src/services/watchers/events/file-event.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bundleScripts, type Child, type Scripts, startChild } from '../store/children.ts';

let scripts: Scripts;
beforeAll(async () => {
  scripts = await bundleScripts('../watch/service-child.ts');
});
afterAll(() => scripts[Symbol.dispose]());

/** A real service in a process of its own, with one watcher of a directory. */
const openPlace = (rules: Partial<WatchRules>, actions: NewWatcher['actions'], refusal = '') => {
  const dir = tempDir({ 'in/old.txt': 'old', handled: '' });
  const watcher: NewWatcher = { name: 'inbox', path: dir.at('in'), actions, rules: { settleS: 0.2, debounceS: 0.1, ...rules } };
  let child: Child | undefined;
  const start = async () => {
    child = startChild(scripts.child, dir.at('state'), dir.at('handled'), scripts.writer.href, JSON.stringify(watcher), refusal);
    await child.started;
    return child.lines[0];
  };
  const kill = async () => {
    child?.process.kill('SIGKILL');
    await child?.ended;
  };
  return {
    dir,
    start,
    kill,
    handled: () => readFileSync(dir.at('handled'), 'utf8').split('\n').filter(Boolean).sort(),
    /** Files are handled in this time, whatever else the machine does. */
    until: (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 }),
    /** What every queued run was given, by path. */
    async given() {
      await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
      const { items } = await store.runs({ sources: ['watch'], limit: 1000 });
      const records = await Promise.all(items.map(({ runId }) => store.run(runId)));
      const events = records.map((record) => (record?.options as { named: { event: ShownEvent } } | undefined)?.named.event);
      return events.flatMap((event) => event?.files.map(({ relative }) => relative) ?? []).sort();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      dir[Symbol.dispose]();
    },
  };
};

const HANDLE = [['FA_e2e_handled', ['${event.relative}']]];
const NO_RESCAN = { rescanS: 3600 };

describe('a service that watches', { timeout: 180_000 }, () => {
  test('hands over each file once, in new directories too, also those that came while it was down', async () => {
    await using place = openPlace(NO_RESCAN, HANDLE);
    expect(await place.start()).toBe('watching');
    mkdirSync(place.dir.at('in/deep/er'), { recursive: true });
    for (let at = 0; at < 20; at += 1) place.dir.write(`in/deep/er/${at}.txt`, `${at}`);
    await place.until(() => expect(place.handled()).toHaveLength(20));
    await place.kill();
    for (let at = 20; at < 40; at += 1) place.dir.write(`in/deep/er/${at}.txt`, `${at}`);
    renameSync(place.dir.at('in/deep/er/0.txt'), place.dir.at('in/deep/moved.txt'));
    await place.start();
    await place.until(() => expect(place.handled()).toHaveLength(40));
    expect(place.handled()).toEqual(Array.from({ length: 40 }, (_, at) => `deep/er/${at}.txt`).sort());
  });

  test('killed again and again, after none or some of its files, it hands over each file once and repeats no command', async () => {
    await using place = openPlace({ batch: 3, rescanS: 2 }, HANDLE);
    let written = 0;
    for (let round = 0; round < 8; round += 1) {
      const before = place.handled().length;
      await place.start();
      for (let end = written + 10; written < end; written += 1) place.dir.write(`in/${written}.txt`, `${written}`);
      await place.until(() => expect(place.handled().length - before).toBeGreaterThanOrEqual(round % 4));
      await place.kill();
    }
    await place.start();
    const names = Array.from({ length: written }, (_, at) => `${at}.txt`).sort();
    await expect.poll(place.given, { timeout: 30_000 }).toEqual(names);
    expect(place.handled()).toEqual([...new Set(place.handled())]);
  });

  test('does not go round in circles when its list writes where it watches', async () => {
    const copy = [['FA_copy_file', { file_path: '${event.path}', target_path: '${event.path}.bak' }]];
    await using place = openPlace({ ...NO_RESCAN, events: ['created', 'modified'] }, copy);
    await place.start();
    const names = () => readdirSync(place.dir.at('in')).sort();
    for (const name of ['a', 'b', 'c']) {
      // Moved in whole, so that it is created and never modified.
      place.dir.write(name, name);
      renameSync(place.dir.at(name), place.dir.at(`in/${name}`));
      // The copy of the file before would have been copied before this one.
      await place.until(() => expect(names()).toContain(`${name}.bak`));
    }
    expect(names()).toEqual(['a', 'a.bak', 'b', 'b.bak', 'c', 'c.bak', 'old.txt']);
    expect(await place.given()).toEqual(['a', 'b', 'c']);
  });

  test('goes on by polling where the system gives no more hints', async () => {
    await using place = openPlace({ ...NO_RESCAN, pollS: 0.2 }, HANDLE, 'ENOSPC');
    expect(await place.start()).toBe('degraded');
    place.dir.write('in/a.txt', '1');
    await place.until(() => expect(place.handled()).toEqual(['a.txt']));
  });
});
