import { expect, test } from 'vitest';
import { finished } from '../../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { openConnection } from '../../driver.ts';
import type { Call } from '../calls.ts';
import { createStore } from '../create-store.ts';
import { linkLocally } from '../local-link.ts';
import { openSession } from '../session.ts';

const commands = Array.from({ length: 1_000 }, (_, index) => ({
  index,
  action: 'FA_substitute',
  state: 'ok' as const,
  value: 'x'.repeat(100),
}));
const body = commands.map(() => ['FA_substitute', { payload: 'ä"\n' }]);
const long = { ...finished('long'), body, commands };

/** A store whose long records come in pieces, as beside a writer's thread. */
const openStore = (dir: ReturnType<typeof tempDir>) => {
  const calls: string[] = [];
  const place = { file: dir.at('s.db'), isPrivate: false };
  const store = createStore({
    connect: async () => {
      const link = await linkLocally({ ...place, isServing: true });
      return {
        ...link,
        send: (call: Call) => {
          calls.push(call.method);
          return link.send(call);
        },
      };
    },
    connectReader: () => linkLocally({ ...place, isServing: false, isReader: true }),
    now: Date.now,
    place: place.file,
  });
  return { store, calls };
};

const rowsIn = (dir: ReturnType<typeof tempDir>, table: string) => {
  const db = openConnection(dir.at('s.db'));
  try {
    return db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)?.rows;
  } finally {
    db.close();
  }
};

test('a long record comes in pieces and is the same as in one', async () => {
  using dir = tempDir();
  const { store, calls } = openStore(dir);
  await store.record(finished('before'));
  await store.record(long);
  await store.record(finished('behind'));
  expect(calls.filter((method) => method === 'draft').length).toBeGreaterThan(3);
  expect(await store.run('long')).toMatchObject({ body, state: 'ok', commands: commands.map(({ index, value }) => ({ index, value })) });
  expect((await store.runs({ text: 'payload' })).items.map(({ runId }) => runId)).toContain('long');
  const ids = (await store.runs()).items.map(({ itemId }) => itemId);
  expect(new Set(ids).size).toBe(3);
  await store.record(long); // the answer to the first got lost
  await store.close();
  expect([rowsIn(dir, 'run'), rowsIn(dir, "meta WHERE name GLOB 'draft:*'")]).toEqual([3, 0]);
  expect(rowsIn(dir, 'node')).toBe(commands.length + 2 * finished('x').commands.length);
});

const draft = (runId: string, at: number, piece: unknown): Call => ({ shelf: 'runs', method: 'draft', args: [runId, at, piece], now: 1 });

test('of a record that was cut short by the end of the process nothing is left', () => {
  using dir = tempDir();
  const place = { file: dir.at('s.db'), isPrivate: false, isServing: true };
  const killed = openSession(place);
  killed.answer([draft('r', 0, { text: '[]' })]);
  killed.answer([draft('r', 1, { commands })]);
  expect(rowsIn(dir, 'node')).toBe(commands.length);
  killed.close();
  openSession(place).close();
  expect([rowsIn(dir, 'node'), rowsIn(dir, 'run'), rowsIn(dir, "meta WHERE name GLOB 'draft:*'")]).toEqual([0, 0, 0]);
});

test('a piece that does not follow is refused, and the record can begin anew', () => {
  using dir = tempDir();
  const session = openSession({ file: dir.at('s.db'), isPrivate: false, isServing: true });
  session.answer([draft('r', 0, { text: '[' })]);
  const [answer] = session.answer([draft('r', 2, { commands })]);
  expect(answer).toMatchObject({ fault: { message: expect.stringContaining('send all of it again') } });
  session.answer([draft('r', 0, { text: '[1]' }), draft('r', 1, { commands })]);
  session.answer([{ shelf: 'runs', method: 'record', args: [{ ...finished('r'), body: null, commands: [] }, 'drafted'], now: 1 }]);
  expect(session.answer([{ shelf: 'runs', method: 'run', args: ['r'], now: 1 }])).toMatchObject([{ value: { body: [1] } }]);
  session.close();
});
