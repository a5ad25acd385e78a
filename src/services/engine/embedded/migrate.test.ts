import { describe, expect, test } from 'vitest';
import { openConnection } from '../driver.ts';
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
      'approval audit counter fire ledger lock meta node outbox request run schedule sent sqlite_sequence state transfer undo watcher'.split(
        ' ',
      ),
    );
  });
});
