import { isAbsolute, join } from 'node:path';
import type { Role } from '../../core/args.ts';
import type { StepOptions } from '../../core/context.ts';
import type { ProgramRequest } from '../../core/ports.ts';
import type { Progress } from '../../core/progress.ts';
import type { Ready } from '../../core/ready.ts';
import { packFault, unpackFault } from '../../lib/workers/messages.ts';
import type { Bindings } from '../../pipeline/command/bind.ts';
import { type CommandContext, gather } from '../../pipeline/command/context.ts';
import type { Work } from './crew.ts';
import type { Extras, FromRunner, Telling } from './messages.ts';
import type { RunnerThread } from './runner-thread.ts';

/** What is on its way through a thread. */
export interface OrderedWork extends Work {
  readonly id: number;
  /** What it is, for faults. */
  readonly action: string;
  /** What its thread says of it; true once it has ended. */
  onMessage(message: FromRunner & { readonly id: number }, thread: RunnerThread): boolean;
  /** Does something that only the house can; left out where nothing is asked for. */
  answer?(name: 'run_steps' | 'spawn', input: unknown): Promise<unknown>;
}

export interface CommandWorkParts {
  readonly id: number;
  readonly context: CommandContext;
  readonly ready: Ready;
  readonly args: Bindings;
  /** Given where the arguments do not tell them. */
  readonly paths?: readonly string[];
  readonly isLimited: boolean;
  /** Hands the command over. */
  order(thread: RunnerThread): void;
  done(value: unknown): void;
  fail(fault: unknown): void;
}

export const createCommandWork = ({ id, context, ready, args, paths, isLimited, order, done, fail }: CommandWorkParts): OrderedWork => {
  const { run } = context.list;
  const { house } = run;
  const stop = context.signal; // a guard may give the command another one later
  const overfull = new AbortController();
  const entries: Progress[] = [];

  const tell = (telling: Telling, thread: RunnerThread) => {
    switch (telling.what) {
      case 'log':
        return house.log(telling.level, telling.message, telling.fields);
      case 'planned':
        return undefined; // no command says that
      case 'hold':
        try {
          return context.hold(telling.bytes);
        } catch (fault) {
          overfull.abort(fault);
          return thread.send({ kind: 'abort', id, fault: packFault(fault) });
        }
      case 'progress': {
        const entry = context.progress(telling.name, telling.total, telling.unit);
        entries.push(entry);
        const { entry: at } = telling;
        return entry.signal.addEventListener('abort', () => thread.send({ kind: 'progress_cancelled', id, entry: at }), { once: true });
      }
      case 'advance':
        try {
          return entries[telling.entry]?.advance(telling.units);
        } catch {
          return undefined; // cancelled: its thread has been told
        }
      case 'finish':
        return entries[telling.entry]?.finish(telling.status);
    }
  };

  return {
    id,
    action: ready.about.name,
    run: { id: run.id, caller: run.caller.name, isLimited },
    signal: stop,
    isHeavy: HEAVY.has(ready.about.family),
    paths: () => paths ?? pathsOf(ready, args, house.cwd),
    begin: order,
    abort: (thread) => thread.send({ kind: 'abort', id, fault: packFault(stop.reason) }),
    fail,
    onMessage(message, thread) {
      switch (message.kind) {
        case 'tell':
          tell(message.telling, thread);
          return false;
        case 'done':
          keep(context, message.extras);
          done(message.value);
          return true;
        case 'failed':
          keep(context, message.extras);
          fail(overfull.signal.aborted ? overfull.signal.reason : sameReason(unpackFault(message.fault), stop));
          return true;
        default:
          return false;
      }
    },
    answer: (name, input) =>
      name === 'spawn'
        ? context.spawn(input as Omit<ProgramRequest, 'signal'>) // as the action gave it
        : runSteps(context, input as { steps: unknown; options: StepOptions }),
  };
};

/** What stopped the command comes back as a copy of itself; others know it by its identity. */
const sameReason = (fault: Error, { aborted, reason }: AbortSignal): unknown =>
  aborted && reason instanceof Error && reason.name === fault.name && reason.message === fault.message ? reason : fault;

const runSteps = (context: CommandContext, { steps, options }: { readonly steps: unknown; readonly options: StepOptions }) =>
  context.runSteps(steps, options);

const keep = (context: CommandContext, extras: Extras | undefined): void => {
  if (extras === undefined) return;
  const gathered = gather(context);
  gathered.notes.push(...(extras.notes ?? []));
  gathered.lost.push(...(extras.lost ?? []));
  gathered.unkept.push(...(extras.unkept ?? []));
};

/** Families whose actions hold whole documents, or what they make of them, in memory. */
const HEAVY: ReadonlySet<string> = new Set(['data', 'diff', 'templates']);

const PATHS = new Set<Role>(['reads', 'writes', 'removes', 'readsTree', 'writesTree', 'removesTree']);

/** The paths among the arguments; judged by their letters, because to look could hang. */
export const pathsOf = (ready: Ready, args: Bindings, cwd: string): readonly string[] =>
  ready.guarded
    .filter(({ role }) => PATHS.has(role))
    .flatMap(({ key }) => args[key] ?? [])
    .filter((value) => typeof value === 'string')
    .map((path) => (isAbsolute(path) ? path : join(cwd, path)));
