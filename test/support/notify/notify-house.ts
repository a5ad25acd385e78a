import { type Caller, OWNER } from '../../../src/access/caller.ts';
import { buildDefaultRegistry } from '../../../src/app/default-registry.ts';
import { newId, newRunId } from '../../../src/app/instance/ids.ts';
import { createProgressRegistry } from '../../../src/core/progress.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { placeAnywhere } from '../../../src/files/place.ts';
import { createRealFiles } from '../../../src/files/real.ts';
import { runProgram } from '../../../src/lib/process/run-program.ts';
import { createGateway } from '../../../src/pipeline/gateway.ts';
import { silentLog } from '../../../src/services/log/log.ts';
import type { TestNotifier } from './open-notifier.ts';

/** Runs lists in a house whose notifications are those of a test. */
export const runWith =
  ({ notifier, masker }: Pick<TestNotifier, 'notifier' | 'masker'>, env: Readonly<Record<string, string>> = {}) =>
  (list: unknown, caller: Caller = OWNER): Promise<RunResult> => {
    const cwd = process.cwd();
    const gateway = createGateway({
      registry: buildDefaultRegistry(),
      progress: createProgressRegistry(Date.now),
      metrics: { render: async () => '' },
      notify: notifier,
      clock: { now: Date.now, monotonic: () => performance.now() },
      log: silentLog,
      masker,
      cwd,
      runProgram,
      readEnv: () => env,
      newId,
      newRunId: () => newRunId(Date.now()),
      openFiles: ({ budget }) => createRealFiles({ cwd, policy: undefined, budget, place: placeAnywhere }),
    });
    return gateway.run(list, { caller });
  };
