import { createMasker } from '../../src/access/mask.ts';
import { buildDefaultRegistry } from '../../src/app/default-registry.ts';
import type { Monitors } from '../../src/core/ports/integrity.ts';
import type { Notifications } from '../../src/core/ports/notify.ts';
import type { Watchers } from '../../src/core/ports/watchers.ts';
import { createProgressRegistry } from '../../src/core/progress.ts';
import { placeAnywhere, placeInside } from '../../src/files/place.ts';
import { createPlanningFiles } from '../../src/files/planning.ts';
import { createRealFiles } from '../../src/files/real.ts';
import { createGateway, type Gateway } from '../../src/pipeline/gateway.ts';

export interface GatewayServices {
  watchers?(callerOf: (runId: string) => string): Watchers;
  integrity?(callerOf: (runId: string) => string): Monitors;
  readonly notify?: Notifications;
}

/** A gateway on a directory, with services that a test brings. */
export const openWatchGateway = (cwd: string, services: GatewayServices): Gateway => {
  const callers = new Map<string, string>();
  const callerOf = (runId: string) => callers.get(runId) ?? 'nobody';
  const clock = { now: Date.now, monotonic: () => performance.now() };
  let runs = 0;
  return createGateway({
    registry: buildDefaultRegistry(),
    progress: createProgressRegistry(clock.now),
    clock,
    log: () => {},
    masker: createMasker(),
    cwd,
    metrics: { render: async () => '' },
    observer: { begun: ({ runId, caller }) => void callers.set(runId, caller), ended: () => {} },
    watchers: services.watchers?.(callerOf),
    integrity: services.integrity?.(callerOf),
    notify: services.notify,
    defaults: undefined,
    readEnv: () => ({}),
    newId: () => 'id',
    newRunId: () => `run ${++runs}`,
    runProgram: () => Promise.reject(new Error('no programs here')),
    openFiles({ caller: { policy }, budget, foresight }) {
      const real = createRealFiles({ cwd, policy, budget, place: policy === undefined ? placeAnywhere : placeInside(policy) });
      return foresight === undefined ? real : createPlanningFiles({ real, foresight, policy, budget, now: clock.now });
    },
  });
};
