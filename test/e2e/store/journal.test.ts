import { appendFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readOwner } from '../../../src/lib/fs/part-name.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { openJournalFile } from '../../../src/services/engine/spool/journal-file.ts';
import { pathIn } from '../../../src/services/engine/spool/place.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bundleScripts, startChild } from './children.ts';
import { finished } from './contract/suite.ts';
import { canMount, smallDisk } from './small-disk.ts';

const start = (runId: string) => ({ runId, source: 'cli' as const, caller: 'owner', body: [['FA_x']], startedAt: 1_000 });
const entry = (index: number) => ({ index, inverse: { remove: `${index}` }, bytes: index });

describe('the undo journal of a one-shot', () => {
  test('comes into the store with its run', async () => {
    using dir = tempDir();
    const journal = openJournalFile(dir.at('state'), start('r'));
    journal.append([entry(0), entry(1)]);
    journal.append([entry(2)]);
    journal.close();
    spoolRun(dir.at('state'), finished('r'));
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect(await store.run('r')).toMatchObject({ state: 'ok' });
    expect(await store.undo.list('r')).toMatchObject([entry(2), entry(1), entry(0)]);
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
  });

  test.skipIf(!canMount)('loses only what a full disk did not take', async () => {
    using disk = smallDisk();
    const state = join(disk?.path ?? '', 'state');
    const journal = openJournalFile(state, start('r'));
    journal.append([entry(0)]);
    disk?.fill();
    const long = { ...entry(1), inverse: { remove: 'x'.repeat(8_000) } };
    expect(() => journal.append([long])).toThrow(/No space is left/);
    disk?.free();
    journal.append([entry(2)]);
    journal.close();
    spoolRun(state, finished('r'));
    await using store = embeddedStore({ file: storeFileIn(state) });
    expect(await store.run('r')).toMatchObject({ state: 'ok' });
    expect(await store.undo.list('r')).toMatchObject([entry(2), entry(0)]);
  });

  test('stays where it is while its process works', async () => {
    using dir = tempDir();
    const journal = openJournalFile(dir.at('state'), start('r'));
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect((await store.runs()).items).toEqual([]);
    journal.append([entry(0)]);
    journal.close();
    spoolRun(dir.at('state'), finished('r'));
    await store.runs();
    expect(await store.undo.list('r')).toMatchObject([entry(0)]);
  });

  test('of a process that was killed makes its run known and can be undone, without the entry it was writing', async () => {
    using scripts = await bundleScripts('./journal-child.ts');
    using dir = tempDir();
    const child = startChild(scripts.child, dir.at('state'));
    await child.started;
    child.process.kill('SIGKILL');
    await child.ended;
    appendFileSync(pathIn(dir.at('state'), 'killed', '.undo'), '{"index":2,"inv');
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect(await store.run('killed')).toMatchObject({
      state: 'failed',
      body: [['FA_x']],
      error: { type: 'CancelledException', context: { pid: child.process.pid } },
    });
    expect((await store.undo.list('killed')).map(({ index }) => index)).toEqual([1, 0]);
    expect(await store.undo.usage()).toMatchObject({ bytes: 7 });
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
  });

  test('of another machine, or without a readable beginning, is left alone for a day', async () => {
    using dir = tempDir();
    const state = dir.at('state');
    openJournalFile(state, start('here')).close();
    const [foreign, broken] = ['foreign.undo', 'broken.undo'].map((name) => join(pathIn(state), name)) as [string, string]; // two names
    writeFileSync(foreign, `${JSON.stringify({ pid: 1, host: 'elsewhere' })}\n${JSON.stringify(start('foreign'))}\n`);
    writeFileSync(broken, 'half a li');
    await using store = embeddedStore({ file: storeFileIn(state) });
    expect((await store.runs()).items).toEqual([]);
    for (const file of [foreign, broken]) utimesSync(file, 0, 0);
    expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['foreign']);
    expect(readdirSync(pathIn(state)).sort()).toEqual(['here.undo', 'unreadable']);
  });

  test.each([
    ['a later one has its number', { ticks: 1 }],
    ['the machine was started anew', { boot: '00000000' }],
  ])('of a process that is gone is taken in at once, though %s', async (_, other) => {
    using dir = tempDir();
    openJournalFile(dir.at('state'), start('here')).close();
    const writer = { ...readOwner(), ...other, host: 'here' };
    writeFileSync(pathIn(dir.at('state'), 'gone', '.undo'), `${JSON.stringify(writer)}\n${JSON.stringify(start('gone'))}\n`);
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['gone']);
  });

  test('is refused where there is one already', () => {
    using dir = tempDir();
    openJournalFile(dir.at('state'), start('r')).close();
    expect(() => openJournalFile(dir.at('state'), start('r'))).toThrow();
  });
});
