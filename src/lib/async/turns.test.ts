import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const { signal } = new AbortController();

test('turns come in the order of coming, names apart', async () => {
  const turns = createTurns();
  const told: string[] = [];
  const first = await turns.take('a', signal);
  const waiting = ['second', 'third'].map(async (who) => {
    const end = await turns.take('a', signal);
    told.push(who);
    end();
  });
  (await turns.take('b', signal))();
  expect(turns.isAwaited('a')).toBe(true);
  first();
  await Promise.all(waiting);
  expect(told).toEqual(['second', 'third']);
  expect(turns.isAwaited('a')).toBe(false);
  (await turns.take('a', signal))();
});

test('one who gives up holds up nobody', async () => {
  const turns = createTurns();
  const first = await turns.take('a', signal);
  const stop = new AbortController();
  const impatient = turns.take('a', stop.signal);
  const patient = turns.take('a', signal);
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  first();
  (await patient)();
  await expect(turns.take('a', AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
