// Queues lists and runs them until it is killed, beside runs of its own that are recorded. It says what happened only after the store
// has acknowledged: S queued, D done, R recorded. With `drain` it queues nothing, and ends when nothing waits any more.
import { appendFileSync, writeSync } from 'node:fs';
import { OWNER } from '../../../src/access/caller.ts';
import { createInstance } from '../../../src/app/create.ts';
import { defineAction } from '../../../src/core/action.ts';
import { text } from '../../../src/core/args.ts';
import * as shapes from '../../../src/core/shapes.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { createRecorder } from '../../../src/services/history/recorder.ts';
import { createDispatcher } from '../../../src/services/queue/dispatcher.ts';

const [state = '', effects = '', writer = '', mode = ''] = process.argv.slice(2);
const LIST = [
  ['FA_k_once', { name: 'first' }],
  ['FA_k_again', { name: '${results[0].value}' }],
  ['FA_k_once', { name: 'second' }],
];

const say = (line: string) => void writeSync(1, `${line}\n`);
const act = (name: string, idempotent: boolean) =>
  defineAction({
    name,
    summary: 'Leaves a line.',
    args: { name: text('What the line says.') },
    returns: shapes.text(),
    idempotent,
    examples: [],
    async run({ runId }, { name: what }) {
      await new Promise(setImmediate);
      appendFileSync(effects, `${idempotent ? 'again' : 'once'} ${runId} ${what}\n`);
      return what;
    },
  });

const factotum = createInstance({ log: { level: 'silent' } });
factotum.registry.registerMany({ FA_k_once: act('FA_k_once', false), FA_k_again: act('FA_k_again', true) });
const store = embeddedStore({ file: storeFileIn(state), isServing: true, writer: new URL(writer) });
const { mask, log } = { mask: factotum.masker.json, log: factotum.log };
const recorder = createRecorder({ store, log, mask });
factotum.observe(recorder);
const dispatcher = createDispatcher({
  store,
  clock: { now: Date.now, monotonic: () => performance.now() },
  log,
  mask,
  runList: factotum.gateway.run,
  callerOf: (name) => (name === OWNER.name ? OWNER : undefined),
  maxRuns: 8,
  onEnded: ({ claim, state: end }) => end === 'ok' && say(`D ${claim.runId}`),
});

const queueing = async (): Promise<never> => {
  for (;;) {
    const { runId } = await store.submit({ source: 'queue', caller: OWNER.name, body: LIST, maxAttempts: 1_000_000 });
    say(`S ${runId}`);
  }
};

const recording = async (): Promise<never> => {
  for (;;) {
    const { run_id } = await factotum.run([['FA_progress_list']]);
    await recorder.flush();
    say(`R ${run_id}`);
  }
};

const nothingWaits = async (): Promise<void> => {
  for (;;) {
    const { queued, running } = await store.health();
    if (queued + running === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

await store.ready();
await dispatcher.start();
say('ready');
if (mode === 'drain') {
  await nothingWaits();
  await dispatcher.close();
  await store.close();
} else {
  await Promise.race([queueing(), queueing(), recording()]);
}
