import type { Caller } from '../access/caller.ts';
import type { GuardRules } from '../core/guard-rules.ts';
import type { ListDefaults } from '../core/list-defaults.ts';
import type { Clock, LogLevel, MetricsText, RunObserver } from '../core/ports.ts';
import type { ProgressRegistry } from '../core/progress.ts';
import type { Registry } from '../core/registry.ts';
import type { Dial } from '../lib/net/connect.ts';
import type { Lookup } from '../lib/net/guard.ts';
import type { ActionMap } from './actions.generated.ts';
import type { ConnectionSettings } from './storage/connection-settings.ts';
import type { ActionValue, CallArguments } from './typed/call.ts';
import type { ActionName } from './typed/commands.ts';
import type { ActionNames, ListRequest, ResultOf } from './typed/lists.ts';

// What a program sees of an instance. What the inside of the house has beyond it is in instance/instance.ts.

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
  /** Finds the addresses of names; by default as the system does. @internal */
  readonly lookup?: Lookup;
  /** Connects to an address that was judged; by default over TCP. @internal */
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

/** How one call of an action is made. */
export type ActionCallOptions = Pick<RunOptions, 'signal' | 'caller'>;

/** Runs one action and gives its value; one that fails throws the class of its error. */
export type CallAction = <N extends ActionName>(
  name: N,
  ...call: CallArguments<ActionMap, N, ActionCallOptions>
) => Promise<ActionValue<N>>;

/** An instance of its own: its registry, progress and runs are nobody else's. */
export interface Factotum extends AsyncDisposable {
  readonly registry: Registry;
  readonly progress: ProgressRegistry;
  /** Tells an observer of every run from now on; answers how to stop that. */
  observe(observer: RunObserver): () => void;
  /** The figures of this instance; it counts from the first call on. */
  metrics(): Promise<MetricsText>;
  /** Runs a list, a wrapped list or a graph; one that comes from outside goes through `unchecked`. */
  run<const N extends ActionNames>(request: ListRequest<ActionMap, N>, options?: RunOptions): Promise<ResultOf<ActionMap, N>>;
  /** Runs one action and gives its value; one that fails throws the class of its error. */
  readonly call: CallAction;
  /** Checks a request without running it; answers its names. */
  validate<const N extends ActionNames>(request: ListRequest<ActionMap, N>): Promise<string[]>;
  /** Stops taking lists, cancels what runs, and waits for it. */
  close(): Promise<void>;
}
