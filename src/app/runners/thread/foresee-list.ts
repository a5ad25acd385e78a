import { createMasker } from '../../../access/mask.ts';
import type { Policy } from '../../../access/policy.ts';
import { InternalException } from '../../../core/errors.ts';
import { createProgressRegistry } from '../../../core/progress.ts';
import type { Registry } from '../../../core/registry.ts';
import type { RunResult } from '../../../core/result.ts';
import { createKeeper } from '../../../files/journal/keep.ts';
import { placeAnywhere, placeInside } from '../../../files/place.ts';
import { createPlanningFiles } from '../../../files/planning.ts';
import { createRealFiles } from '../../../files/real.ts';
import { threadSlices } from '../../../lib/async/time-slice.ts';
import { MAX_HINTS } from '../../../pipeline/command/command.ts';
import { createGateway, type HouseParts } from '../../../pipeline/gateway.ts';
import { link } from '../../../pipeline/list/link.ts';
import { load } from '../../../pipeline/list/load.ts';
import { runList } from '../../../pipeline/list/run-list.ts';
import type { House } from '../../../pipeline/run.ts';
import { Usage } from '../../../pipeline/usage.ts';
import { newId, newRunId } from '../../instance/ids.ts';
import type { PlanOrder, Telling } from '../messages.ts';

export interface ForeseeParts {
  readonly registry: Registry;
  readonly cwd: string;
  readonly policy: Policy | undefined;
  readonly signal: AbortSignal;
  tell(telling: Telling): void;
}

/** Plans a list by the same line that plans it in the house, over the same files. */
export const foreseeList = async (order: PlanOrder, parts: ForeseeParts): Promise<RunResult> => {
  const { runId, job, caller, isRemote, startedAtMs, isRehearsal, named, defaults } = order;
  const { registry, policy, signal } = parts;
  const house = houseFor(order, parts);
  await load(job, house);
  return runList({
    job,
    linked: link(job, registry),
    run: {
      id: runId,
      house,
      caller: { name: caller, remote: isRemote, ...(policy && { policy }) },
      isKept: false, // commands on threads use no storage elsewhere
      startedAt: new Date(startedAtMs),
      usage: new Usage(defaults, threadSlices),
      env: undefined,
      hintsLeft: MAX_HINTS,
      approval: undefined,
    },
    signal,
    depth: 1,
    isRehearsal,
    named,
  });
};

/** As much of a house as planning needs. */
const houseFor = ({ runId, journal, defaults, policy: _, ...order }: PlanOrder, { registry, cwd, policy, tell }: ForeseeParts): House => {
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const keeper = journal?.kept && createKeeper({ runId, ...journal.kept });
  const house: HouseParts = {
    registry,
    progress: createProgressRegistry(),
    metrics: { render: async () => staysAtHome() },
    clock,
    log: (level, message, fields) => tell({ what: 'log', level, message, ...(fields && { fields }) }),
    planLog: (_level, message, fields) => tell({ what: 'planned', message, ...(fields && { fields }) }),
    masker: createMasker(),
    cwd: order.cwd ?? cwd,
    defaults,
    runProgram: async () => staysAtHome(),
    readEnv: () => ({}),
    newRunId: () => newRunId(clock.now()),
    newId,
    openFiles({ budget, foresight }) {
      const place = policy === undefined ? placeAnywhere : placeInside(policy);
      const real = createRealFiles({ cwd: order.cwd ?? cwd, policy, budget, place });
      if (foresight === undefined) return real;
      const { limits: undoLimits, placeBelow } = keeper ?? {};
      return createPlanningFiles({ real, foresight, policy, budget, undoLimits, placeBelow, now: clock.now });
    },
  };
  createGateway(house);
  return house as House; // the gateway has added its part
};

const staysAtHome = (): never => {
  throw new InternalException('A plan on another thread asked for what only the house has.');
};
