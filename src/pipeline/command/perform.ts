import { TimeoutException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { Guard } from '../../core/ports/limits.ts';
import { openBudget } from '../../core/quota.ts';
import type { Ready } from '../../core/ready.ts';
import { retry } from '../../core/retry.ts';
import type { Command, ListRun } from '../run.ts';
import { isApart } from './apart.ts';
import type { Bindings } from './bind.ts';
import type { CommandContext } from './context.ts';

/** The bound arguments of a definition, or the argument list of a plain function. */
export type Arguments = Bindings | readonly unknown[];

/** Calls the action, with the retries and the deadline of the command and the guard of the action, where there are any. */
export const perform = (list: ListRun, command: Command, ready: Ready, context: CommandContext, args: Arguments): unknown => {
  const guard = list.run.house.guards?.get(ready.about.name);
  const rule = command.retry ?? list.retry ?? guard?.retry;
  const timeoutS = command.timeoutS ?? guard?.timeoutS;
  if (rule === undefined && timeoutS === undefined && guard === undefined) return call(ready, context, args);
  const work = guard === undefined ? () => call(ready, context, args) : () => guarded(guard, ready, context, args);
  const attempts = rule === undefined ? work : () => retry(counted(list, work), rule, { signal: context.signal });
  return timeoutS === undefined ? attempts() : withDeadline(context, timeoutS, attempts, ready.about.name);
};

/** Every further attempt counts as a command. */
const counted =
  ({ run: { usage } }: ListRun, work: () => unknown) =>
  (attempt: number): unknown => {
    if (attempt > 1 && !usage.takeCommand()) throw usage.over ?? usage.endCommands();
    return work();
  };

const call = (ready: Ready, context: CommandContext, args: Arguments): unknown => {
  const { action, plain } = ready;
  // A plain function takes whatever it was given; bind has made its argument list an array.
  if (plain !== undefined) return plain(...(args as never[]));
  const { runners } = context.list.run.house;
  if (runners !== undefined && isApart(context.list, ready)) return runners.run(context, ready, args as Bindings);
  return action.run(context, args as Bindings);
};

/** One attempt behind the guard of the action. */
const guarded = async ({ around, maxBytes }: Guard, ready: Ready, context: CommandContext, args: Arguments): Promise<unknown> => {
  const { signal, list } = context;
  if (maxBytes !== undefined) context.list = withBudget(list, maxBytes);
  try {
    if (around === undefined) return await call(ready, context, args);
    return await around((own) => {
      context.signal = own;
      return call(ready, context, args);
    }, signal);
  } finally {
    context.signal = signal;
    context.list = list;
  }
};

/** The list with fewer bytes left to write, for one command and what it runs. */
const withBudget = (list: ListRun, maxBytes: number): ListRun => {
  const { run, foresight } = list;
  const budget = openBudget(maxBytes, list.budget);
  let port: FilePort | undefined;
  const files = () => {
    port ??= run.house.openFiles({ runId: run.id, caller: run.caller, budget, foresight });
    return port;
  };
  return { ...list, budget, files };
};

/** Gives the command a signal of its own that fires with the run's or when the time is up; what cannot stop is awaited. */
const withDeadline = async (context: CommandContext, seconds: number, work: () => unknown, name: string): Promise<unknown> => {
  const outer = context.signal;
  const deadline = openDeadline(
    outer,
    seconds,
    () => new TimeoutException(`${name} took longer than its ${seconds} s.`, { context: { timeout_s: seconds } }),
  );
  context.signal = deadline.signal;
  try {
    const value = await work();
    if (deadline.signal.aborted && !outer.aborted) throw deadline.signal.reason;
    return value;
  } finally {
    deadline.close();
  }
};

/** A signal that follows another one and has a time limit of its own. `close` frees timer and listener. */
export const openDeadline = (outer: AbortSignal, seconds: number, error: () => Error): { readonly signal: AbortSignal; close(): void } => {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => controller.abort(error()), Math.min(seconds * 1000, MAX_TIMER_MS));
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer);
      outer.removeEventListener('abort', follow);
    },
  };
};

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
