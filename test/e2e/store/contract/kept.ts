import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/services/engine/port.ts';
import { ended, list, type Setup, submission } from './suite.ts';

const WHOLE = [['FA_zip_dir', ['a', 'hunter2-hunter2']]];
const KEPT = [['FA_zip_dir', ['a', '***']]];
const secret = { source: 'queue', caller: 'owner', body: WHOLE, kept: KEPT, options: { named: { a: null } } } as const;
const ERROR = { type: 'ShellException', message: 'no', retryable: false, context: {} };

const take = async (store: Store) => {
  const [claim] = await store.claim({ worker: 'w', max: 1 });
  if (claim === undefined) throw new Error('nothing is due');
  return claim;
};

/** How a list with secrets may end, and what leads there. */
const ENDS: readonly { readonly name: string; end(store: Store, id: { runId: string; itemId: number }): Promise<unknown> }[] = [
  { name: 'settled', end: async (store) => store.settle([ended(await take(store))]) },
  { name: 'cancelled before it began', end: (store, { runId }) => store.cancel(runId) },
  {
    name: 'cancelled while its worker was gone',
    async end(store, { runId }) {
      await take(store);
      await store.cancel(runId);
      await store.abandon('w');
    },
  },
  {
    name: 'acknowledged by whoever had claimed it',
    async end({ queue }, { itemId }) {
      await queue.dequeue({ worker: 'caller', leaseMs: 1000 });
      await queue.ack(itemId);
    },
  },
  {
    name: 'driven again after it was dead',
    async end(store, { runId }) {
      await store.settle([{ ...(await take(store)), end: 'dead', error: ERROR }]);
      await store.redrive([runId]);
    },
  },
];

/** What stays of lists that hold secrets. */
export const keptContract = (setup: Setup): void => {
  describe('a list with secrets', () => {
    for (const { name, end } of ENDS)
      test(`loses them when it is ${name}, and says so`, async () => {
        await using store = setup().store;
        const submitted = await store.submit(secret);
        expect(await store.run(submitted.runId)).toMatchObject({ body: WHOLE, kept: KEPT });
        await end(store, submitted);
        const record = await store.run(submitted.runId);
        expect(record).toMatchObject({ body: KEPT, options: { named: { a: null }, masked: true } });
        expect(record).not.toHaveProperty('kept');
      });

    test('has them while it may still be run: tried again, dead, or driven again', async () => {
      await using store = setup().store;
      await store.submit(secret);
      await store.settle([{ ...(await take(store)), end: 'retry', runAt: 0, error: ERROR }]);
      const claim = await take(store);
      expect(claim.body).toEqual(WHOLE);
      await store.settle([{ ...claim, end: 'dead', error: ERROR }]);
      expect(await store.queue.dead()).toMatchObject([{ action: WHOLE, kept: KEPT }]);
      await store.redrive([claim.runId]);
      expect((await take(store)).body).toEqual(WHOLE);
    });

    test('loses those too that were known only when it ran', async () => {
      await using store = setup().store;
      const { runId } = await store.submit(submission({ body: WHOLE }));
      await store.settle([{ ...ended(await take(store)), kept: KEPT }]);
      expect(await store.run(runId)).toMatchObject({ body: KEPT, options: { masked: true } });
    });

    test('is the same list under its key before and after', async () => {
      await using store = setup().store;
      const keyed = { ...secret, key: 'k' };
      await store.submit(keyed);
      expect(await store.submit(keyed)).toMatchObject({ isDuplicate: true, isSameBody: true });
      await store.settle([ended(await take(store))]);
      expect(await store.submit(keyed)).toMatchObject({ isDuplicate: true, isSameBody: true });
      expect(await store.submit({ ...keyed, body: list('other'), kept: list('*') })).toMatchObject({ isSameBody: false });
    });

    test('one without any is left as it is', async () => {
      await using store = setup().store;
      const { runId } = await store.submit(submission({ options: { a: 1 } }));
      await store.settle([ended(await take(store))]);
      expect(await store.run(runId)).toMatchObject({ body: list(), options: { a: 1 } });
    });
  });
};
