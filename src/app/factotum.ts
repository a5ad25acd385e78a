import type { Caller } from '../access/caller.ts';
import type { Masker } from '../access/mask.ts';
import type { Shares } from '../access/shares.ts';
import type { Journal } from '../core/journal.ts';
import type { PlanApprovals } from '../core/ports/approvals.ts';
import type { Configuration } from '../core/ports/config.ts';
import type { Clock, Log, LogLevel, RunObserver } from '../core/ports.ts';
import type { ProgressRegistry } from '../core/progress.ts';
import type { Registry } from '../core/registry.ts';
import type { RunResult } from '../core/result.ts';
import type { Dial } from '../lib/net/connect.ts';
import type { Lookup } from '../lib/net/guard.ts';
import type { Gateway } from '../pipeline/gateway.ts';
import type { ListDefaults } from '../pipeline/run.ts';
import type { Store } from '../services/engine/port.ts';
import type { GuardRules } from '../services/limits/guard.ts';
import type { LogLook } from '../services/log/log.ts';
import type { Metrics } from '../services/metrics/metrics.ts';
import type { OpenRunners } from './runners/runners.ts';
import type { State, StateParts } from './state/state.ts';
import type { ConnectionSettings } from './storage/connection-settings.ts';

/** What an instance tells while it works; each event is a line on standard error unless something else is said. */
export interface LogSettings {
  /** The least important events that are told; by default `warn`. */
  readonly level?: LogLevel | 'silent';
  readonly format?: 'text' | 'json';
  /** Tell the calls that a dry run would make, whatever the level says; by default so unless a level is chosen. */
  readonly plans?: boolean;
  readonly write?: (line: string) => void;
}

/** How an instance reaches other machines. */
export interface NetworkSettings {
  /** Machines of private networks that downloads may reach all the same: `host`, `host:port` or `*.lan`. */
  readonly privateHosts?: readonly string[];
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string;
  /** Finds the addresses of names; by default as the system does. */
  readonly lookup?: Lookup;
  /** Connects to an address that was judged; by default over TCP. */
  readonly dial?: Dial;
}

/** How an instance is to be; everything has a default. */
export interface FactotumOptions {
  /** Relative paths count from here; by default the working directory of the process. */
  readonly cwd?: string;
  /** Share a registry between instances; by default each has its own with every built-in action. */
  readonly registry?: Registry;
  readonly log?: LogSettings;
  /** The environment that `${env:…}` and programs see; by default that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Environment variables whose values are masked, beside those named like a secret. */
  readonly secretVariables?: readonly string[];
  readonly clock?: Clock;
  /** What holds where a list does not say otherwise. */
  readonly defaults?: ListDefaults;
  /** What stands around every call of an action, by name: retries, limits, locks. */
  readonly guards?: Readonly<Record<string, GuardRules>>;
  /** By default every address that is not public is closed to downloads. */
  readonly outbound?: NetworkSettings;
  /** What `scheme+NAME://` in locations stands for. */
  readonly connections?: ConnectionSettings;
  /** Told of every run and its end. */
  readonly observer?: RunObserver;
  /**
   * The file in which the history, queues, schedules, watchers and locks are kept. The instance runs what is stored there, so one has it
   * at a time; its directory is private (mode 0700) and made where it is missing. Without it, all of that lives as long as the instance.
   */
  readonly store?: string;
  /** The same, put together by somebody else. */
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

/** One run, as a program asks for it. Of what the list and the call say the stricter holds. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly caller?: Caller;
  /** Only tell what would happen. */
  readonly dryRun?: boolean;
  /** Check every name and argument before the first command runs. */
  readonly validateFirst?: boolean;
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
