import { OWNER } from '../access/caller.ts';
import { createMasker } from '../access/mask.ts';
import { createShares } from '../access/shares.ts';
import type { Journal } from '../core/journal.ts';
import type { Clock } from '../core/ports.ts';
import { createProgressRegistry } from '../core/progress.ts';
import { houseSweeper } from '../files/disk/sweep.ts';
import { runProgram } from '../lib/process/run-program.ts';
import type { Runners } from '../pipeline/command/apart.ts';
import { createGateway, type HouseParts } from '../pipeline/gateway.ts';
import { createLog } from '../services/log/log.ts';
import { buildDefaultRegistry } from './default-registry.ts';
import { createCallersOfRuns } from './instance/callers-of-runs.ts';
import { newId, newRunId } from './instance/ids.ts';
import type { Adjustment, Instance, InstanceOptions } from './instance/instance.ts';
import { keptInFile } from './instance/kept-in-file.ts';
import { createLateMetrics } from './instance/late-metrics.ts';
import { createObservers } from './instance/observers.ts';
import { createReliability } from './instance/reliability.ts';
import { runFiles } from './instance/run-files.ts';
import { createRunningLists } from './instance/running-lists.ts';
import { createLateState } from './state/late-state.ts';
import { storedApprovals, storedServices, unstoredServices } from './state/stored-services.ts';
import { createLateNotes } from './storage/late-notes.ts';
import { createLateStorages } from './storage/late-storages.ts';
import { createLateWeb } from './web/late-web.ts';

/** Builds an isolated instance. */
export const createInstance = (given: InstanceOptions = {}): Instance => {
  const options: InstanceOptions =
    given.store === undefined ? given : { ...keptInFile(given.store, (...event) => log(...event)), ...given };
  const { registry = buildDefaultRegistry(), clock = systemClock, cwd = process.cwd(), env = process.env } = options;
  const masker = createMasker(options.secretVariables);
  const { level = 'warn', format = 'text', plans = options.log?.level === undefined, write = toStderr } = options.log ?? {};
  const logging = { level, format, write, clock, masker };
  const log = createLog(logging);
  const planLog = plans ? createLog({ ...logging, level: 'info' }) : log;

  const observers = createObservers(log);
  const observe = observers.add;
  if (options.observer !== undefined) observe(options.observer);
  const callersOfRuns = createCallersOfRuns();
  observe(callersOfRuns.observer);
  const progress = createProgressRegistry(clock.now, callersOfRuns.find);
  const metrics = createLateMetrics({ registry, observe, limits: () => limits.list(), inFlight: () => callersOfRuns.count });

  const callers = new Map([[OWNER.name, OWNER]]);
  const shares = createShares(clock.monotonic);
  const limitsOf = (name: string) => callers.get(name)?.policy ?? callersOfRuns.policyOf(name);
  const state = createLateState({
    options: options.state,
    gateway: () => gateway,
    metrics,
    clock,
    log,
    masker,
    registry,
    observe,
    callerOf: (name) => callers.get(name),
    callerOfRun: callersOfRuns.callerOf,
    sharerOf: callersOfRuns.sharerOf,
    limitsOf,
    shares,
  });
  const { sharedStore } = state;
  const { limits, locks, tracing, guards } = createReliability({
    store: sharedStore,
    registry,
    clock,
    log,
    newId,
    observe,
    takeChild: (runId) => shares.take(callersOfRuns.sharerOf(runId), 'maxChildren'),
    demandName: (name, used) => shares.demand({ name, policy: limitsOf(name) }, 'maxNames', used),
  });
  const journalOf = (runId: string): Journal | undefined => {
    const own = options.journalOf?.(runId);
    return state.opened === undefined ? own : state.opened.journalOf(runId, own);
  };

  let { connections } = options;
  const storages = createLateStorages({
    clock,
    env,
    connections: () => connections,
    outbound: () => outbound,
    metrics,
    learn: masker.learn,
  });
  const runners = options.openRunners?.({ cwd, log, tellerOf: (runId) => state.opened?.tellerOf(runId) });
  const settle = settling(runners, options.settleRun);
  const parts: HouseParts = {
    ...(options.forgetsNothing ? unstoredServices(state, { callerOf: callersOfRuns.callerOf, mask: masker.json }) : storedServices(state)),
    shares,
    approvals: options.approvals ?? storedApprovals(state),
    limits,
    locks,
    tracing,
    guards: guards(options.guards),
    defaults: options.defaults,
    registry,
    progress,
    clock,
    log,
    planLog,
    masker,
    cwd,
    runProgram,
    observer: observers,
    runners,
    ...(settle !== undefined && { settle }),
    config: options.configuration ?? {
      apply: async (path) => (await import('./config/apply-config.ts')).applyConfig(path, { adjust, state: state.open, env }),
      check: async (path) => (await import('./config/apply-config.ts')).checkConfig(path, { env }),
    },
    metrics: { render: async () => (await metrics()).render() },
    readEnv: () => withoutOwn(env),
    newId,
    newRunId: () => newRunId(clock.now()),
    openFiles: runFiles({ cwd, clock, journalOf }),
    openWeb: createLateWeb(() => outbound),
    transfers: createLateNotes({ env, now: clock.now }),
    openStorage: storages.openStorage,
    ownConnections: storages.ownConnections,
    isLasting: storages.isLasting,
  };
  let { outbound = {} } = options;
  const gateway = createGateway(parts);
  const adjust = (change: Adjustment): void => {
    Object.assign(logging, change.log);
    outbound = { ...outbound, ...change.outbound };
    connections = change.connections;
    Object.assign(parts, { defaults: change.defaults, guards: guards(change.guards) }); // the gateway looks them up there
  };

  const lists = createRunningLists(gateway, given.store === undefined ? undefined : state.open);
  const close = async () => {
    await lists.close();
    await runners?.close();
    await storages.close();
    await state.close();
    await houseSweeper.settled();
  };
  return {
    registry,
    progress,
    gateway,
    masker,
    log,
    observe,
    metrics,
    callers,
    callerOfRun: callersOfRuns.find,
    shares,
    state: state.open,
    adjust,
    run: lists.run,
    validate: (request) => gateway.inspect(request, OWNER),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** What threads have written down of a run comes before its end is. */
const settling = (
  runners: Runners | undefined,
  settleRun: InstanceOptions['settleRun'],
): ((runId: string) => Promise<unknown> | undefined) | undefined => {
  if (runners === undefined) return settleRun;
  return (runId) => {
    const closing = runners.settle(runId);
    return closing === undefined ? settleRun?.(runId) : closing.then(() => settleRun?.(runId));
  };
};

const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() };

const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** The service's own configuration and secrets: no reference reads them and no program inherits them. */
const withoutOwn = (env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^FACTOTUM_/i.test(name)));
