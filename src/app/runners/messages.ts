import type { PolicyForm } from '../../access/policy.ts';
import type { Json } from '../../core/errors.ts';
import type { LostAttribute, LostChange } from '../../core/journal.ts';
import type { ListDefaults } from '../../core/list-defaults.ts';
import type { LogLevel } from '../../core/ports.ts';
import type { SharedBudget } from '../../core/quota.ts';
import type { Note } from '../../core/result.ts';
import type { ApartJournal } from '../../files/journal/run-journals.ts';
import type { FaultMessage } from '../../lib/workers/messages.ts';
import type { Job } from '../../pipeline/run.ts';
import type { AskedFiles } from './far-files.ts';

/** What a runner thread is told at its start. */
export interface RunnerStart {
  readonly cwd: string;
  /** What the names of its temporary files begin with. */
  readonly tag: string;
  /** Threads that were ended before. */
  readonly endedTags: readonly string[];
}

/** What a thread writes down of a run's changes, and whom it tells first. */
export interface WantedJournal {
  /** Left out where changes are not kept to be undone. */
  readonly kept?: ApartJournal;
  /** A watcher is behind the run. */
  readonly isWatched: boolean;
}

/** One command for a runner thread. */
export interface CommandOrder {
  readonly id: number;
  readonly runId: string;
  readonly action: string;
  /** As bound. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Only a question about files is answered, for an action that runs elsewhere. */
  readonly asked?: AskedFiles;
  readonly isLimited: boolean;
  /** Left out where it is that of the thread. */
  readonly cwd?: string;
  /** A policy that was sent before, or with this order; left out where there is none. */
  readonly policy?: { readonly id: number; readonly form?: PolicyForm };
  readonly budget?: SharedBudget;
  /** Given where the command may change something and that is written down. */
  readonly journal?: WantedJournal;
  /** Bytes that the command may hold, of those that the run may keep in all. */
  readonly room: { readonly left: number; readonly ofRun: number };
  /** Where the clock of actions stands, in a run that follows a plan. */
  readonly momentMs?: number;
}

/** A list for a runner thread to plan. */
export interface PlanOrder {
  readonly id: number;
  readonly runId: string;
  readonly job: Job;
  readonly caller: string;
  readonly isRemote: boolean;
  readonly startedAtMs: number;
  readonly isRehearsal: boolean;
  readonly named?: ReadonlyMap<string, unknown>;
  readonly policy?: { readonly id: number; readonly form?: PolicyForm };
  readonly journal?: WantedJournal;
  readonly cwd?: string;
  /** What the run may still use. */
  readonly defaults: ListDefaults;
}

export type ToRunner =
  | { readonly kind: 'plan'; readonly order: PlanOrder }
  | { readonly kind: 'order'; readonly order: CommandOrder }
  | { readonly kind: 'abort'; readonly id: number; readonly fault: FaultMessage }
  /** The answer to a call. */
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly call: number; readonly fault: FaultMessage }
  /** Somebody cancelled a progress entry of an order. */
  | { readonly kind: 'progress_cancelled'; readonly id: number; readonly entry: number }
  /** The run is over, or goes on elsewhere: its journal is closed. */
  | { readonly kind: 'close'; readonly runId: string; readonly call: number }
  | { readonly kind: 'ping' }
  | { readonly kind: 'ended_thread'; readonly tag: string }
  | { readonly kind: 'end' };

/** What a command needs of the house while it runs. */
export interface CallInputs {
  /** Writes journal entries down. */
  readonly append: readonly { readonly index: number; readonly inverse: unknown; readonly bytes: number }[];
  /** These paths are about to be changed by the run of a watcher. */
  readonly changing: readonly string[];
  readonly run_steps: { readonly steps: unknown; readonly options: object };
  readonly spawn: object;
}

export type CallName = keyof CallInputs;

/** What a command says while it runs. */
export type Telling =
  | {
      readonly what: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: { readonly [key: string]: Json | undefined };
    }
  | { readonly what: 'planned'; readonly message: string; readonly fields?: { readonly [key: string]: Json | undefined } }
  | { readonly what: 'hold'; readonly bytes: number }
  | {
      readonly what: 'progress';
      readonly entry: number;
      readonly name: string;
      readonly total: number | undefined;
      readonly unit: 'bytes' | 'items';
    }
  | { readonly what: 'advance'; readonly entry: number; readonly units: number }
  | { readonly what: 'finish'; readonly entry: number; readonly status: 'done' | 'failed' | 'cancelled' };

/** What a command gathered beside its value; left out where there is nothing. */
export interface Extras {
  readonly notes?: readonly Note[];
  readonly lost?: readonly LostChange[];
  readonly unkept?: readonly LostAttribute[];
}

export type FromRunner =
  /** `task` names the thread to the system, where that has names for threads. */
  | { readonly kind: 'ready'; readonly task: string | undefined }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown; readonly extras?: Extras }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: FaultMessage; readonly extras?: Extras }
  | { readonly kind: 'tell'; readonly id: number; readonly telling: Telling }
  | {
      readonly kind: 'call';
      readonly runId: string;
      readonly id: number | undefined;
      readonly call: number;
      readonly name: CallName;
      readonly input: unknown;
    }
  | { readonly kind: 'closed'; readonly call: number; readonly fault?: FaultMessage }
  | { readonly kind: 'pong'; readonly heapBytes: number };
