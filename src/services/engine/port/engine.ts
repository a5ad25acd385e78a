import type { Json } from '../../../core/errors.ts';
import type { Counts, ErrorRecord } from '../../../core/result.ts';
import type {
  CommandChange,
  CommandPlan,
  CommandRecord,
  FinishedRun,
  Page,
  Run,
  RunEvent,
  RunFacts,
  RunFilter,
  RunId,
  RunRecord,
} from './runs.ts';

/** A run to be done. */
export interface Submission extends RunFacts {
  /** Given by schedules, whose ids follow from job and due time; made here otherwise. */
  readonly runId?: RunId;
  /** Asked twice under one key, it is done once. Keys are forgotten after 24 hours. */
  readonly key?: string;
  /** `default` unless said; `host:NAME` is for one machine. */
  readonly queue?: string;
  /** Higher goes first; 0 unless said. */
  readonly priority?: number;
  readonly runAt?: number;
  /** How often it may be tried; 3 unless said. */
  readonly maxAttempts?: number;
  /** Only a worker with all of these takes it. */
  readonly tags?: readonly string[];
  /** Starts at once in the hands of this worker, past the queue. */
  readonly claim?: { readonly worker: string; readonly leaseMs?: number };
}

export interface Submitted {
  readonly runId: RunId;
  readonly itemId: number;
  /** The key or id was known: nothing was added. */
  readonly isDuplicate: boolean;
  /** False where the key is known with another list. Once the known run is over, lists that differ in secrets alone count as the same. */
  readonly isSameBody: boolean;
  readonly claim?: Claim;
}

/** A run in a worker's hands. It stays there while `heartbeat` is called before `leaseUntil`. */
export interface Claim {
  readonly runId: RunId;
  readonly itemId: number;
  readonly attempt: number;
  /** Grows with every change of hands; what comes with an old one is refused. */
  readonly fence: number;
  readonly body: Json;
  readonly options: Json;
  readonly caller: string;
  readonly source: Run['source'];
  readonly name: string | null;
  readonly submittedAt: number;
  readonly leaseUntil: number;
  /** What earlier attempts left; finished commands are not repeated. */
  readonly earlier: readonly CommandRecord[];
}

/** Names one attempt of one run; a whole claim will do. */
export type ClaimRef = Pick<Claim, 'runId' | 'attempt' | 'fence'>;

/** How an attempt ended. `retry` becomes `dead` after the last attempt. */
export type Settlement = ClaimRef & {
  /** Last news of commands, written in the same moment. */
  readonly commands?: readonly CommandChange[];
  /** Of the list without its secrets, where more of them are known now than when it was submitted. */
  readonly kept?: Json;
} & (
    | {
        readonly end: 'ok' | 'failed' | 'cancelled' | 'indeterminate';
        readonly counts: Counts;
        readonly durationMs: number;
        /** Of a dry run. */
        readonly planHash?: string;
        readonly error?: ErrorRecord;
      }
    | { readonly end: 'retry'; readonly runAt: number; readonly error: ErrorRecord }
    | { readonly end: 'dead'; readonly error: ErrorRecord }
  );

export interface ClaimRequest {
  readonly worker: string;
  /** `default` unless said. */
  readonly queues?: readonly string[];
  readonly tags?: readonly string[];
  readonly max: number;
  /** 30 s unless said. */
  readonly leaseMs?: number;
  /** What runs them: written down with each. */
  readonly versions?: RunFacts['versions'];
  /** How many places callers with limits have of this worker, and may have: each of them, and all together. Left out: all there are. */
  readonly places?: { readonly held: Readonly<Record<string, number>>; readonly mostOfOne: number; readonly mostOfLimited: number };
}

export interface Heartbeat {
  /** In other hands by now: abort them. */
  readonly lost: readonly RunId[];
  /** Somebody wants them cancelled. */
  readonly cancelled: readonly RunId[];
}

/** What a verdict says of a command of which nobody knows whether it took effect. */
export type Verdict = 'done' | 'retry' | 'fail';

/** A lock in our hands. Whoever writes under it hands `fence` to the guarded thing, which refuses older ones. */
export interface HeldLock {
  readonly fence: bigint;
  /** False: it was lost. */
  renew(ttlMs?: number): Promise<boolean>;
  /** False: it had been lost before. */
  release(): Promise<boolean>;
}

/** How long things are kept, in milliseconds. What is left out stays; undo entries go only with what they keep aside (`undo.remove`). */
export interface Retention {
  readonly runsMs?: number;
  readonly deadMs?: number;
  readonly firesMs?: number;
  readonly auditMs?: number;
  readonly transfersMs?: number;
  readonly notificationsMs?: number;
  readonly approvalsMs?: number;
}

export type Pruned = { readonly [K in 'runs' | 'fires' | 'audit' | 'transfers' | 'notifications' | 'approvals']: number };

export interface StoreHealth {
  readonly isWritable: boolean;
  /** Why it is not writable, or why the last write failed; null when all is well. */
  readonly reason: string | null;
  readonly place: string;
  readonly schema: number;
  readonly queued: number;
  readonly running: number;
}

/** Commands of runs. */
export interface Commands {
  plan(claim: ClaimRef, commands: readonly CommandPlan[]): Promise<{ readonly isAccepted: boolean }>;
  /** Durable when a command that is not idempotent starts; await that before its effect. */
  record(claim: ClaimRef, changes: readonly CommandChange[]): Promise<{ readonly isAccepted: boolean }>;
  list(runId: RunId): Promise<readonly CommandRecord[]>;
}

/** Durable runs: delivered at least once, settled once. One suite proves every adapter. */
export interface Engine extends AsyncDisposable {
  /** Durable when it resolves. Rejects with `QuotaExceededException` (`limit`: `max_queued`, `max_stored_mb`) where the caller's share of the store is used up. */
  submit(submission: Submission): Promise<Submitted>;
  /** Takes due runs: callers take turns, and of each the highest priority goes first, then the oldest. Runs whose lease has passed are taken over or set aside first. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Treats the leases of a worker that is known to be gone as passed; answers how many runs it had. */
  abandon(worker: string): Promise<number>;
  heartbeat(claims: readonly ClaimRef[], leaseMs?: number): Promise<Heartbeat>;
  /** The same settlement again is accepted and changes nothing; one of a lost claim is refused and writes nothing. */
  settle(settlements: readonly Settlement[]): Promise<{ readonly accepted: readonly RunId[]; readonly refused: readonly RunId[] }>;
  /** Records a run that is over. A known id changes nothing. Where its caller has too much, the oldest of its own make room. */
  record(run: FinishedRun): Promise<void>;
  readonly nodes: Commands;
  cancel(runId: RunId): Promise<'cancelled' | 'requested' | 'finished'>;
  verdict(runId: RunId, index: number, verdict: Verdict): Promise<void>;
  deadLetters(options?: { readonly queue?: string; readonly cursor?: string; readonly limit?: number }): Promise<Page<Run>>;
  /** Queues a fresh run for each dead one; `parent` names the old. */
  redrive(which: readonly RunId[] | { readonly queue: string }): Promise<readonly RunId[]>;
  lock(name: string, ttlMs: number): Promise<HeldLock | null>;
  /** True for exactly one caller per schedule and slot; with a submission, that run is queued in the same moment. */
  fire(schedule: string, slot: number, submission?: Submission): Promise<boolean>;
  run(runId: RunId): Promise<RunRecord | null>;
  /** A run without its list and commands. */
  head(runId: RunId): Promise<Run | null>;
  runs(filter?: RunFilter, cursor?: string): Promise<Page<Run>>;
  /** What happened after the event `after`, 0 for all. With a limit: the first ones of that, at least one where there is any. */
  events(runId: RunId, after: number, limit?: number): Promise<readonly RunEvent[]>;
  prune(retention: Retention): Promise<Pruned>;
  health(): Promise<StoreHealth>;
  /** Writes as little as can be; rejects where the store takes nothing now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
