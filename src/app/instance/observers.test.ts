import { expect, test } from 'vitest';
import type { RunBegun, RunObserver } from '../../core/ports.ts';
import { createObservers } from './observers.ts';

const RUN: RunBegun = { runId: 'r', caller: 'owner', source: 'library', request: [], startedAt: new Date(0) };

const open = () => {
  const lines: string[] = [];
  const told: string[] = [];
  const observers = createObservers((_, message, facts) => lines.push(`${message} ${facts?.reason}`));
  const good = (name: string): RunObserver => ({
    begun: () => void told.push(`${name} begun`),
    ended: () => void told.push(`${name} ended`),
  });
  return { observers, lines, told, good };
};

test('all are told, in the order in which they came, until they are taken away', async () => {
  const { observers, told, good } = open();
  const forget = observers.add(good('one'));
  observers.add(good('two'));
  observers.begun(RUN);
  forget();
  await observers.ended(RUN, undefined);
  expect(told).toEqual(['one begun', 'two begun', 'two ended']);
});

test('who is told waits for nobody but those who ask for it', async () => {
  const { observers, good } = open();
  observers.add(good('one'));
  expect(observers.ended(RUN, undefined)).toBeUndefined();
  let isWritten = false;
  observers.add({
    begun: () => {},
    async ended() {
      await Promise.resolve();
      isWritten = true;
    },
  });
  await observers.ended(RUN, undefined);
  expect(isWritten).toBe(true);
});

test.each<[string, RunObserver]>([
  ['throws', { begun: fail, ended: fail }],
  ['rejects', { begun: fail, ended: async () => fail() }],
])('one that %s keeps nothing from the others and is told in the log', async (_, bad) => {
  const { observers, lines, told, good } = open();
  observers.add(bad);
  observers.add(good('two'));
  observers.begun(RUN);
  await observers.ended(RUN, undefined);
  expect(told).toEqual(['two begun', 'two ended']);
  expect(lines).toEqual(Array(2).fill('an observer of runs failed Error: broken'));
});

function fail(): never {
  throw new Error('broken');
}
