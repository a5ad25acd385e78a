import { expect, test } from 'vitest';
import { counts, submission } from '../../../../test/e2e/store/contract/suite.ts';
import { createStore } from './create-store.ts';
import { gather } from './link.ts';

/** A store that answers everything with null, and the calls that travelled together. */
const openRecorder = () => {
  const batches: string[][] = [];
  const store = createStore({
    connect: async () => ({
      send: gather((batch) => {
        batches.push(batch.map(({ call }) => `${call.shelf}.${call.method}`));
        for (const { resolve } of batch) resolve(null);
      }),
      isOpen: true,
      close: async () => {},
    }),
    now: Date.now,
    place: 'nowhere',
  });
  return { store, batches };
};

test('calls of one turn travel together, in their order', async () => {
  const { store, batches } = openRecorder();
  const claim = { runId: 'r', attempt: 1, fence: 1 };
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.all([
      store.fire('job', 1, submission()),
      store.schedules.mark('job', { ran: 1 }),
      store.states.put('kind', 'name', null),
      store.nodes.record(claim, []),
      store.settle([{ ...claim, end: 'ok', counts, durationMs: 1 }]),
      store.ledger.take('w', []),
    ]);
  }
  const turn = ['runs.fire', 'schedules.mark', 'states.put', 'nodes.record', 'runs.settle', 'ledger.take'];
  expect(batches).toEqual([turn, turn]);
});

test('a batch that cannot be sent fails all who wait for it', async () => {
  const send = gather(() => {
    throw new Error('no way');
  });
  const call = { shelf: 'runs', method: 'health', args: [], now: 0 } as const;
  const answers = await Promise.allSettled([send(call), send(call)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
