import { type Caller, OWNER } from '../../src/access/caller.ts';
import { createMasker } from '../../src/access/mask.ts';
import { queue } from '../../src/actions/queue/index.ts';
import { buildDefaultRegistry } from '../../src/app/default-registry.ts';
import { newId, newRunId } from '../../src/app/instance/ids.ts';
import { openFileStore } from '../../src/app/state/open-file-store.ts';
import { createProgressRegistry } from '../../src/core/progress.ts';
import type { RunResult } from '../../src/core/result.ts';
import { placeAnywhere, placeInside } from '../../src/files/place.ts';
import { createPlanningFiles } from '../../src/files/planning.ts';
import { createRealFiles } from '../../src/files/real.ts';
import { runProgram } from '../../src/lib/process/run-program.ts';
import { createGateway } from '../../src/pipeline/gateway.ts';
import type { Store } from '../../src/services/engine/port.ts';
import { silentLog } from '../../src/services/log/log.ts';
import { createQueues } from '../../src/services/queue/queues.ts';

/** A house with queues, and a store of its own where one is given. */
export const openQueueHouse = (cwd: string, store?: Store): { run(list: unknown, caller?: Caller): Promise<RunResult> } => {
  const registry = buildDefaultRegistry();
  if (registry.about('FA_queue_enqueue') === undefined)
    registry.registerMany(Object.fromEntries(queue.actions.map((each) => [each.name, each])));
  const callers = new Map<string, string>();
  const now = Date.now;
  const masker = createMasker();
  const gateway = createGateway({
    registry,
    progress: createProgressRegistry(now),
    metrics: { render: async () => '' },
    queue: createQueues({
      store,
      openStore: openFileStore,
      callerOf: (runId) => callers.get(runId) ?? '',
      mask: masker.json,
    }),
    observer: { begun: ({ runId, caller }) => void callers.set(runId, caller), ended: ({ runId }) => void callers.delete(runId) },
    clock: { now, monotonic: () => performance.now() },
    log: silentLog,
    masker,
    cwd,
    runProgram,
    readEnv: () => ({}),
    newId,
    newRunId: () => newRunId(now()),
    openFiles({ caller: { policy }, budget, foresight }) {
      const real = createRealFiles({ cwd, policy, budget, place: policy === undefined ? placeAnywhere : placeInside(policy) });
      return foresight === undefined ? real : createPlanningFiles({ real, foresight, policy, budget, now });
    },
  });
  return { run: (list, caller = OWNER) => gateway.run(list, { caller }) };
};
