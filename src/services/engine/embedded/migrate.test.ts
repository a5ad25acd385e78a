import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openConnection } from '../driver.ts';
import { embeddedStore } from './embedded-store.ts';
import { demandOurs, migrate, schemaOf } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';

const STEPS = ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2)'];
const tablesIn = (db: ReturnType<typeof openConnection>) =>
  db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(({ name }) => name);

describe('a database is brought up to date', () => {
  test('step by step, each once', () => {
    const db = openConnection(':memory:');
    migrate(db, 'x', STEPS.slice(0, 1));
    expect(schemaOf(db)).toBe(1);
    migrate(db, 'x', STEPS);
    migrate(db, 'x', STEPS);
    expect(schemaOf(db)).toBe(2);
    expect(db.all('SELECT * FROM a').map((row) => ({ ...(row as object) }))).toEqual([{ x: 1, y: 2 }]);
    demandOurs(db, 'x');
  });

  test('not at all by a step that fails: what it began is taken back, what came before stays', () => {
    const db = openConnection(':memory:');
    expect(() => migrate(db, 'x', ['CREATE TABLE a (x)', 'CREATE TABLE b (x); CREATE TABLE a (x)'])).toThrow();
    expect([schemaOf(db), tablesIn(db)]).toEqual([1, ['a']]);
  });

  test('never backwards', () => {
    const db = openConnection(':memory:');
    migrate(db, 'x', STEPS);
    expect(() => migrate(db, 'x', STEPS.slice(0, 1))).toThrow(/has schema 2 and this version of factotum knows up to 1/);
    expect(schemaOf(db)).toBe(2);
  });

  test('to what the repositories expect', () => {
    const db = openConnection(':memory:');
    migrate(db, 'x');
    expect(schemaOf(db)).toBe(MIGRATIONS.length);
    expect(tablesIn(db)).toEqual(
      'approval audit caller_bytes counter fire kept ledger lock meta node outbox request run run_bytes run_text run_text_config run_text_data run_text_docsize run_text_idx schedule sent sqlite_sequence state text_later transfer undo watcher'.split(
        ' ',
      ),
    );
  });
});

const FIXTURES = new URL('../../../../test/fixtures/store/', import.meta.url);

describe('a store that an older factotum wrote', () => {
  test('is kept as a fixture for every schema there was', () => {
    const wanted = MIGRATIONS.slice(0, -1).map((_, at) => `schema-${at + 1}.sql`);
    expect(readdirSync(FIXTURES).sort()).toEqual(wanted);
  });

  for (const name of readdirSync(FIXTURES))
    test(`${name} is brought to the schema of today, and everything in it goes on`, async () => {
      using dir = tempDir();
      const file = dir.at('old.db');
      const old = openConnection(file);
      old.exec(readFileSync(new URL(name, FIXTURES), 'utf8'));
      old.close();
      await using store = embeddedStore({ file, isPrivate: false });
      expect(await store.health()).toMatchObject({ isWritable: true, schema: MIGRATIONS.length, queued: 1, running: 1 });
      expect((await store.runs()).items.map(({ state }) => state).sort()).toEqual(['dead', 'ok', 'queued', 'running']);
      await store.abandon('service@old');
      expect((await store.runs({ states: ['indeterminate'] })).items).toHaveLength(1); // it had begun a command that may not be repeated
      const [claim] = await store.claim({ worker: 'w', max: 9 });
      expect(claim).toMatchObject({ body: [['FA_create_file', ['b.txt', 'x']]], attempt: 1 });
      if (claim !== undefined) await store.settle([{ ...claim, end: 'cancelled', counts: COUNTS, durationMs: 1 }]);
      expect(await store.queue.dead()).toHaveLength(1);
      const kept = [store.schedules.list(), store.watchers.list(), store.ledger.list('inbox'), store.locks.list(), store.transfers.list()];
      const more = [store.approvals.list(), store.audit.recent(9), store.undo.list(OLD_RUN), store.states.list('breaker')];
      expect((await Promise.all([...kept, ...more])).map(({ length }) => length)).toEqual(Array(9).fill(1));
      expect(await store.notifications.waiting()).toBe(1);
      expect(await store.fire('nightly', 1_767_323_045_000)).toBe(false);
      // Numbers go on where they were: nothing is taken for something older.
      expect((await store.submit({ source: 'queue', caller: 'owner', body: [] })).itemId).toBe(5);
    });

  test('has the same tables in the end as a new one', () => {
    const schemaIn = (db: ReturnType<typeof openConnection>) =>
      db.all<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").map(({ sql }) => sql);
    const fresh = openConnection(':memory:');
    migrate(fresh, 'x');
    for (const name of readdirSync(FIXTURES)) {
      const old = openConnection(':memory:');
      old.exec(readFileSync(new URL(name, FIXTURES), 'utf8'));
      migrate(old, 'x');
      expect(schemaIn(old)).toEqual(schemaIn(fresh));
    }
  });
});

const OLD_RUN = '019b7cd1-0000-7000-8000-000000000001';
const COUNTS = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 1, indeterminate: 0 };
