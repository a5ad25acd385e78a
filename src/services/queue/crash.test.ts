import { describe, expect, test } from 'vitest';
import { openQueueRoom, type QueueRoom } from '../../../test/support/queue-room.ts';
import type { Store } from '../engine/port.ts';

const LIST = [
  ['FA_t_once', ['a']],
  ['FA_t_again', ['b']],
  ['FA_t_once', ['c']],
];
/** More calls than a run of this list makes. */
const POINTS = 14;

type Side = 'before' | 'after';

/** A store that answers no more from its nth call on, as seen by a process that dies there; that call is made or not. */
const dyingStore = (store: Store, deadly: number, side: Side): Store => {
  let calls = 0;
  const dying =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls += 1;
      if (calls < deadly) return call(...args);
      if (calls === deadly && side === 'after') await call(...args);
      return new Promise(() => {});
    };
  return {
    ...store,
    claim: dying(store.claim),
    settle: dying(store.settle),
    heartbeat: dying(store.heartbeat),
    nodes: { ...store.nodes, record: dying(store.nodes.record) },
  };
};

/** Lets everything happen that can without another process. */
const settleDown = async (room: QueueRoom) => {
  for (let turn = 0; turn < 5; turn += 1) await room.time.advance(300);
};

describe.each(['before', 'after'] as const)('a process that dies %s', (side) => {
  test.each(Array.from({ length: POINTS }, (_, at) => at + 1))(
    'its call %i to the store repeats nothing and loses nothing',
    async (deadly) => {
      await using room = openQueueRoom({ worker: 'same' });
      const runId = await room.submit(LIST);
      await room.another({ store: dyingStore(room.store, deadly, side) }).start();
      await settleDown(room);

      await room.another().start();
      await settleDown(room);
      const { commands } = await room.record(runId);
      const unsure = new Set(commands.filter(({ state }) => state === 'indeterminate').map(({ index }) => index));
      for (const index of unsure) await room.store.verdict(runId, index, 'done');
      await settleDown(room);
      expect((await room.record(runId)).state).toBe('ok');
      const times = (name: string) => room.effects.filter((effect) => effect === name).length;
      expect(times('a')).toBe(unsure.has(0) ? Math.min(times('a'), 1) : 1);
      expect(times('c')).toBe(unsure.has(2) ? Math.min(times('c'), 1) : 1);
    },
  );
});
