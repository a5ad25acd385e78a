import type { CommandObserver } from '../../core/ports/commands.ts';
import type { Outcome } from '../../core/result.ts';
import { leave } from '../list/leave.ts';
import type { Command, ListRun, Verdict } from '../run.ts';
import { carryOut } from './command.ts';
import { CommandContext } from './context.ts';
import { fail } from './outcome.ts';

/** The line of a command before the eyes of an observer, who may know already what became of it. */
export const carryOutObserved = async (list: ListRun, at: number, observer: CommandObserver): Promise<Verdict> => {
  const known = observer.known(at);
  if (known !== undefined) {
    list.outcomes[at] = known;
    return known.status === 'failed' ? 'bad' : 'good'; // what was left out on purpose holds nothing up
  }
  const command = list.job.commands[at] as Command; // the schedule hands out positions of this list only
  const { index, id, name } = command;
  const isIdempotent = list.run.house.registry.resolve(name ?? '')?.action.idempotent === true;
  try {
    await observer.started({ index, ...(id !== undefined && { id }), action: name, isIdempotent });
  } catch (fault) {
    return fail(new CommandContext(list, at), fault, list.stopwatch.lap());
  }
  list.stopwatch.lap(); // the wait for the observer is not the command's
  const verdict = await unlessStopped(list, at);
  observer.ended(list.outcomes[at] as Outcome); // whoever gives a verdict has written the outcome
  return verdict;
};

/** The run may have been stopped while the observer was waited for. */
const unlessStopped = (list: ListRun, at: number): Verdict | Promise<Verdict> => {
  if (!list.signal.aborted) return carryOut(list, at);
  leave(list, at, 'cancelled', undefined);
  return 'bad';
};
