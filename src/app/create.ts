import { type Caller, OWNER } from '../access/caller.ts';
import { createMasker, type Masker } from '../access/mask.ts';
import { CancelledException } from '../core/errors.ts';
import type { Journal } from '../core/files.ts';
import type { PlanApprovals } from '../core/ports/approvals.ts';
import type { Configuration } from '../core/ports/config.ts';
import type { Clock, Log, LogLevel, RunObserver } from '../core/ports.ts';
import { createProgressRegistry, type ProgressRegistry } from '../core/progress.ts';
import { createRegistry, type Registry } from '../core/registry.ts';
import type { RunResult } from '../core/result.ts';
import { placeAnywhere, placeInside } from '../files/place.ts';
import { createPlanningFiles } from '../files/planning.ts';
import { createRealFiles } from '../files/real.ts';
import { runProgram } from '../lib/process/run-program.ts';
import { createGateway, type Gateway, type HouseParts } from '../pipeline/gateway.ts';
import type { ListDefaults } from '../pipeline/run.ts';
import type { Store } from '../services/engine/port.ts';
import type { GuardRules } from '../services/limits/guard.ts';
import { createLog, type LogLook } from '../services/log/log.ts';
import type { Metrics } from '../services/metrics/metrics.ts';
import { createCallersOfRuns } from './callers-of-runs.ts';
import { builtInFamilies } from './catalogue.ts';
import { newId, newRunId } from './ids.ts';
import { late } from './late.ts';
import { createObservers } from './observers.ts';
import { createReliability } from './reliability.ts';
import type { State, StateParts } from './state.ts';

export interface FactotumOptions {
  /** Relative paths count from here; by default the working directory of the process. */
  readonly cwd?: string;
  /** Share a registry between instances; by default each has its own with every built-in action. */
  readonly registry?: Registry;
  readonly log?: { readonly level?: LogLevel | 'silent'; readonly format?: 'text' | 'json'; readonly write?: (line: string) => void };
  /** The environment that `${env:…}` and programs see; by default that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Environment variables whose values are masked, beside those named like a secret. */
  readonly secretVariables?: readonly string[];
  readonly clock?: Clock;
  /** What holds where a list does not say otherwise. */
  readonly defaults?: ListDefaults;
  /** What stands around every call of an action, by name: retries, limits, locks. */
  readonly guards?: Readonly<Record<string, GuardRules>>;
  /** Told of every run and its end. */
  readonly observer?: RunObserver;
  /** Where what outlives a call is kept; without it, in memory, for as long as the instance lives. */
  readonly state?: StateOptions;
  /** Where plans wait for a yes, for callers who need one; by default where the rest is kept. */
  readonly approvals?: PlanApprovals;
  /** The journal of a run, so that it can be undone; asked for every file port of the run. */
  readonly journalOf?: (runId: string) => Journal | undefined;
  /** What applies a configuration file; by default its sinks and defaults count from then on. */
  readonly configuration?: Configuration;
  /** Called when a run has ended, before anybody is told. */
  readonly settleRun?: (runId: string) => Promise<unknown>;
}

/** What of an instance may change while lists run. */
export interface Adjustment extends Pick<FactotumOptions, 'defaults' | 'guards'> {
  /** What is left out stays. */
  readonly log?: Partial<LogLook>;
}

/** How an instance keeps what outlives a call. */
export interface StateOptions extends Pick<StateParts, 'sinks' | 'resolveSecret' | 'dedupMs'> {
  /** Asked when something is first to be kept. */
  open(): Store | Promise<Store>;
  /** Whether this instance runs what is queued, due or seen; one that ends after a list only writes it down. */
  readonly isServing: boolean;
  /** Whether every run is written down. */
  readonly keepsHistory: boolean;
  /** Called before it begins to serve. */
  configure?(state: State): Promise<void>;
}

/** One run, as a program asks for it. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly caller?: Caller;
}

/** An instance of the house: its own registry, progress and runs. */
export interface Factotum extends AsyncDisposable {
  readonly registry: Registry;
  readonly progress: ProgressRegistry;
  readonly gateway: Gateway;
  readonly masker: Masker;
  readonly log: Log;
  /** Tells an observer of every run from now on; answers how to stop that. */
  observe(observer: RunObserver): () => void;
  /** The figures of this instance; it counts from the first call on. */
  metrics(): Promise<Metrics>;
  /** Whose names stored work may bear; the owner is known. */
  readonly callers: Map<string, Caller>;
  /** What outlives a call; made when first asked for. */
  state(): Promise<State>;
  /** Changes what may change meanwhile; the next command sees it. */
  adjust(change: Adjustment): void;
  /** Runs a list, a wrapped list or a graph. */
  run(request: unknown, options?: RunOptions): Promise<RunResult>;
  /** Checks a request without running it; answers its names. */
  validate(request: unknown): Promise<string[]>;
  /** Stops taking lists, cancels what runs, and waits for it. */
  close(): Promise<void>;
}

const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() };

/** A registry with every built-in action; its code is loaded when first needed. */
export const buildDefaultRegistry = (): Registry => {
  const registry = createRegistry();
  for (const family of builtInFamilies()) registry.registerFamily(family);
  return registry;
};

/** Builds an isolated instance. */
export const createFactotum = (options: FactotumOptions = {}): Factotum => {
  const { registry = buildDefaultRegistry(), clock = systemClock, env } = options;
  const masker = createMasker(options.secretVariables);
  const cwd = options.cwd ?? process.cwd();
  const progress = createProgressRegistry(clock.now);
  const logging = {
    level: options.log?.level ?? 'warn',
    format: options.log?.format ?? 'text',
    write: options.log?.write ?? ((line: string) => void process.stderr.write(`${line}\n`)),
    clock,
    masker,
  };
  const log = createLog(logging);
  const observers = createObservers();
  if (options.observer !== undefined) observers.add(options.observer);
  const callersOfRuns = createCallersOfRuns();
  observers.add(callersOfRuns.observer);
  let counting: Promise<Metrics> | undefined;
  const metrics = (): Promise<Metrics> => {
    counting ??= import('../services/metrics/metrics.ts').then(({ createMetrics }) => {
      const made = createMetrics({ registry });
      observers.add(made.observer);
      return made;
    });
    return counting;
  };
  const callers = new Map([[OWNER.name, OWNER]]);
  let opening: Promise<State> | undefined;
  let kept: State | undefined;
  const state = (): Promise<State> => {
    opening ??= openStateOf();
    return opening;
  };
  const openStateOf = async (): Promise<State> => {
    const [{ openState }, { meters }] = await Promise.all([import('./state.ts'), metrics()]);
    const { open = openMemory, isServing = true, keepsHistory = false, configure, ...further } = options.state ?? {};
    const store = await open();
    const callerOf = (name: string) => callers.get(name);
    kept = await openState({
      ...further,
      store,
      gateway,
      clock,
      log,
      masker,
      meters,
      observe: observers.add,
      callerOf,
      callerOfRun: callersOfRuns.callerOf,
      keepsHistory,
    });
    await configure?.(kept);
    if (isServing) await kept.start();
    return kept;
  };
  const openMemory = async () => (await import('../services/engine/memory/memory-store.ts')).memoryStore({ now: clock.now });
  const { limits, locks, tracing, guards } = createReliability({
    store: () => kept?.store,
    registry,
    clock,
    log,
    masker,
    newId,
    observe: observers.add,
    meters: { breakerChanged: (name, state) => void counting?.then(({ meters }) => meters.breakerChanged(name, state)) },
  });
  const parts: HouseParts = {
    limits,
    locks,
    tracing,
    audit: late(async () => (await state()).services.audit),
    notify: late(async () => (await state()).services.notify),
    queue: late(async () => (await state()).services.queue),
    scheduler: late(async () => (await state()).services.scheduler),
    watchers: late(async () => (await state()).services.watchers),
    integrity: late(async () => (await state()).services.integrity),
    guards: guards(options.guards),
    approvals: options.approvals ?? {
      propose: async (plan) => (await state()).store.approvals.propose(plan),
      consume: async (planHash, caller) => (await state()).store.approvals.consume(planHash, caller),
    },
    registry,
    progress,
    clock,
    log,
    masker,
    cwd,
    runProgram,
    observer: observers,
    ...(options.settleRun !== undefined && { settle: options.settleRun }),
    config: options.configuration ?? {
      apply: async (path) => (await import('./apply-config.ts')).applyConfig(path, { adjust, state, env: env ?? process.env }),
    },
    metrics: { render: async () => (await metrics()).render() },
    defaults: options.defaults,
    readEnv: () => withoutOwn(env ?? process.env),
    newId,
    newRunId: () => newRunId(clock.now()),
    openFiles({ runId, caller: { policy }, budget, foresight }) {
      const place = policy === undefined ? placeAnywhere : placeInside(policy);
      const journal = journalFor(runId);
      if (foresight === undefined) return createRealFiles({ cwd, policy, budget, place, journal });
      const real = createRealFiles({ cwd, policy, budget, place });
      return createPlanningFiles({ real, foresight, policy, budget, undoBytes: journal?.maxBytes, now: clock.now });
    },
  };
  const journalFor = (runId: string): Journal | undefined => {
    const own = options.journalOf?.(runId);
    return kept === undefined ? own : kept.journalOf(runId, own);
  };
  const gateway = createGateway(parts);
  const adjust = (change: Adjustment): void => {
    Object.assign(logging, change.log);
    Object.assign(parts, { defaults: change.defaults, guards: guards(change.guards) }); // the gateway looks them up there
  };
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const run = (request: unknown, { signal, caller = OWNER }: RunOptions = {}): Promise<RunResult> => {
    if (closing.signal.aborted) return Promise.reject(closed());
    // Per run, not per command: a combined signal costs microseconds.
    const stop = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const result = gateway.run(request, { caller, signal: stop });
    running.add(result);
    const done = () => running.delete(result);
    result.then(done, done);
    return result;
  };

  const close = async () => {
    closing.abort(closed());
    await Promise.allSettled(running);
    await (await opening?.catch(() => undefined))?.close();
  };

  return {
    registry,
    progress,
    gateway,
    masker,
    log,
    observe: observers.add,
    metrics,
    callers,
    state,
    adjust,
    run,
    validate: (request) => gateway.inspect(request, OWNER),
    close,
    [Symbol.asyncDispose]: close,
  };
};

const closed = () => new CancelledException('This instance is closed; create another one.');

/** The service's own configuration and secrets: no reference reads them and no program inherits them. */
const withoutOwn = (env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^FACTOTUM_/i.test(name)));
