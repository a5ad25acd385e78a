import type { Caller } from '../../access/caller.ts';
import type { Masker } from '../../access/mask.ts';
import type { Shares } from '../../access/shares.ts';
import type { Journal } from '../../core/journal.ts';
import type { PlanApprovals } from '../../core/ports/approvals.ts';
import type { Configuration } from '../../core/ports/config.ts';
import type { Log, RunObserver } from '../../core/ports.ts';
import type { ProgressRegistry } from '../../core/progress.ts';
import type { Registry } from '../../core/registry.ts';
import type { RunResult } from '../../core/result.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import type { Store } from '../../services/engine/port.ts';
import type { LogLook } from '../../services/log/log.ts';
import type { Metrics } from '../../services/metrics/metrics.ts';
import type { FactotumOptions, RunOptions } from '../factotum.ts';
import type { OpenRunners } from '../runners/runners.ts';
import type { State, StateParts } from '../state/state.ts';

/** How an instance is to be, for the house itself: what a program may say, and how it is put together. */
export interface InstanceOptions extends FactotumOptions {
  /** What `store` is, put together by somebody else. */
  readonly state?: StateOptions;
  /** Refuses schedules, watchers, monitors and queued lists rather than forget them with the instance; for one that has no store. */
  readonly forgetsNothing?: boolean;
  /** Where plans wait for a yes, for callers who need one; by default where the rest is kept. */
  readonly approvals?: PlanApprovals;
  /** The journal of a run, so that it can be undone; asked for every file port of the run. */
  readonly journalOf?: (runId: string) => Journal | undefined;
  /** What applies a configuration file; by default its sinks and defaults count from then on. */
  readonly configuration?: Configuration;
  /** Called when a run has ended, before anybody is told. */
  readonly settleRun?: (runId: string) => Promise<unknown> | undefined;
  /** Opens the threads that commands run on; left out, they run on the thread that asks for them. */
  readonly openRunners?: (parts: RunnersParts) => OpenRunners;
}

/** What threads for commands need of their instance. */
export interface RunnersParts {
  readonly cwd: string;
  readonly log: Log;
  /** What is to be called with paths that a run is about to change; undefined where no watcher is behind it. */
  tellerOf(runId: string): ((paths: readonly string[]) => void) | undefined;
}

/** What of an instance may change while lists run. */
export interface Adjustment extends Pick<FactotumOptions, 'defaults' | 'guards' | 'outbound' | 'connections'> {
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

/** An instance as the house itself uses it. */
export interface Instance extends AsyncDisposable {
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
  /** The name of the caller of a run; undefined where it is not under way. */
  callerOfRun(runId: string): string | undefined;
  /** What callers have of what all share. */
  readonly shares: Shares;
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
