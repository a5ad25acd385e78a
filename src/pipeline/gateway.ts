import type { Caller } from '../access/caller.ts';
import type { KeptNames, StepOptions } from '../core/context.ts';
import type { CommandObserver } from '../core/ports/commands.ts';
import type { RunResult } from '../core/result.ts';
import { followSignals, isStopSignal } from '../lib/async/stop-signal.ts';
import { TimeSlice, threadSlices } from '../lib/async/time-slice.ts';
import { MAX_HINTS } from './command/command.ts';
import { learnAllSecrets } from './command/learn-secrets.ts';
import { needsApproval } from './list/approval.ts';
import { authorise } from './list/authorise.ts';
import { demandDepth } from './list/depth.ts';
import { demandKeepable } from './list/keepable.ts';
import { type Linked, linkInSlices, UNLINKED } from './list/link.ts';
import { load } from './list/load.ts';
import { isLongRequest, parse, parseInSlices } from './list/parse.ts';
import { judgeApproval, runAsAllowed, runAsApproved, runAsPlanned } from './list/run-as-allowed.ts';
import type { ListStart } from './list/run-list.ts';
import { validate } from './list/validate.ts';
import type { House, Job, Run, Within } from './run.ts';
import { COMMAND_BYTES, LIST_BYTES, Usage } from './usage.ts';

/** Who hands a list in, and how it can be stopped. */
export interface Call {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
  /** The door it came through: `http`, `schedule`. */
  readonly source?: string | undefined;
  /** Given where the id follows from something else, as that of a scheduled run from job and due time. */
  readonly runId?: string | undefined;
  /** What references may name beside the usual: `event`, `schedule`. */
  readonly named?: ReadonlyMap<string, unknown> | undefined;
  /** Told of every command of the list itself; given where the run is kept in the store while it goes. */
  readonly commands?: CommandObserver | undefined;
  /** The value of the only command is printed and nothing else is done with it. */
  readonly isPrinted?: boolean | undefined;
}

/** The sources of lists that were kept in the store before they run. */
const KEPT: ReadonlySet<string> = new Set(['queue', 'schedule', 'watch', 'resume']);

/** For calls that nobody can stop: a signal of its own for each would be a third of the cost of a short list. */
const NEVER = new AbortController().signal;

/** The one door of the pipeline: every list of every caller goes through it. */
export interface Gateway {
  /** Runs a list, a wrapped list or a graph. A failed command is a result; only a refused request throws. */
  run(request: unknown, call: Call): Promise<RunResult>;
  /** Refuses what `run` would refuse as a whole, without running anything. */
  admit(request: unknown, caller: Caller): Promise<void>;
  /** Checks a request without running it; answers its names in order. One that is `kept` for later may use these names then. */
  inspect(request: unknown, caller: Caller, kept?: KeptNames): Promise<string[]>;
}

/** Everything a house needs but the gateway's own part. */
export type HouseParts = Omit<House, 'enter' | 'inspect'>;

export const createGateway = (parts: HouseParts): Gateway => {
  // Not a copy: some parts are made when somebody first asks for them.
  const house = parts as { -readonly [K in keyof House]: House[K] }; // with the two below it is whole
  // One by one: `Object.assign` may turn a large object into a table, and every command looks things up in this one.
  house.enter = enter;
  house.inspect = inspect;
  const openRun = (caller: Caller, { runId: id = house.newRunId(), source = '' }: Pick<Call, 'runId' | 'source'> = {}): Run => ({
    id,
    house,
    caller,
    isKept: KEPT.has(source),
    startedAt: new Date(house.clock.now()),
    usage: new Usage(house.defaults, threadSlices),
    env: undefined,
    hintsLeft: MAX_HINTS,
    approval: undefined,
  });

  function run(request: unknown, call: Call): Promise<RunResult> {
    const { signal, caller } = call;
    const { revoked } = caller;
    if (revoked === undefined && (signal === undefined || isStopSignal(signal))) return runUntil(signal ?? NEVER, request, call);
    if (signal === undefined) return runUntil(revoked ?? NEVER, request, call);
    // Actions may throw the reason of their signal as it is, so inside it is always an error of ours.
    const following = revoked === undefined ? followSignals(signal) : followSignals(signal, revoked);
    return runUntil(following.signal, request, call).finally(following.forget);
  }

  async function runUntil(signal: AbortSignal, request: unknown, call: Call): Promise<RunResult> {
    const { caller, named } = call;
    const top = openRun(caller, call);
    const { slice } = top.usage;
    const isLong = isLongRequest(request);
    const job = isLong ? await parseInSlices(request, house.defaults, slice) : parse(request, house.defaults);
    authorise(job, caller, house.registry);
    const loading = load(job, house);
    if (loading !== undefined) await loading;
    if (isLong) await slice.next();
    const linking = linkInSlices(job, house.registry, slice);
    const linked = linking instanceof Promise ? await linking : linking;
    if (job.validateFirst) await validate(job, house, caller, { named, slice });
    const { observer } = house;
    const start: ListStart = { job, linked, run: top, signal, depth: 1, named, observer: call.commands, isPrinted: call.isPrinted };
    if (observer === undefined) return runAsAllowed(start);
    const begun = {
      runId: top.id,
      caller: caller.name,
      source: call.source ?? 'library',
      request,
      startedAt: top.startedAt,
      isStored: call.commands !== undefined,
      policy: caller.policy,
      place: -1,
    };
    let result: RunResult | undefined;
    learnAllSecrets(job.commands, house);
    observer.begun(begun);
    try {
      const running = runAsAllowed(start);
      result = running instanceof Promise ? await running : running;
      const settling = house.settle?.(top.id);
      if (settling !== undefined) await settling;
      return result;
    } finally {
      const told = observer.ended(begun, result);
      if (told !== undefined) await told;
    }
  }

  async function enter(request: unknown, within: Within): Promise<RunResult> {
    const { parent, options } = within;
    const { usage } = parent.run;
    demandDepth(parent.depth + 1);
    let bytes = LIST_BYTES;
    usage.hold(bytes);
    try {
      // Short lists one behind the other hold the thread as a long one does.
      if (usage.slice.isOver()) await usage.slice.next();
      within.signal.throwIfAborted();
      if (usage.over !== undefined) throw usage.over;
      const isLong = isLongRequest(request);
      const parsed = isLong ? await parseInSlices(request, house.defaults, usage.slice) : parse(request, house.defaults);
      const job = withOptions(parsed, options);
      usage.hold(job.commands.length * COMMAND_BYTES);
      bytes += job.commands.length * COMMAND_BYTES;
      authorise(job, parent.run.caller, house.registry);
      const loading = load(job, house);
      if (loading !== undefined) await loading;
      if (isLong) await usage.slice.next();
      const running = job.mode === 'graph' || job.validateFirst ? runChecked(job, within) : runNested(job, within, UNLINKED);
      return running instanceof Promise ? await running : running;
    } finally {
      usage.giveBack(bytes);
    }
  }

  async function runChecked(job: Job, within: Within): Promise<RunResult> {
    const { run: top } = within.parent;
    const { slice } = top.usage;
    const linked = await linkInSlices(job, house.registry, slice);
    if (job.validateFirst) await validate(job, house, top.caller, { named: namedIn(within), slice });
    return runNested(job, within, linked);
  }

  function runNested(job: Job, within: Within, linked: Linked): RunResult | Promise<RunResult> {
    const { parent, place, signal, options, tally } = within;
    const { run: top } = parent;
    if (top.caller.policy !== undefined) judgeApproval(job, parent);
    const named = namedIn(within);
    return runAsPlanned({
      job,
      linked,
      run: top,
      signal,
      depth: parent.depth + 1,
      parent,
      place,
      named,
      tally,
      ...(options.retry && { retry: options.retry }),
      ...(options.timeoutS !== undefined && { timeoutS: options.timeoutS }),
    });
  }

  async function admit(request: unknown, caller: Caller): Promise<void> {
    const run = openRun(caller);
    const { slice } = run.usage;
    const job = await parseInSlices(request, house.defaults, slice);
    authorise(job, caller, house.registry);
    await load(job, house);
    const linked = await linkInSlices(job, house.registry, slice);
    if (job.validateFirst) await validate(job, house, caller, { slice });
    demandKeepable(job.commands, house);
    learnAllSecrets(job.commands, house); // whoever asks is about to write the list down
    // Whether a plan that it names is approved is asked when it runs, for that uses the approval up.
    if (job.dryRun || job.expectPlan !== undefined || !needsApproval(job, caller, house.registry)) return;
    await runAsApproved({ job, linked, run, signal: NEVER, depth: 1 });
  }

  async function inspect(request: unknown, caller: Caller, kept?: KeptNames): Promise<string[]> {
    const slice = new TimeSlice(threadSlices);
    const job = await parseInSlices(request, house.defaults, slice);
    authorise(job, caller, house.registry);
    await load(job, house);
    await linkInSlices(job, house.registry, slice);
    await validate(job, house, caller, { kept, slice });
    if (kept !== undefined) demandKeepable(job.commands, house);
    return job.commands.map(({ name }) => name ?? '');
  }

  return { run, admit, inspect };
};

/** What references of a nested list may name beside the usual. */
const namedIn = ({ parent, options }: Within): ReadonlyMap<string, unknown> | undefined =>
  options.named === undefined ? parent.named : new Map([...(parent.named ?? []), ...options.named]);

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
