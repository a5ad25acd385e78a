import { describe, expect, test } from 'vitest';
import { abortAfter, endOf, STOP_REASONS } from '../support/stop-reasons.ts';
import { loadActions } from './all-actions.ts';
import { openRoom } from './example-room.ts';

// How a stopped command ends is decided by its signal: the same for every action, wherever it was stopped, whatever it throws then.

const MOST_TURNS = 5;

for (const { about, action } of await loadActions()) {
  const [example] = action.examples;
  if (example === undefined || about.effects.includes('network')) continue;
  describe(`${about.name} ends as its signal says`, () => {
    test('when it is stopped before it begins', async () => {
      await using room = await openRoom(about.name, example);
      for (const { called, reason, status, type } of STOP_REASONS) {
        const { results, counts } = await room.run({ signal: abortAfter(0, reason) });
        expect([called, results[0]?.status, results[0]?.error?.type, counts.ok]).toEqual([
          called,
          status,
          status === 'cancelled' ? undefined : type,
          0,
        ]);
      }
    });

    test('when it is stopped on the way, unless it has ended by then', async () => {
      for (let turns = 1; turns <= MOST_TURNS; turns += 1) {
        const stop = STOP_REASONS[(about.name.length + turns) % STOP_REASONS.length];
        if (stop === undefined) throw new Error('a remainder is below the length');
        await using room = await openRoom(about.name, example);
        const [outcome] = (await room.run({ signal: abortAfter(turns, stop.reason) })).results;
        if (outcome?.status === 'ok' || (example.fails !== undefined && outcome?.error?.type === example.fails)) break;
        // One that was stopped before its turn has no error of its own.
        expect([stop.called, turns, ...endOf({ error: { type: stop.type }, ...outcome } as never)]).toEqual([
          stop.called,
          turns,
          stop.status,
          stop.type,
        ]);
      }
    });
  });
}
