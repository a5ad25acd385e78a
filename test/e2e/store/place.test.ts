import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { schemaOf } from '../../../src/services/engine/embedded/migrate.ts';
import { pathIn } from '../../../src/services/engine/spool/place.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { finished, submission } from './contract/suite.ts';

const rightsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('where a store lies', () => {
  test('nothing is made before the first call', async () => {
    using dir = tempDir();
    await using _ = embeddedStore({ file: storeFileIn(dir.at('a/b')), isServing: true });
    expect(readdirSync(dir.path)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('only its owner can look in, whatever the mask of new files', async () => {
    using dir = tempDir();
    const mask = process.umask(0);
    try {
      const state = dir.at('a/b');
      await using store = embeddedStore({ file: storeFileIn(state), isServing: true });
      await store.submit(submission());
      spoolRun(state, finished('r'));
      const files = readdirSync(state).filter((name) => join(state, name) !== pathIn(state));
      expect(files.sort()).toEqual(['factotum.db', 'factotum.db-serving', 'factotum.db-shm', 'factotum.db-wal']);
      expect(files.map((name) => rightsOf(join(state, name)))).toEqual(files.map(() => '600'));
      expect([rightsOf(state), rightsOf(pathIn(state)), rightsOf(join(pathIn(state), 'r.json'))]).toEqual(['700', '700', '600']);
    } finally {
      process.umask(mask);
    }
  });

  test.skipIf(process.platform === 'win32').each([
    ['directory', '', 0o750],
    ['database', 'factotum.db', 0o604],
  ])('a %s that others have rights to is refused', async (_, name, mode) => {
    using dir = tempDir();
    const state = dir.at('state');
    await embeddedStore({ file: storeFileIn(state) }).submit(submission());
    chmodSync(join(state, name), mode);
    await using store = embeddedStore({ file: storeFileIn(state) });
    await expect(store.ready()).rejects.toMatchObject({ type: 'StoreException', context: { path: join(state, name) } });
    await expect(store.ready()).rejects.toThrow(/; run chmod go= /);
  });

  test.skipIf(process.getuid?.() !== 0)('a directory or database of another user is refused', async () => {
    using dir = tempDir();
    for (const name of ['', 'factotum.db']) {
      const state = dir.at(`state-${name}`);
      await embeddedStore({ file: storeFileIn(state) }).submit(submission());
      chownSync(join(state, name), 12_345, 12_345);
      await using store = embeddedStore({ file: storeFileIn(state) });
      await expect(store.ready()).rejects.toThrow(/belongs to another user/);
    }
  });

  test.skipIf(process.getuid?.() !== 0)('a directory that a link of another user leads to is refused, one of our own is not', async () => {
    using dir = tempDir();
    mkdirSync(dir.at('real/deep'), { recursive: true });
    symlinkSync('real', dir.at('first'));
    symlinkSync(dir.at('first/deep'), dir.at('second'));
    const state = dir.at('second/state');
    await embeddedStore({ file: storeFileIn(state) }).submit(submission());
    lchownSync(dir.at('first'), 12_345, 12_345); // met on the way of the other one
    await using store = embeddedStore({ file: storeFileIn(state) });
    await expect(store.ready()).rejects.toMatchObject({ type: 'StoreException', context: { link: dir.at('first') } });
  });

  test('a file that a caller names may lie anywhere', async () => {
    using dir = tempDir();
    chmodSync(dir.path, 0o755);
    await using store = embeddedStore({ file: dir.at('queue.db'), isPrivate: false });
    await store.submit(submission());
    expect(rightsOf(dir.at('queue.db'))).toBe('600');
    expect(await store.queue.size('ready')).toBe(1);
  });
});

describe('what lies there already', () => {
  test('a store of a newer factotum is refused', async () => {
    using dir = tempDir();
    const file = dir.at('s.db');
    await embeddedStore({ file, isPrivate: false }).submit(submission());
    const db = openConnection(file);
    db.exec(`PRAGMA user_version = ${schemaOf(db) + 1}`);
    db.close();
    await expect(embeddedStore({ file, isPrivate: false }).health()).rejects.toThrow(/use the newer factotum that wrote it\.$/);
  });

  test('a database of somebody else is refused and left as it is', async () => {
    using dir = tempDir();
    const file = dir.at('theirs.db');
    const db = openConnection(file);
    db.exec('CREATE TABLE theirs (x)');
    db.close();
    const before = readFileSync(file);
    await expect(embeddedStore({ file, isPrivate: false }).health()).rejects.toThrow(/is not a store of factotum/);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(dir.path)).toEqual(['theirs.db']);
  });

  test('a file that is no database is refused and left as it is', async () => {
    using dir = tempDir({ 'notes.txt': 'x'.repeat(5_000) });
    await expect(embeddedStore({ file: dir.at('notes.txt'), isPrivate: false }).health()).rejects.toMatchObject({
      type: 'StoreException',
      context: { fault: 'unreadable' },
    });
    expect(dir.read('notes.txt')).toBe('x'.repeat(5_000));
  });

  test('many that open a new store at once all succeed', async () => {
    using dir = tempDir();
    const stores = Array.from({ length: 8 }, () => embeddedStore({ file: storeFileIn(dir.at('state')) }));
    await Promise.all(stores.map((store) => store.submit(submission())));
    expect((await stores[0]?.runs())?.items).toHaveLength(8);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('what could not be opened is tried again at the next call', async () => {
    using dir = tempDir({ state: 'in the way' });
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    await expect(store.ready()).rejects.toMatchObject({ type: 'StoreException' });
    dir[Symbol.dispose]();
    await store.submit(submission());
  });
});

describe('a store whose file goes away under it', () => {
  test.each([
    ['moved', () => {}],
    ['replaced by a copy', (file: string) => copyFileSync(`${file}.away`, file)],
  ])('acknowledges nothing that nobody would find again: %s', async (_, replace) => {
    using dir = tempDir();
    const file = storeFileIn(dir.at('state'));
    await using store = embeddedStore({ file, isServing: true });
    const { runId } = await store.submit(submission());
    renameSync(file, `${file}.away`);
    replace(file);
    await expect(store.submit(submission())).rejects.toMatchObject({ type: 'StoreException', context: { fault: 'moved', place: file } });
    expect(await store.health()).toMatchObject({ reason: expect.stringContaining('was moved, replaced or deleted') });
    expect((await store.run(runId))?.state).toBe('queued'); // what was known can still be looked at
    renameSync(`${file}.away`, file);
    await store.submit(submission());
    expect(await store.health()).toMatchObject({ reason: null, queued: 2 });
  });
});
