import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Policy } from '../../access/policy.ts';
import { InternalException } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { Ready } from '../../core/ready.ts';
import type { JournalEntry } from '../../files/journal/inverse.ts';
import { THREAD_TAG_DIGITS } from '../../lib/fs/part-name.ts';
import { packFault, unpackFault } from '../../lib/workers/messages.ts';
import type { Runners } from '../../pipeline/command/apart.ts';
import type { Bindings } from '../../pipeline/command/bind.ts';
import type { CommandContext } from '../../pipeline/command/context.ts';
import type { ListStart } from '../../pipeline/list/run-list.ts';
import type { ListRun, Run } from '../../pipeline/run.ts';
import { createCommandWork, type OrderedWork } from './command-work.ts';
import { createCrew, type SlotEvents } from './crew.ts';
import { type AskedFiles, farFiles } from './far-files.ts';
import { endFault } from './faults.ts';
import type { CommandOrder, FromRunner, PlanOrder, WantedJournal } from './messages.ts';
import { createPlaces } from './places.ts';
import { canPlanApart, createPlanWork } from './plan-work.ts';
import { type RunnerThread, startRunnerThread } from './runner-thread.ts';
import { runnerUrl } from './runner-url.ts';

export interface RunnersOptions {
  /** How many threads there are at most. */
  readonly width: number;
  readonly maxHeapMb: number;
  /** Megabytes that the process may take beyond what it has at rest, before work of limited callers is ended. */
  readonly maxMemoryMb: number;
  /** For how long a command of a limited caller may compute without a pause. */
  readonly maxSpinMs: number;
  readonly cwd: string;
  /** Where the house keeps its own files. */
  readonly stateDirectory: string;
  /** What is written down of a run's changes; undefined where nothing is. */
  journalOf(runId: string): WantedJournal | undefined;
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
  /** The run of a watcher is about to change these. */
  changing(runId: string, paths: readonly string[]): void;
  readonly log: Log;
  /** The module a thread starts from. */
  readonly url?: () => Promise<URL | undefined>;
}

/** Commands on other threads, until they are closed. */
export interface OpenRunners extends Runners {
  close(): Promise<void>;
}

/** How long threads may take to end when the service does. */
const PATIENCE_MS = 250;
const MB = 1024 * 1024;

export const createRunners = (options: RunnersOptions): OpenRunners => {
  const { width, maxHeapMb, maxMemoryMb, maxSpinMs, cwd, log } = options;
  const underWay = new Map<number, OrderedWork>();
  const policies = new WeakMap<Policy, number>();
  const knownTo = new WeakMap<RunnerThread, Set<number>>();
  const endedTags: string[] = [];
  /** Threads that have a journal of the run. */
  const journalsOf = new Map<string, Set<RunnerThread>>();
  const closings = new Map<number, { readonly thread: RunnerThread; done(): void }>();
  const closingOf = new Map<string, Promise<void>[]>();
  let lastId = 0;
  let lastPolicy = 0;
  let url: URL | undefined;
  const alive = new Map<RunnerThread, () => void>();

  const start = (events: SlotEvents): RunnerThread => {
    if (url === undefined) throw new InternalException('Runner threads cannot start: their file is missing; install factotum again.');
    const tag = randomBytes(THREAD_TAG_DIGITS / 2).toString('hex');
    const thread: RunnerThread = startRunnerThread(
      { url, maxHeapMb, start: { cwd, tag, endedTags } },
      {
        onMessage: (message) => onMessage(message, thread, events),
        onExit(fault) {
          alive.get(thread)?.();
          alive.delete(thread);
          forgetClosings(thread);
          if (fault !== undefined && !isOutOfMemory(fault)) log('error', 'a runner thread failed', { stack: fault.stack ?? fault.message });
          events.onExit(fault === undefined ? undefined : isOutOfMemory(fault) ? 'memory' : 'crashed');
        },
      },
    );
    alive.set(thread, () => {});
    return thread;
  };
  /** Waits until all threads are gone, but not for ever. */
  const areGone = async (): Promise<void> => {
    const ends = [...alive.keys()].map((thread) => new Promise<void>((gone) => alive.set(thread, gone)));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([Promise.all(ends), patience]);
    clearTimeout(timer);
  };

  const onMessage = (message: FromRunner, thread: RunnerThread, events: SlotEvents) => {
    switch (message.kind) {
      case 'ready':
        return events.onReady();
      case 'pong':
        return events.onPong(message.heapBytes);
      case 'call':
        return void answer(message, thread);
      case 'closed':
        if (message.fault !== undefined) log('warn', 'the journal of a run was not closed', { reason: unpackFault(message.fault).message });
        return closings.get(message.call)?.done();
      default: {
        const work = underWay.get(message.id);
        if (work?.onMessage(message, thread) !== true) return;
        underWay.delete(work.id);
        crew.ended(work);
      }
    }
  };

  const answer = async ({ call, ...asked }: FromRunner & { readonly kind: 'call' }, thread: RunnerThread): Promise<void> => {
    try {
      thread.send({ kind: 'answer', call, value: await doFor(asked) });
    } catch (fault) {
      thread.send({ kind: 'refusal', call, fault: packFault(fault) });
    }
  };

  const doFor = async ({ name, input, runId, id }: Omit<FromRunner & { readonly kind: 'call' }, 'call'>): Promise<unknown> => {
    switch (name) {
      case 'append':
        return options.append(runId, input as readonly JournalEntry[]); // as the journal on the thread gave them
      case 'changing':
        return options.changing(runId, input as readonly string[]); // as above
      case 'run_steps':
      case 'spawn':
        return id === undefined ? undefined : underWay.get(id)?.answer?.(name, input);
    }
  };

  /** Has a thread close its journal of a run. */
  const closeJournal = (runId: string, thread: RunnerThread): void => {
    const threads = journalsOf.get(runId);
    if (threads?.delete(thread) !== true) return;
    if (threads.size === 0) journalsOf.delete(runId);
    const call = nextId();
    const closing = new Promise<void>((done) => {
      closings.set(call, {
        thread,
        done() {
          closings.delete(call);
          done();
        },
      });
    });
    closingOf.set(runId, [...(closingOf.get(runId) ?? []), closing]);
    thread.send({ kind: 'close', runId, call });
  };

  /** Nobody waits for a thread that is gone. */
  const forgetClosings = (thread: RunnerThread): void => {
    for (const { thread: of, done } of [...closings.values()]) if (of === thread) done();
  };

  const crew = createCrew({
    width,
    processors: availableParallelism(),
    maxSpinMs,
    memory: { maxBytes: maxMemoryMb * MB, maxThreadBytes: maxHeapMb * MB, taken: () => process.memoryUsage.rss() },
    start,
    placeOf: createPlaces({ own: options.stateDirectory }),
    onLeft: closeJournal,
    onGone(thread) {
      endedTags.push(thread.tag);
      for (const other of crew.threads) other.send({ kind: 'ended_thread', tag: thread.tag });
      forgetClosings(thread);
      for (const threads of journalsOf.values()) threads.delete(thread);
    },
    faultOf: (why, work) => endFault(why, (work as OrderedWork).action, { maxHeapMb, maxMemoryMb, maxSpinMs }), // only such are added
    now: () => performance.now(),
    later(ms, work) {
      const timer = setTimeout(work, ms).unref();
      return () => clearTimeout(timer);
    },
  });

  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };

  const policyFor = (policy: Policy | undefined, thread: RunnerThread): Pick<CommandOrder, 'policy'> => {
    if (policy?.form === undefined) return {};
    let id = policies.get(policy);
    if (id === undefined) {
      lastPolicy += 1;
      id = lastPolicy;
      policies.set(policy, id);
    }
    const known = knownTo.get(thread) ?? new Set();
    knownTo.set(thread, known);
    if (known.has(id)) return { policy: { id } };
    known.add(id);
    return { policy: { id, form: policy.form } };
  };

  const orderOf = (
    id: number,
    context: CommandContext,
    { ready, args, asked }: { readonly ready: Ready; readonly args: Bindings; readonly asked?: AskedFiles },
    thread: RunnerThread,
  ): CommandOrder => {
    const { list } = context;
    const { run, budget, basis } = list;
    const journal = ready.onlyReads || asked !== undefined ? undefined : options.journalOf(run.id);
    if (journal?.kept !== undefined) journalsOf.set(run.id, (journalsOf.get(run.id) ?? new Set()).add(thread));
    return {
      id,
      runId: run.id,
      action: ready.about.name,
      args,
      ...(asked && { asked }),
      isLimited: context.isLimited,
      ...(context.cwd !== cwd && { cwd: context.cwd }),
      room: { left: run.usage.bytesLeft, ofRun: run.usage.bytesOfRun },
      ...policyFor(run.caller.policy, thread),
      ...(budget?.share !== undefined && { budget: budget.share() }),
      ...(journal !== undefined && { journal }),
      ...(basis !== undefined && { momentMs: basis.moment.getTime() }),
    };
  };

  const planOrderOf = (id: number, start: ListStart, thread: RunnerThread): PlanOrder => {
    const { job, run, isRehearsal = false, named } = start;
    const { caller, house, usage } = run;
    const journal = options.journalOf(run.id);
    const isFresh = usage.bytesLeft === usage.bytesOfRun;
    return {
      id,
      runId: run.id,
      job,
      caller: caller.name,
      isRemote: caller.remote,
      startedAtMs: run.startedAt.getTime(),
      isRehearsal,
      ...(named && { named }),
      ...(house.cwd !== cwd && { cwd: house.cwd }),
      ...policyFor(caller.policy, thread),
      ...(journal && { journal }),
      defaults: {
        maxCommands: job.commands.length,
        maxWorkers: 1,
        validateFirst: false,
        ...house.defaults,
        ...(!isFresh && { runBytes: usage.bytesLeft }),
      },
    };
  };

  /** Has a thread do something and waits for it. */
  const entrust = async <T>(make: (id: number, done: (value: T) => void, fail: (fault: unknown) => void) => OrderedWork): Promise<T> => {
    url ??= await (options.url ?? runnerUrl)();
    const id = nextId();
    return new Promise((done, fail) => {
      const work = make(id, done, (fault) => {
        underWay.delete(id);
        fail(fault);
      });
      underWay.set(id, work);
      crew.add(work);
    });
  };

  return {
    takes(list, { about }) {
      if (list.foresight !== undefined || list.isPrinted || !canShare(list)) return false;
      return about.effects.length > 0 || isLimited(list.run);
    },
    run: (context, ready, args) =>
      entrust((id, done, fail) =>
        createCommandWork({
          id,
          context,
          ready,
          args,
          isLimited: context.isLimited,
          order: (thread) => thread.send({ kind: 'order', order: orderOf(id, context, { ready, args }, thread) }),
          done,
          fail,
        }),
      ),
    filesFor(context, near) {
      const { ready, list } = context;
      if (ready === undefined || !canShare(list)) return near;
      return farFiles(near, (asked) =>
        entrust((id, done, fail) =>
          createCommandWork({
            id,
            context,
            ready,
            args: {},
            paths: [near.absolute(String(asked.given[0]))],
            isLimited: context.isLimited,
            order: (thread) => thread.send({ kind: 'order', order: orderOf(id, context, { ready, args: {}, asked }, thread) }),
            done,
            fail,
          }),
        ),
      );
    },
    foresees: canPlanApart,
    foresee: (start) =>
      entrust((id, done, fail) =>
        createPlanWork({
          id,
          start,
          isLimited: isLimited(start.run),
          order: (thread) => thread.send({ kind: 'plan', order: planOrderOf(id, start, thread) }),
          done,
          fail,
        }),
      ),
    settle(runId) {
      const threads = journalsOf.size === 0 ? undefined : journalsOf.get(runId); // most runs have none
      if (threads !== undefined) for (const thread of threads) closeJournal(runId, thread);
      crew.release(runId);
      const closing = closingOf.size === 0 ? undefined : closingOf.get(runId);
      if (closing === undefined) return undefined;
      closingOf.delete(runId);
      return Promise.all(closing).then(() => {});
    },
    async close() {
      crew.close();
      await areGone(); // those at rest clear up behind themselves
      for (const thread of alive.keys()) void thread.end();
      await areGone();
      if (alive.size > 0) process.once('exit', () => void (alive.size > 0 && endAtOnce()));
    },
  };
};

/**
 * Node waits for its threads before it ends, and one that waits for a device would never let it. A signal that nobody listens to ends the
 * process with all its threads; of those this is the one that whoever watches over services takes for a regular end.
 */
const endAtOnce = (): void => {
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
};

/** Whether another thread can be told what the list may do. */
const canShare = ({ run: { caller }, budget }: ListRun): boolean =>
  (caller.policy === undefined || caller.policy.form !== undefined) && (budget === undefined || budget.share !== undefined);

const isLimited = ({ caller }: Run): boolean => caller.policy !== undefined && caller.name !== OWNER_NAME;

const isOutOfMemory = (fault: Error): boolean => 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY';
