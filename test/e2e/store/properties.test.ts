import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../src/services/engine/memory/memory-store.ts';
import type { Claim } from '../../../src/services/engine/port/engine.ts';
import { ended, submission } from './contract/suite.ts';

const LEASE_MS = 100;

/** What may happen to a queue; numbers choose among the claims that were ever given out. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('submit' as const), priority: fc.integer({ min: -1, max: 1 }) }),
  fc.record({ kind: fc.constant('claim' as const), max: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('settle' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('retry' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('beat' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: LEASE_MS + 20 }) }),
);

test('whatever happens, a run is in one pair of hands and settled once, and only whoever has it is heard', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let now = 1_000_000;
      await using store = memoryStore({ now: () => now });
      const given: Claim[] = [];
      /** The last claim of each run and when its lease ends; settled runs have none. */
      const held = new Map<string, { readonly claim: Claim; until: number }>();
      const settled = new Set<string>();
      const isHeld = (claim: Claim) => held.get(claim.runId)?.claim === claim;

      for (const it of steps) {
        const claim = 'which' in it ? given[it.which % given.length] : undefined;
        if (it.kind === 'submit') await store.submit(submission({ priority: it.priority, maxAttempts: 100 }));
        if (it.kind === 'pass') now += it.ms;
        if (it.kind === 'claim') {
          for (const fresh of await store.claim({ worker: 'w', max: it.max, leaseMs: LEASE_MS })) {
            const before = held.get(fresh.runId);
            expect(settled.has(fresh.runId)).toBe(false);
            expect(before === undefined || before.until < now).toBe(true);
            expect(fresh.fence).toBeGreaterThan(before?.claim.fence ?? 0);
            held.set(fresh.runId, { claim: fresh, until: now + LEASE_MS });
            given.push(fresh);
          }
          // Claiming takes over all leases that have passed, also those of runs that it did not give out again.
          for (const [runId, { until }] of held) if (until < now) held.delete(runId);
        }
        if (claim === undefined) continue;
        const holder = held.get(claim.runId);
        if (it.kind === 'beat') {
          const { lost } = await store.heartbeat([claim], LEASE_MS);
          expect(lost).toEqual(isHeld(claim) ? [] : [claim.runId]);
          if (isHeld(claim) && holder !== undefined) holder.until = now + LEASE_MS;
        }
        if (it.kind === 'settle' || it.kind === 'retry') {
          const error = { type: 'ShellException', message: 'no', retryable: true, context: {} };
          const { accepted } = await store.settle([
            it.kind === 'settle' ? ended(claim) : { ...ended(claim), end: 'retry', runAt: now, error },
          ]);
          if (isHeld(claim)) {
            expect(accepted).toEqual([claim.runId]);
            held.delete(claim.runId);
            if (it.kind === 'settle') settled.add(claim.runId);
          }
        }
      }
      const { items } = await store.runs({ states: ['ok'], limit: 1_000 });
      expect(new Set(items.map(({ runId }) => runId))).toEqual(settled);
    }),
    { numRuns: 60 },
  );
});
