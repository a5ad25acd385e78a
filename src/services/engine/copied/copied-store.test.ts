import { copyFileSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { openGuarded } from '../../../../test/e2e/files/ports.ts';
import { finished, submission } from '../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { ownerOfWork } from '../../../lib/fs/own-names.ts';
import { openConnection } from '../driver.ts';
import { embeddedStore } from '../embedded/embedded-store.ts';
import { copiedStore } from './copied-store.ts';

const open = (dir: ReturnType<typeof tempDir>, name = 'queue.db', own?: string) =>
  copiedStore(dir.at(name), openGuarded(dir.path), { ownFile: async () => own, busyMs: 0 });

const leftBehind = () => readdirSync(tmpdir()).filter((name) => ownerOfWork(name) === process.pid);

describe('a store of a caller with limits', () => {
  test('keeps what it is told, call after call, in one file for its owner alone', async () => {
    using dir = tempDir();
    await using store = open(dir);
    await Promise.all([store.submit(submission()), store.submit(submission())]);
    await store.record(finished('r'));
    await using again = open(dir);
    expect([await again.queue.size('ready'), (await again.run('r'))?.state]).toEqual([2, 'ok']);
    expect(await again.queue.purge()).toBe(2);
    expect(await store.queue.size('ready')).toBe(0);
    expect(readdirSync(dir.path)).toEqual(['queue.db']);
    expect(statSync(dir.at('queue.db')).mode & 0o777).toBe(0o600);
    expect(leftBehind()).toEqual([]);
  });

  test('can be read by its owner, and the other way round', async () => {
    using dir = tempDir();
    await open(dir).submit(submission());
    {
      await using plain = embeddedStore({ file: dir.at('queue.db'), isPrivate: false });
      await plain.submit(submission());
      expect(await plain.queue.size('ready')).toBe(2);
    }
    expect(await open(dir).queue.size('ready')).toBe(2);
  });

  test('is made once where two begin it at once, and loses nothing', async () => {
    using dir = tempDir();
    await Promise.all([open(dir), open(dir), open(dir)].map((store) => store.submit(submission())));
    expect(await open(dir).queue.size('ready')).toBe(3);
  });

  test('is not touched while another process has it open', async () => {
    using dir = tempDir();
    await using plain = embeddedStore({ file: dir.at('queue.db'), isPrivate: false });
    await plain.submit(submission());
    await expect(open(dir).submit(submission())).rejects.toMatchObject({ retryable: true, context: { fault: 'busy' } });
    expect(await plain.queue.size('ready')).toBe(1);
  });

  test("is never the service's own, under whatever name", async () => {
    using dir = tempDir();
    const own = dir.at('own.db');
    await embeddedStore({ file: own, isPrivate: false }).close();
    {
      await using made = embeddedStore({ file: own, isPrivate: false });
      await made.submit(submission());
    }
    linkSync(own, dir.at('linked.db'));
    await expect(open(dir, 'linked.db', own).queue.purge()).rejects.toMatchObject({ context: { rule: 'state' } });
    await expect(open(dir, 'linked.db', own).queue.size('ready')).rejects.toMatchObject({ context: { rule: 'state' } });
  });

  test('is never one that a service has served, nor a copy of that', async () => {
    using dir = tempDir();
    const served = dir.at('served.db');
    {
      await using made = embeddedStore({ file: served, isPrivate: false, isServing: true, writer: undefined });
      await made.submit(submission());
    }
    copyFileSync(served, dir.at('copy.db'));
    for (const name of ['served.db', 'copy.db'])
      await expect(open(dir, name).queue.size('ready')).rejects.toMatchObject({ context: { rule: 'state' } });
  });

  test('must have our schema to the letter: what else is in it would be run', async () => {
    using dir = tempDir();
    await open(dir).submit(submission());
    const db = openConnection(dir.at('queue.db'));
    db.exec(`PRAGMA journal_mode = DELETE; ALTER TABLE run RENAME TO other;
      CREATE VIEW run AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS seq FROM n`);
    db.close();
    await expect(open(dir).queue.size('ready')).rejects.toMatchObject({ context: { place: dir.at('queue.db'), fault: 'unreadable' } });
  });

  test('that is none is left as it is', async () => {
    using dir = tempDir();
    writeFileSync(dir.at('queue.db'), 'no database at all'.repeat(100));
    await expect(open(dir).submit(submission())).rejects.toMatchObject({ context: { place: dir.at('queue.db') } });
    expect(readFileSync(dir.at('queue.db'), 'utf8')).toMatch(/^no database/);
    expect(leftBehind()).toEqual([]);
  });
});
