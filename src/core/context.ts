import type { FilePort } from './files.ts';
import type { OwnConnections } from './ports/connections.ts';
import type { Web, WebOptions } from './ports/web.ts';
import type { Clock, Log, ProgramRequest, ProgramResult, Services } from './ports.ts';
import type { Progress } from './progress.ts';
import type { Note, RunResult } from './result.ts';
import type { RetryRule } from './retry.ts';
import type { StoragePlace } from './storage.ts';

/** How a nested list runs, beyond what it says of itself. */
export interface StepOptions {
  readonly mode?: 'serial' | 'parallel';
  readonly maxWorkers?: number;
  readonly failFast?: boolean;
  readonly stopOnError?: boolean;
  readonly validateFirst?: boolean;
  readonly dryRun?: boolean;
  readonly retry?: RetryRule;
  readonly timeoutS?: number;
  readonly maxBytes?: number;
  readonly maxSeconds?: number;
  /** Stops the list instead of the command's signal, which it must follow; its reason is what became of the command. */
  readonly signal?: AbortSignal;
  /** There may be very many such lists; beyond some thousands the entry shows only their sum, and so does what `runSteps` gives (`isAddedUp`). */
  readonly isOneOfMany?: boolean;
  /** Which of the command's lists it is; by default as many as were begun before it. */
  readonly at?: number;
  /** Names that references may use inside: `${item}`, `${index}`. */
  readonly named?: ReadonlyMap<string, unknown>;
}

/** What references of a list that is kept may name when it runs, and the keys of each: `event` has `path`. */
export type KeptNames = ReadonlyMap<string, readonly string[]>;

/** What an action gets. Every member survives destructuring. In a dry run `files` is the planning port. */
export interface Context {
  /** Aborted when the run is cancelled or the command's time is up. */
  readonly signal: AbortSignal;
  readonly files: FilePort;
  readonly log: Log;
  readonly clock: Clock;
  readonly cwd: string;
  readonly runId: string;
  /** Whether the caller has limits; the owner has none that count here. */
  readonly isLimited: boolean;
  readonly services: Services;
  /** The value is printed and nothing else is done with it: it may be given as a `PrintedValue`. */
  readonly isPrinted: boolean;
  /** The name under which the store keeps something that the caller calls so: callers with limits have a space of their own, but for names that are shared. */
  ownName(name: string): string;
  /** A fresh random identifier, 32 hex digits. */
  newId(): string;
  /** Shows long work to onlookers; finished by the pipeline when the action ends. */
  progress(name: string, total?: number, unit?: 'bytes' | 'items'): Progress;
  /** Opens the storage of a location, as the caller may use it; it is closed when the run ends. In a dry run it only looks. */
  storage(location: string): Promise<StoragePlace>;
  /** Opens the way to URLs, as the caller may ask for them; whoever opens it closes it. In a dry run it only looks. */
  web(options: WebOptions): Promise<Web>;
  /** The caller's own connections to storages elsewhere. */
  readonly connections: OwnConnections;
  /** Adds to the command's entry what is worth knowing and no failure. */
  note(note: Note): void;
  /** Runs a program, if the caller may. */
  spawn(request: Omit<ProgramRequest, 'signal'>): Promise<ProgramResult>;
  /**
   * Runs a nested list as the same caller under the same budget; its result is shown in the command's entry.
   * Rejects with the reason of `signal` when that stopped the list.
   */
  runSteps(list: unknown, options?: StepOptions): Promise<RunResult>;
  /**
   * The names of a list, in order, after checking shapes, names and arguments at every depth (`ValidationException`). One that is `kept`
   * runs another time: what its references may name then is told, and variables are those of that time.
   */
  validateSteps(list: unknown, kept?: KeptNames): Promise<string[]>;
  /** Refuses (`ValidationException`) a list that is to be kept where it could only run now. */
  demandKeepable(list: unknown): void;
  /** Reads references inside a value, as the pipeline does for arguments. */
  substitute(value: unknown): unknown;
  /** Counts bytes that the command is about to keep in memory while it runs among those of its run; throws `QuotaExceededException`. */
  hold(bytes: number): void;
  /** Stops planning here: what follows depends on an answer only a real run gets, and changes nothing but what was planned or is named. */
  notYetKnown(what: string): never;
  /** Stops planning where commands before may have changed the disk in ways nobody can tell; in a real run nothing happens. */
  demandCertain(): void;
}
