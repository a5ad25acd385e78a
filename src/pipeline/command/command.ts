import { InternalException, UnknownActionException } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import { leave } from '../list/leave.ts';
import { type Foreseen, foresee } from '../plan/foresee.ts';
import type { Command, ListRun, Run, Verdict } from '../run.ts';
import { isApart } from './apart.ts';
import { type Bindings, bind, bindPlain } from './bind.ts';
import { CommandContext } from './context.ts';
import { learnSecrets } from './learn-secrets.ts';
import { tellForeign } from './losses.ts';
import { fail, planned, succeed } from './outcome.ts';
import { type Arguments, perform } from './perform.ts';
import { permit } from './permit.ts';

/** The line of a command: look up, bind, permit, then perform or foresee. Gives a promise only where the action does. */
export const carryOut = (list: ListRun, at: number): Verdict | Promise<Verdict> => {
  const context = new CommandContext(list, at);
  const { command } = context;
  const { usage } = list.run;
  if (!usage.takeCommand()) return refuse(context);
  try {
    const ready = lookUp(command, list);
    context.ready = ready;
    if (ready.secrets.length > 0) learnSecrets(ready, command.given, list.run.house.masker);
    const { bytesLeft } = usage;
    const args = bindArguments(ready, command, list);
    context.held = bytesLeft - usage.bytesLeft;
    const { policy } = list.run.caller;
    // Only a plain function has a list of arguments, and nothing to guard.
    if (policy !== undefined && ready.plain === undefined && !isApart(list, ready)) permit(ready, args as Bindings, policy, list.files);
    if (list.foresight !== undefined) return rehearse(context, foresee(ready, context, args, list.foresight));
    if (ready.isForeign) tellForeign(context, ready);
    const value = perform(list, command, ready, context, args);
    return isThenable(value) ? settle(context, value) : succeed(context, value, list.stopwatch.lap());
  } catch (fault) {
    return fail(context, fault, list.stopwatch.lap());
  }
};

/** The command that breaks a limit fails with its name; the others are not even begun. */
const refuse = (context: CommandContext): Verdict => {
  const { list, index } = context;
  const { usage } = list.run;
  if (usage.over === undefined) return fail(context, usage.endCommands(), list.stopwatch.lap());
  leave(list, index, 'skipped', undefined);
  return 'bad';
};

const settle = async (context: CommandContext, value: PromiseLike<unknown>): Promise<Verdict> => {
  const { stopwatch } = context.list;
  const { startedMs } = stopwatch;
  stopwatch.lap(); // for what begins beside it
  try {
    const settled = await value;
    return succeed(context, settled, stopwatch.since(startedMs));
  } catch (fault) {
    return fail(context, fault, stopwatch.since(startedMs));
  }
};

const rehearse = async (context: CommandContext, foreseen: Promise<Foreseen>): Promise<Verdict> => {
  const { stopwatch } = context.list;
  const { startedMs } = stopwatch;
  try {
    const known = await foreseen;
    return planned(context, known, stopwatch.since(startedMs));
  } catch (fault) {
    return fail(context, fault, stopwatch.since(startedMs));
  }
};

/** The action behind the command's name. */
const lookUp = ({ name, fault, index }: Command, { run }: ListRun): Ready => {
  if (fault !== undefined) throw fault;
  return run.house.registry.resolve(name ?? '') ?? unknownAction(name ?? '', index, run);
};

/** How many unknown names of one request get the nearest known one: looking for it costs far more than refusing. */
export const MAX_HINTS = 100;

/** Refuses a name nobody knows, with the nearest one that exists. */
export const unknownAction = (name: string, index: number, asker: Pick<Run, 'house' | 'hintsLeft'>): never => {
  const { registry } = asker.house;
  const shown = name.slice(0, 100);
  if (registry.about(name) !== undefined)
    throw new InternalException(`The code of ${shown} could not be loaded; the log has the details.`, { context: { action: shown } });
  const hint = (asker.hintsLeft > 0 && didYouMean(shown, registry.names())) || '; `factotum actions` lists all names.';
  asker.hintsLeft -= 1;
  throw new UnknownActionException(`Command ${index}: no action is called ${JSON.stringify(shown)}${hint}`, {
    context: { index, action: shown },
  });
};

const bindArguments = (ready: Ready, { given, index }: Command, { read }: ListRun): Arguments =>
  ready.plain === undefined ? bind(ready, given, read, index) : bindPlain(given, read, index);

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
