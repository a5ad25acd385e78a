import type { Caller } from '../access/caller.ts';
import type { StepOptions } from '../core/context.ts';
import { PlanChangedException, TimeoutException } from '../core/errors.ts';
import type { FilePort } from '../core/files.ts';
import { createForesight } from '../core/planning.ts';
import type { CommandObserver } from '../core/ports/commands.ts';
import { type Budget, openBudget, overSeconds } from '../core/quota.ts';
import type { RunResult } from '../core/result.ts';
import { carryOut, MAX_HINTS } from './command/command.ts';
import { carryOutObserved } from './command/observed.ts';
import { openDeadline } from './command/perform.ts';
import { scopeOf } from './command/scope.ts';
import { Stopwatch } from './command/stopwatch.ts';
import { substitute } from './command/substitute.ts';
import { addCommands, demandForeseen, needsApproval, notApproved, summaryOf } from './list/approval.ts';
import { authorise } from './list/authorise.ts';
import { demandDepth } from './list/depth.ts';
import { leave } from './list/leave.ts';
import { type Linked, link } from './list/link.ts';
import { load } from './list/load.ts';
import { orderOf } from './list/order.ts';
import { parse } from './list/parse.ts';
import { planHash } from './list/plan-hash.ts';
import { report } from './list/report.ts';
import { schedule } from './list/schedule.ts';
import { validate } from './list/validate.ts';
import type { House, Job, ListRun, Run } from './run.ts';

/** Who hands a list in, and how it can be stopped. */
export interface Call {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  /** The door it came through: `http`, `schedule`. */
  readonly source?: string;
  /** Given where the id follows from something else, as that of a scheduled run from job and due time. */
  readonly runId?: string;
  /** What references may name beside the usual: `event`, `schedule`. */
  readonly named?: ReadonlyMap<string, unknown>;
  /** Told of every command of the list itself; given where the run is kept in the store while it goes. */
  readonly commands?: CommandObserver;
}

/** For calls that nobody can stop: a signal of its own for each would be a third of the cost of a short list. */
const NEVER = new AbortController().signal;

/** The one door of the pipeline: every list of every caller goes through it. */
export interface Gateway {
  /** Runs a list, a wrapped list or a graph. A failed command is a result; only a refused request throws. */
  run(request: unknown, call: Call): Promise<RunResult>;
  /** Refuses what `run` would refuse as a whole, without running anything. */
  admit(request: unknown, caller: Caller): Promise<void>;
  /** Checks a request without running it; answers its names in order. */
  inspect(request: unknown, caller: Caller): Promise<string[]>;
}

/** Everything a house needs but the gateway's own part. */
export type HouseParts = Omit<House, 'enter' | 'inspect'>;

export const createGateway = (parts: HouseParts): Gateway => {
  // Not a copy: some parts are made when somebody first asks for them.
  const house: House = Object.assign(parts, { enter, inspect });

  const openRun = (caller: Caller, id = house.newRunId()): Run => ({
    id,
    house,
    caller,
    startedAt: new Date(house.clock.now()),
    env: undefined,
    hintsLeft: MAX_HINTS,
    approval: undefined,
  });

  async function run(request: unknown, call: Call): Promise<RunResult> {
    const { caller, signal = NEVER, named } = call;
    const job = parse(request, house.defaults);
    authorise(job, caller, house.registry);
    const loading = load(job, house);
    if (loading !== undefined) await loading;
    const linked = link(job, house.registry);
    if (job.validateFirst) validate(job, house, caller, named);
    const top = openRun(caller, call.runId);
    const { observer } = house;
    const start = { job, linked, run: top, signal, depth: 1, named, ...(call.commands !== undefined && { observer: call.commands }) };
    if (observer === undefined) return runAsAllowed(start);
    const begun = {
      runId: top.id,
      caller: caller.name,
      source: call.source ?? 'library',
      request,
      startedAt: top.startedAt,
      isStored: call.commands !== undefined,
    };
    let result: RunResult | undefined;
    observer.begun(begun);
    try {
      result = await runAsAllowed(start);
      const settling = house.settle?.(top.id);
      if (settling !== undefined) await settling;
      return result;
    } finally {
      observer.ended(begun, result);
    }
  }

  async function enter(request: unknown, parent: ListRun, signal: AbortSignal, options: StepOptions): Promise<RunResult> {
    demandDepth(parent.depth + 1);
    const job = withOptions(parse(request, house.defaults), options);
    const { run: top } = parent;
    authorise(job, top.caller, house.registry);
    const loading = load(job, house);
    if (loading !== undefined) await loading;
    if (top.caller.policy !== undefined) judgeApproval(job, parent);
    const linked = link(job, house.registry);
    const named = options.named === undefined ? parent.named : new Map([...(parent.named ?? []), ...options.named]);
    if (job.validateFirst) validate(job, house, top.caller, named);
    return runAsPlanned({
      job,
      linked,
      run: top,
      signal,
      depth: parent.depth + 1,
      parent,
      named,
      ...(options.retry && { retry: options.retry }),
      ...(options.timeoutS !== undefined && { timeoutS: options.timeoutS }),
    });
  }

  async function admit(request: unknown, caller: Caller): Promise<void> {
    const job = parse(request, house.defaults);
    authorise(job, caller, house.registry);
    await load(job, house);
    const linked = link(job, house.registry);
    if (job.validateFirst) validate(job, house, caller);
    // Whether a plan that it names is approved is asked when it runs, for that uses the approval up.
    if (job.dryRun || job.expectPlan !== undefined || !needsApproval(job, caller, house.registry)) return;
    await runAsApproved({ job, linked, run: openRun(caller), signal: NEVER, depth: 1 });
  }

  async function inspect(request: unknown, caller: Caller): Promise<string[]> {
    const job = parse(request, house.defaults);
    authorise(job, caller, house.registry);
    await load(job, house);
    link(job, house.registry);
    validate(job, house, caller);
    return job.commands.map(({ name }) => name ?? '');
  }

  return { run, admit, inspect };
};

const withOptions = (
  job: Job,
  { mode, maxWorkers, failFast, stopOnError, validateFirst, dryRun, maxBytes, maxSeconds }: StepOptions,
): Job => ({
  ...job,
  ...(mode !== undefined && job.mode !== 'graph' && { mode }),
  ...(maxWorkers !== undefined && { maxWorkers }),
  ...(failFast !== undefined && { failFast }),
  ...(stopOnError !== undefined && { stopOnError }),
  ...(validateFirst !== undefined && { validateFirst: validateFirst || job.validateFirst }),
  ...(dryRun !== undefined && { dryRun: dryRun || job.dryRun }),
  ...(maxBytes !== undefined && { maxBytes: tighter(maxBytes, job.maxBytes) }),
  ...(maxSeconds !== undefined && { maxSeconds: tighter(maxSeconds, job.maxSeconds) }),
});

/** Of two limits the one that holds; 0 or less is none. */
const tighter = (one: number, other: number): number => (one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other));

interface ListStart {
  readonly job: Job;
  readonly linked: Linked;
  readonly run: Run;
  readonly signal: AbortSignal;
  readonly depth: number;
  readonly parent?: ListRun;
  readonly named?: ReadonlyMap<string, unknown> | undefined;
  readonly retry?: ListRun['retry'];
  readonly timeoutS?: number;
  readonly observer?: CommandObserver;
}

/** Runs the checked list of a request; where its caller needs somebody's yes, only with that. */
const runAsAllowed = (start: ListStart): Promise<RunResult> =>
  needsApproval(start.job, start.run.caller, start.run.house.registry) ? runAsApproved(start) : runAsPlanned(start);

/** Runs a list whose plan was approved; the plan of any other is put up for approval, and nothing runs. */
const runAsApproved = async (start: ListStart): Promise<RunResult> => {
  const { job, run, signal } = start;
  const { caller, house } = run;
  const approval = { commands: new Set<string>(), isGiven: false };
  addCommands(job, house.registry, approval.commands);
  run.approval = approval;
  const plan = await runList({ ...start, job: { ...job, dryRun: true } });
  const { plan_hash: planHash = '' } = plan;
  if (!job.dryRun && !signal.aborted) {
    if (job.expectPlan !== undefined) demandPlan(job.expectPlan, planHash);
    approval.isGiven = job.expectPlan !== undefined && (await house.approvals?.consume(planHash, caller.name)) === true;
  }
  if (approval.isGiven || (signal.aborted && !job.dryRun)) return runList(start);
  const summary = summaryOf(job, house.masker.json(plan) as RunResult); // masking keeps the shape
  await house.approvals?.propose({ planHash, caller: caller.name, summary });
  if (job.dryRun) return plan;
  throw notApproved(planHash, job);
};

/** What an approved list may run inside is settled when it has been rehearsed: written in it, or foreseen in its plan. */
const judgeApproval = (job: Job, { run, foresight }: ListRun): void => {
  const { approval, caller, house } = run;
  if (approval?.isGiven === false) addCommands(job, house.registry, approval.commands);
  else if (foresight === undefined && !job.dryRun && needsApproval(job, caller, house.registry))
    demandForeseen(job, house.registry, approval?.commands);
};

/** Runs a checked list; one that names the plan it was approved for is rehearsed first. */
const runAsPlanned = (start: ListStart): Promise<RunResult> => {
  const { job, parent } = start;
  const isRehearsed = job.expectPlan !== undefined && !job.dryRun && parent?.foresight === undefined;
  return isRehearsed ? runRehearsed(start, job.expectPlan) : runList(start);
};

const runRehearsed = async (start: ListStart, expectPlan: string): Promise<RunResult> => {
  const { job, signal } = start;
  const { plan_hash: found = '' } = await runList({ ...start, job: { ...job, dryRun: true } });
  if (!signal.aborted) demandPlan(expectPlan, found);
  return runList(start);
};

const demandPlan = (expected: string, found: string): void => {
  if (found === expected) return;
  throw new PlanChangedException('What the list would do has changed since it was planned; look at a new plan and approve that one.', {
    context: { expected, found },
  });
};

/** Runs a checked list to its end. */
const runList = async ({
  job,
  linked,
  run,
  signal,
  depth,
  parent,
  named,
  retry = parent?.retry,
  timeoutS,
  observer,
}: ListStart): Promise<RunResult> => {
  const { clock } = run.house;
  const startedMs = clock.monotonic();
  const foresight = parent?.foresight ?? (job.dryRun ? createForesight() : undefined);
  const plansAlone = foresight !== parent?.foresight;
  const budget = openBudget(job.maxBytes, budgetAround(run, parent, plansAlone));
  const samePort = parent !== undefined && budget === parent.budget && !plansAlone;
  const files = samePort ? parent.files : onceOpened(() => run.house.openFiles({ runId: run.id, caller: run.caller, budget, foresight }));
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
    foresight,
    outcomes: new Array(job.commands.length),
    stopwatch: new Stopwatch(),
    places: linked.places,
    read: (value, index) => substitute(value, scopeOf(list, index)),
  };
  const { commands } = job;
  try {
    await schedule(
      orderOf(job.mode, commands.length, linked.graph),
      {
        take: observer === undefined || foresight !== undefined ? (at) => carryOut(list, at) : (at) => carryOutObserved(list, at, observer),
        leave: (at, status, because) => leave(list, at, status, because),
        resume: () => void list.stopwatch.lap(),
      },
      {
        width: foresight !== undefined || job.mode === 'serial' ? 1 : job.maxWorkers,
        failFast: job.mode === 'graph' ? job.failFast : job.stopOnError,
        always: (at) => commands[at]?.always === true,
        signal: list.signal,
      },
    );
  } finally {
    deadline?.close();
  }
  return report(list, clock.monotonic() - startedMs, foresight !== undefined && plansAlone ? planHash(list, foresight) : undefined);
};

/** What is only planned inside a real run spends nothing of that run's budget; a rehearsal spends one of its own. */
const budgetAround = ({ caller }: Run, parent: ListRun | undefined, plansAlone: boolean): Budget | undefined => {
  if (parent === undefined) return openBudget(caller.policy?.maxBytes ?? 0, undefined, caller.policy?.maxDeletes);
  return plansAlone ? undefined : parent.budget;
};

const onceOpened = (open: () => FilePort): (() => FilePort) => {
  let port: FilePort | undefined;
  return () => {
    port ??= open();
    return port;
  };
};

/** The shorter of two limits is the one that ends the list, with its own error. */
const limitTime = (signal: AbortSignal, maxSeconds: number, timeoutS: number | undefined) => {
  if (timeoutS !== undefined && !(maxSeconds > 0 && maxSeconds < timeoutS)) {
    return openDeadline(
      signal,
      timeoutS,
      () => new TimeoutException(`The list took longer than its ${timeoutS} s.`, { context: { timeout_s: timeoutS }, retryable: true }),
    );
  }
  return maxSeconds > 0 ? openDeadline(signal, maxSeconds, () => overSeconds(maxSeconds)) : undefined;
};
