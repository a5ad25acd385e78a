import { TimeoutException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { createForesight, type Foresight } from '../../core/planning.ts';
import type { CommandObserver } from '../../core/ports/commands.ts';
import { type Budget, openBudget, overSeconds } from '../../core/quota.ts';
import type { RunResult } from '../../core/result.ts';
import { carryOut } from '../command/command.ts';
import { carryOutObserved } from '../command/observed.ts';
import { openDeadline } from '../command/perform.ts';
import { readReferences } from '../command/scope.ts';
import { Stopwatch } from '../command/stopwatch.ts';
import { type Basis, basisNamed, createBasis, planName } from '../plan/basis.ts';
import { planHash } from '../plan/plan-hash.ts';
import type { Job, ListRun, Run, Steps, Tally, Verdict } from '../run.ts';
import { givingWay } from './giving-way.ts';
import { leave } from './leave.ts';
import type { Linked } from './link.ts';
import { orderOf } from './order.ts';
import { report } from './report.ts';
import { schedule } from './schedule.ts';

/** A list that is ready to run. */
export interface ListStart {
  readonly job: Job;
  readonly linked: Linked;
  readonly run: Run;
  readonly signal: AbortSignal;
  readonly depth: number;
  readonly parent?: ListRun;
  readonly place?: string;
  /** It is only planned, to make sure of the plan before it runs. */
  readonly isRehearsal?: boolean;
  readonly named?: ReadonlyMap<string, unknown> | undefined;
  readonly retry?: ListRun['retry'];
  readonly timeoutS?: number;
  readonly observer?: CommandObserver | undefined;
  readonly isPrinted?: boolean | undefined;
  readonly tally?: Tally | undefined;
}

/** Runs a checked list to its end, or plans it, where that may take long on another thread. Gives a promise only where one of its actions does. */
export const runList = (start: ListStart): RunResult | Promise<RunResult> => {
  const { runners } = start.run.house;
  return runners !== undefined && start.job.dryRun && runners.foresees(start) ? runners.foresee(start) : runListHere(start);
};

const runListHere = ({
  job,
  linked,
  run,
  signal,
  depth,
  parent,
  place = '',
  isRehearsal,
  named,
  retry = parent?.retry,
  timeoutS,
  observer,
  isPrinted = false,
  tally = parent?.tally,
}: ListStart): RunResult | Promise<RunResult> => {
  const startedMs = run.house.clock.monotonic();
  const foresight = parent?.foresight ?? (job.dryRun ? createForesight({ isRehearsal }) : undefined);
  const plansAlone = foresight !== parent?.foresight;
  const basis = basisOf(job, run, parent, plansAlone);
  const budget = openBudget(job.maxBytes, budgetAround(run, parent, plansAlone));
  const samePort = parent !== undefined && budget === parent.budget && !plansAlone;
  const files = samePort ? parent.files : onceOpened(run, budget, foresight);
  const deadline = limitTime(signal, job.maxSeconds, timeoutS);
  const list: ListRun = {
    run,
    job,
    depth,
    signal: deadline?.signal ?? signal,
    files,
    budget,
    retry,
    named,
    isPrinted,
    foresight,
    basis,
    place: basis === parent?.basis ? place : '',
    outcomes: new Array(job.commands.length),
    stopwatch: new Stopwatch(),
    tally,
    places: linked.places,
    read: (value, index, at) => readReferences(list, value, index, at),
  };
  const cleanup = cleanupOf(list, deadline && { signal, seconds: secondsOf(job.maxSeconds, timeoutS) });
  let rest: Promise<void> | undefined;
  try {
    rest = schedule(
      orderOf(job.mode, job.commands.length, linked.graph),
      new ListSteps(list, cleanup?.list ?? list, foresight === undefined ? observer : undefined),
      {
        width: foresight !== undefined || job.mode === 'serial' ? 1 : job.maxWorkers,
        failFast: job.mode === 'graph' ? job.failFast : job.stopOnError,
        signal: list.signal,
        cleanupSignal: cleanup?.list.signal,
        slice: run.usage.slice,
      },
    );
  } finally {
    if (rest === undefined) {
      deadline?.close();
      cleanup?.close();
    }
  }
  if (rest === undefined) return tell(list, startedMs, plansAlone);
  return tellLater(rest, { list, startedMs, plansAlone, deadline, cleanup });
};

/** The commands of a list. A class, because one is made for every list. */
class ListSteps implements Steps {
  private readonly list: ListRun;
  /** The same list for the commands that clean up. */
  private readonly cleanup: ListRun;
  private readonly observer: CommandObserver | undefined;

  constructor(list: ListRun, cleanup: ListRun, observer: CommandObserver | undefined) {
    this.list = list;
    this.cleanup = cleanup;
    this.observer = observer;
  }

  take(at: number): Verdict | Promise<Verdict> {
    const list = this.cleanup !== this.list && this.always(at) ? this.cleanup : this.list;
    return this.observer === undefined ? carryOut(list, at) : carryOutObserved(list, at, this.observer);
  }

  leave(at: number, status: 'skipped' | 'cancelled', because: number | undefined): void {
    leave(this.list, at, status, because);
  }

  always(at: number): boolean {
    return this.list.job.commands[at]?.always === true;
  }

  resume(): void {
    this.list.stopwatch.lap();
  }
}

const tell = (list: ListRun, startedMs: number, plansAlone: boolean): RunResult | Promise<RunResult> => {
  const tookMs = list.run.house.clock.monotonic() - startedMs;
  return plansAlone ? nameOfPlan(list).then((name) => report(list, tookMs, name)) : report(list, tookMs, undefined);
};

interface Rest {
  readonly list: ListRun;
  readonly startedMs: number;
  readonly plansAlone: boolean;
  readonly deadline: { close(): void } | undefined;
  readonly cleanup: { close(): void } | undefined;
}

const tellLater = async (rest: Promise<void>, { list, startedMs, plansAlone, deadline, cleanup }: Rest): Promise<RunResult> => {
  try {
    await rest;
  } finally {
    deadline?.close();
    cleanup?.close();
  }
  return tell(list, startedMs, plansAlone);
};

/** A list that names a plan goes by that; one that is planned alone has a basis of its own. */
const basisOf = ({ expectPlan }: Job, { startedAt, house }: Run, parent: ListRun | undefined, plansAlone: boolean): Basis | undefined => {
  const named = expectPlan === undefined ? undefined : basisNamed(expectPlan);
  if (named !== undefined) return named;
  return plansAlone ? createBasis(parent?.basis?.moment ?? startedAt, house.newId()) : parent?.basis;
};

const nameOfPlan = async (list: ListRun): Promise<string | undefined> => {
  const { foresight, basis } = list;
  return foresight && basis && planName(await planHash(list, foresight, basis), basis);
};

/** What is only planned inside a real run spends nothing of that run's budget; a rehearsal spends one of its own. */
const budgetAround = ({ caller }: Run, parent: ListRun | undefined, plansAlone: boolean): Budget | undefined => {
  if (parent === undefined) return openBudget(caller.policy?.maxBytes ?? 0, undefined, caller.policy?.maxDeletes);
  return plansAlone ? undefined : parent.budget;
};

const onceOpened = (run: Run, budget: Budget | undefined, foresight: Foresight | undefined): (() => FilePort) => {
  let port: FilePort | undefined;
  return () => {
    if (port !== undefined) return port;
    const opened = run.house.openFiles({ runId: run.id, caller: run.caller, budget, foresight });
    port = foresight === undefined ? opened : givingWay(opened, run.usage.slice);
    return port;
  };
};

/** How long a list may take; the shorter of its limits counts. */
const secondsOf = (maxSeconds: number, timeoutS: number | undefined): number =>
  timeoutS !== undefined && !(maxSeconds > 0 && maxSeconds < timeoutS) ? timeoutS : maxSeconds;

/** The shorter of two limits is the one that ends the list, with its own error. */
const limitTime = (signal: AbortSignal, maxSeconds: number, timeoutS: number | undefined) => {
  const seconds = secondsOf(maxSeconds, timeoutS);
  if (seconds === timeoutS) {
    return openDeadline(
      signal,
      timeoutS,
      () => new TimeoutException(`The list took longer than its ${timeoutS} s.`, { context: { timeout_s: timeoutS } }),
    );
  }
  return maxSeconds > 0 ? openDeadline(signal, maxSeconds, () => overSeconds(maxSeconds)) : undefined;
};

/** How long cleaning up may go on after the time of its list was up. */
const CLEANUP_S = 30;

/** The same list for the commands that clean up: they go on when its time is up, for a while; whoever cancels stops them too. */
const cleanupOf = (list: ListRun, limit: { readonly signal: AbortSignal; readonly seconds: number } | undefined) => {
  if (limit === undefined || !list.job.commands.some(({ always }) => always)) return undefined;
  const { signal, close } = openDeadline(
    limit.signal,
    limit.seconds + CLEANUP_S,
    () => new TimeoutException(`Cleaning up took longer than ${CLEANUP_S} s.`, { context: { timeout_s: CLEANUP_S } }),
  );
  return { list: { ...list, signal }, close };
};
