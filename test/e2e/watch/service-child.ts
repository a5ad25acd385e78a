// Watches, and runs what that queues, until it is killed. FA_e2e_handled writes down what it was given: it must not be repeated.
import { appendFileSync, writeSync } from 'node:fs';
import { OWNER } from '../../../src/access/caller.ts';
import { createMasker } from '../../../src/access/mask.ts';
import { buildDefaultRegistry } from '../../../src/app/default-registry.ts';
import { createProgressRegistry } from '../../../src/core/progress.ts';
import { placeAnywhere } from '../../../src/files/place.ts';
import { createRealFiles } from '../../../src/files/real.ts';
import { createGateway } from '../../../src/pipeline/gateway.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { createDispatcher } from '../../../src/services/queue/dispatcher.ts';
import { watchDirectory } from '../../../src/services/watchers/disk/hints.ts';
import { createOwnJournals } from '../../../src/services/watchers/own-journal.ts';
import { createWatchers } from '../../../src/services/watchers/watchers.ts';

const [state = '', effects = '', writer = '', watcher = '', refusal = ''] = process.argv.slice(2);
const clock = { now: Date.now, monotonic: () => performance.now() };
const log = () => {};
const store = embeddedStore({ file: storeFileIn(state), isServing: true, writer: new URL(writer) });

const registry = buildDefaultRegistry();
registry.register('FA_e2e_handled', (path: unknown) => {
  appendFileSync(effects, `${path}\n`);
  return true;
});
let ids = 0;
const gateway = createGateway({
  registry,
  progress: createProgressRegistry(clock.now),
  clock,
  log,
  masker: createMasker(),
  cwd: state,
  metrics: { render: async () => '' },
  defaults: undefined,
  readEnv: () => ({}),
  newId: () => `${++ids}`,
  newRunId: () => `${++ids}`,
  runProgram: () => Promise.reject(new Error('no programs here')),
  openFiles: ({ runId, budget }) =>
    createRealFiles({ cwd: state, policy: undefined, budget, place: placeAnywhere, journal: ownJournals.of(runId) }),
});
const dispatcher = createDispatcher({
  store,
  clock,
  log,
  runList(body, call) {
    ownJournals.begun(call);
    return gateway.run(body, call);
  },
  callerOf: () => OWNER,
  mask: (value) => value,
  onEnded: ({ claim }) => ownJournals.ended(claim.runId),
});
const watchers = createWatchers({
  store,
  clock,
  log,
  cancel: dispatcher.cancel,
  watchDirectory(path, listener) {
    if (refusal !== '') throw Object.assign(new Error(refusal), { code: refusal });
    return watchDirectory(path, listener);
  },
});
const ownJournals = createOwnJournals(watchers);

await store.ready();
watchers.start();
await dispatcher.start();
if ((await watchers.list()).length === 0) await watchers.add(JSON.parse(watcher), 'owner');
const [shown] = await watchers.list();
writeSync(1, `${shown?.state}\n`);
setInterval(() => {}, 60_000);
