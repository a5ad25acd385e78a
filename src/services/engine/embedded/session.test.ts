import { existsSync, readFileSync, renameSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { finished, submission } from '../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openConnection } from '../driver.ts';
import type { Call } from './calls.ts';
import { openSession } from './session.ts';

/** What databases were told, in order. */
const told = vi.hoisted(() => ({ words: [] as string[] }));

vi.mock('../driver.ts', async (original) => {
  const driver = await original<typeof import('../driver.ts')>();
  return {
    ...driver,
    openConnection: (...given: Parameters<typeof driver.openConnection>) => {
      const db = driver.openConnection(...given);
      const exec = db.exec.bind(db);
      return Object.assign(db, {
        exec: (words: string) => {
          told.words.push(words);
          exec(words);
        },
      });
    },
  };
});

beforeEach(() => {
  told.words = [];
});

const call = (method: string, arg: unknown): Call => ({ shelf: 'runs', method, args: [arg], now: 1 });
const promise = () => call('submit', submission());
const history = (id: string) => call('record', finished(id));

/** What the disk was asked for before each commit. */
const asked = (): string[] => told.words.filter((words) => words.startsWith('PRAGMA synchronous') || words === 'COMMIT');

const openIn = (dir: ReturnType<typeof tempDir>) => openSession({ file: dir.at('s.db'), isPrivate: false, isServing: false });

test('what somebody relies on is synced to the disk, and only that', () => {
  using dir = tempDir();
  const session = openIn(dir);
  told.words = [];
  for (const calls of [[promise()], [history('a')], [history('b'), promise()]])
    for (const answer of session.answer(calls)) expect(answer).toHaveProperty('value');
  expect(asked()).toEqual([
    'PRAGMA synchronous = FULL',
    'COMMIT',
    'PRAGMA synchronous = NORMAL',
    'COMMIT',
    'PRAGMA synchronous = FULL',
    'COMMIT',
  ]);
  session.close();
});

test.each([
  ['moved away', (dir: ReturnType<typeof tempDir>) => renameSync(dir.at('s.db'), dir.at('away.db'))],
  ['replaced', (dir: ReturnType<typeof tempDir>) => renameSync(dir.at('other.db'), dir.at('s.db'))],
])('nothing is promised by a store that was %s', (_how, change) => {
  using dir = tempDir({ 'other.db': '' });
  const session = openIn(dir);
  expect(session.answer([promise()])[0]).toHaveProperty('value');
  change(dir);
  expect(session.answer([promise()])).toEqual([
    { fault: expect.objectContaining({ type: 'StoreException', context: expect.objectContaining({ fault: 'moved' }) }) },
  ]);
  session.close();
});

test('the database of another program is refused untouched', () => {
  using dir = tempDir();
  const db = openConnection(dir.at('s.db'));
  db.exec('CREATE TABLE theirs (x)');
  db.close();
  const before = readFileSync(dir.at('s.db'));
  expect(() => openIn(dir)).toThrow('is not a store of factotum');
  expect(readFileSync(dir.at('s.db')).equals(before)).toBe(true);
  expect(existsSync(dir.at('s.db-wal'))).toBe(false);
});
