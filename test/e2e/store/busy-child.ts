// Queues runs and does them until it is killed, and says so only after the store has acknowledged: S submitted, D settled.
import { appendFileSync, writeSync } from 'node:fs';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import type { Claim } from '../../../src/services/engine/port/engine.ts';

const [state = '', effects = '', writer = ''] = process.argv.slice(2);
const WORKER = 'busy-child';
const counts = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

const store = embeddedStore({ file: storeFileIn(state), isServing: true, ...(writer !== '' && { writer: new URL(writer) }) });
const say = (line: string) => void writeSync(1, `${line}\n`);

const submitting = async (): Promise<never> => {
  for (;;) {
    const { runId } = await store.submit({ source: 'queue', caller: 'owner', body: [['FA_effect']] });
    say(`S ${runId}`);
  }
};

/** An effect that must not be repeated: its start is known to the store before it happens. */
const work = async (claim: Claim): Promise<void> => {
  if (claim.earlier[0]?.state === 'ok') throw new Error('a finished run was given out again');
  const { isAccepted } = await store.nodes.record(claim, [{ index: 0, action: 'FA_effect', isIdempotent: false, state: 'running' }]);
  if (!isAccepted) return;
  appendFileSync(effects, `${claim.runId}\n`);
  await store.settle([{ ...claim, end: 'ok', counts, durationMs: 1, commands: [{ index: 0, state: 'ok', value: true }] }]);
  say(`D ${claim.runId}`);
};

const working = async (): Promise<never> => {
  for (;;) {
    const claims = await store.claim({ worker: WORKER, max: 8 });
    await Promise.all(claims.map(work));
  }
};

await store.ready();
await store.abandon(WORKER);
await Promise.race([...Array.from({ length: 4 }, submitting), working(), working()]);
