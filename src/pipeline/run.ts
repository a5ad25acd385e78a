import type { Caller } from '../access/caller.ts';
import type { Masker } from '../access/mask.ts';
import type { Shares } from '../access/shares.ts';
import type { KeptNames, StepOptions } from '../core/context.ts';
import type { FileAutomationException } from '../core/errors.ts';
import type { FilePort } from '../core/files.ts';
import type { ListDefaults } from '../core/list-defaults.ts';
import type { Foresight } from '../core/planning.ts';
import type { PlanApprovals } from '../core/ports/approvals.ts';
import type { OwnConnections } from '../core/ports/connections.ts';
import type { Guard } from '../core/ports/limits.ts';
import type { Web, WebOptions } from '../core/ports/web.ts';
import type { Clock, Log, RunObserver, RunProgram, Services } from '../core/ports.ts';
import type { Budget } from '../core/quota.ts';
import type { Outcome, RunResult } from '../core/result.ts';
import type { RetryRule } from '../core/retry.ts';
import type { StoragePlace } from '../core/storage.ts';
import type { Runners } from './command/apart.ts';
import type { Read } from './command/bind.ts';
import type { Stopwatch } from './command/stopwatch.ts';
import type { Basis } from './plan/basis.ts';
import type { Usage } from './usage.ts';

/** The arguments of a command as written. */
export type Written = readonly unknown[] | { readonly [key: string]: unknown } | undefined;

/** One command as parsed. A malformed one carries its fault and fails alone. */
export interface Command {
  readonly index: number;
  readonly name: string | null;
  readonly given: Written;
  readonly fault: FileAutomationException | undefined;
  /** Only the nodes of a graph have the following. */
  readonly id?: string;
  readonly after?: readonly string[];
  readonly always?: boolean;
  readonly retry?: RetryRule;
  readonly timeoutS?: number;
}

/** A list or graph as parsed, with its options. */
export interface Job {
  readonly mode: 'serial' | 'parallel' | 'graph';
  readonly commands: readonly Command[];
  readonly validateFirst: boolean;
  readonly dryRun: boolean;
  readonly maxWorkers: number;
  readonly failFast: boolean;
  readonly stopOnError: boolean;
  readonly expectPlan?: string;
  readonly label?: string;
  readonly maxBytes: number;
  readonly maxSeconds: number;
}

/** What a whole instance shares: the pipeline sees the rest of the house through this. */
export interface House extends Services {
  readonly clock: Clock;
  readonly log: Log;
  /** Told of the calls that a dry run would make; left out where the log is. */
  readonly planLog?: Log | undefined;
  readonly masker: Masker;
  readonly cwd: string;
  readonly runProgram: RunProgram;
  /** What callers have of what all share; left out where nobody counts. */
  readonly shares?: Shares | undefined;
  readonly observer?: RunObserver | undefined;
  /** Left out where commands run on the thread that asks for them. */
  readonly runners?: Runners | undefined;
  /** Does what is left to do for the files of a run, before anybody is told that it is over. */
  settle?(runId: string): Promise<unknown> | undefined;
  readonly defaults?: ListDefaults | undefined;
  /** What stands around actions, by name. */
  readonly guards?: ReadonlyMap<string, Guard> | undefined;
  /** Plans of callers who need somebody's yes; left out where nobody can give it. */
  readonly approvals?: PlanApprovals | undefined;
  readEnv(): Readonly<Record<string, string | undefined>>;
  newRunId(): string;
  newId(): string;
  openFiles(rules: {
    readonly runId: string;
    readonly caller: Caller;
    readonly budget: Budget | undefined;
    readonly foresight: Foresight | undefined;
  }): FilePort;
  /** Opens the storage of a location for one command; left out where only paths of this machine are known. */
  openStorage?(location: string, use: StorageUse): Promise<StoragePlace>;
  /** Opens the way to URLs for one command; left out where no other machine is reached. */
  openWeb?(options: WebOptions, use: StorageUse): Promise<Web>;
  /** The connections that a caller has opened for itself; left out where only paths of this machine are known. */
  ownConnections?(use: StorageUse): OwnConnections;
  /** Whether a list that runs later, or in another process, reaches a location; left out where all are alike. */
  isLasting?(location: string): boolean;
  /** Runs a list inside a running one. Set by the gateway, so that no stage imports it. */
  enter(list: unknown, within: Within): Promise<RunResult>;
  /** Checks a list without running it; answers its names in order. */
  inspect(list: unknown, caller: Caller, kept?: KeptNames): Promise<string[]>;
}

/** Who uses a storage or the web, and how far. */
export interface StorageUse {
  readonly caller: Caller;
  /** The list was kept for later, so that only connections of the configuration are meant. */
  readonly isKept: boolean;
  readonly budget: Budget | undefined;
  /** Set in a dry run. */
  readonly foresight: Foresight | undefined;
  /** Told of each location that is about to be changed; left out where nothing could be undone anyhow. */
  readonly changing?: ((location: string) => void) | undefined;
  /** How the run reaches this machine. */
  readonly files: FilePort;
  readonly signal: AbortSignal;
}

/** Where a nested list runs. */
export interface Within {
  readonly parent: ListRun;
  /** Where it stands, among the lists that share a basis. */
  readonly place: string;
  readonly signal: AbortSignal;
  readonly options: StepOptions;
  /** Where it adds up what its result takes. */
  readonly tally?: Tally | undefined;
}

/** The bytes that lists have added to the answer. */
export interface Tally {
  bytes: number;
}

/** A run: one tree of lists with one identity, one caller, one start and one budget. */
export interface Run {
  readonly id: string;
  readonly house: House;
  readonly caller: Caller;
  /** Its list was queued, scheduled or stored for what happens to files. */
  readonly isKept: boolean;
  readonly startedAt: Date;
  /** What it may still use. */
  readonly usage: Usage;
  /** Read once, at the first need. */
  env: Readonly<Record<string, string | undefined>> | undefined;
  /** How many more unknown names are answered with a suggestion. */
  hintsLeft: number;
  /** Where somebody must say yes: the commands of the list at every depth, which are gathered until the yes is given. */
  approval: { readonly commands: Set<string>; isGiven: boolean } | undefined;
}

/** One list of a run while it is under way. */
export interface ListRun {
  readonly run: Run;
  readonly job: Job;
  readonly depth: number;
  readonly signal: AbortSignal;
  /** The file port, opened when it is first needed: many lists touch no file. */
  files(): FilePort;
  readonly budget: Budget | undefined;
  readonly retry: RetryRule | undefined;
  readonly named: ReadonlyMap<string, unknown> | undefined;
  /** Values are printed and nothing else is done with them. */
  readonly isPrinted: boolean;
  /** Set in a dry run. */
  readonly foresight: Foresight | undefined;
  /** Set in a dry run, and in a run that names a plan which depends on it; others have their own start and fresh identifiers. */
  readonly basis: Basis | undefined;
  /** Where the list stands among those with the same basis; empty for the outermost. */
  readonly place: string;
  readonly outcomes: (Outcome | undefined)[];
  readonly stopwatch: Stopwatch;
  /** Set where the result may be left out of the answer. */
  readonly tally: Tally | undefined;
  /** Positions of nodes by id; graphs only. */
  readonly places: ReadonlyMap<string, number> | undefined;
  /** Reads references as a command of this list may. */
  readonly read: Read;
}

/** Whether the commands that wait for this one may run. */
export type Verdict = 'good' | 'bad';

/** All that the schedule knows of commands. */
export interface Steps {
  take(at: number): Verdict | Promise<Verdict>;
  leave(at: number, status: 'skipped' | 'cancelled', because: number | undefined): void;
  /** Whether a command runs whatever became of those before it; left out where none does. */
  always?(at: number): boolean;
  /** Told that others had a turn since the last command. */
  resume?(): void;
}
