import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { pathIn } from '../../../src/services/engine/spool/place.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { finished } from './contract/suite.ts';

describe('runs that one-shots leave', () => {
  test('open no store and are there for the next opener, once', async () => {
    using dir = tempDir();
    const run = finished('a', { name: 'one', versions: { factotum: '1' } });
    spoolRun(dir.at('state'), run);
    expect(readdirSync(dir.at('state'))).toEqual([basename(pathIn(dir.at('state')))]);
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect(await store.run('a')).toMatchObject(run);
    expect((await store.runs()).items).toHaveLength(1);
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
  });

  test('are seen by a store that is open already', async () => {
    using dir = tempDir();
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')), isServing: true });
    await store.ready();
    spoolRun(dir.at('state'), finished('a'));
    expect((await store.runs()).items).toHaveLength(1);
  });

  test('are taken in before old ones are pruned', async () => {
    using dir = tempDir();
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    spoolRun(dir.at('state'), finished('a', { startedAt: 1_000 }));
    const days = { runsMs: 1_000, deadMs: 1_000, firesMs: 1_000, auditMs: 1_000 };
    expect(await store.prune(days)).toMatchObject({ runs: 1 });
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
  });

  test('are taken in once by several that open at the same time', async () => {
    using dir = tempDir();
    for (let at = 0; at < 250; at += 1) spoolRun(dir.at('state'), finished(`r${at}`));
    const stores = Array.from({ length: 3 }, () => embeddedStore({ file: storeFileIn(dir.at('state')) }));
    await Promise.all(stores.map((store) => store.ready()));
    expect((await stores[0]?.runs({ limit: 1_000 }))?.items).toHaveLength(250);
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('are not doubled when an opener dies before it has removed the file', async () => {
    using dir = tempDir();
    const file = join(pathIn(dir.at('state')), 'a.json');
    spoolRun(dir.at('state'), finished('a'));
    copyFileSync(file, dir.at('copy'));
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    await store.ready();
    const before = await store.run('a');
    copyFileSync(dir.at('copy'), file);
    expect((await store.runs()).items).toHaveLength(1);
    expect(await store.run('a')).toEqual(before);
    expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
  });

  test('cannot have an id that leads elsewhere', () => {
    using dir = tempDir();
    expect(() => spoolRun(dir.at('state'), finished('../a'))).toThrow(/cannot be the name of a file/);
    expect(readdirSync(dir.path)).toEqual([]);
  });

  test.each([
    ['no JSON', '{"runId": '],
    ['something else', '{"runId": "x"}'],
    ['commands of another shape', JSON.stringify({ ...finished('bad'), commands: [1] })],
    ['a run of another name', JSON.stringify(finished('../bad'))],
  ])('that are %s are put aside and do not hold up the others', async (_, content) => {
    using dir = tempDir();
    mkdirSync(dir.at('state'), { mode: 0o700 });
    spoolRun(dir.at('state'), finished('good'));
    const spool = relative(dir.path, pathIn(dir.at('state')));
    dir.write(`${spool}/bad.json`, content);
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['good']);
    expect(dir.read(`${spool}/unreadable/bad.json`)).toBe(content);
  });
});
