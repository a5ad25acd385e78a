import { CancelledException, FileAutomationException } from '../../core/errors.ts';
import type { Plan } from '../../core/result.ts';
import { shownArguments } from '../command/outcome.ts';
import type { Command, ListRun } from '../run.ts';
import { addEntry, OUTCOME_BYTES, PLANNED_BYTES } from '../usage.ts';

/** Writes down a command that was never started: held back by another or by a limit, or the run was stopped before its turn. */
export const leave = (list: ListRun, at: number, status: 'skipped' | 'cancelled', because: number | undefined): void => {
  const command = list.job.commands[at];
  const { reason } = list.signal;
  addEntry(list, list.foresight === undefined ? OUTCOME_BYTES : PLANNED_BYTES + (list.run.usage.sizeOf(command?.given) ?? 0));
  // A list that ran out of time or bytes has failed; only a caller's wish cancels.
  const ranOut =
    status === 'cancelled' && reason instanceof FileAutomationException && !(reason instanceof CancelledException) ? reason : undefined;
  list.outcomes[at] = {
    index: at,
    ...(command?.id !== undefined && { id: command.id }),
    action: command?.name ?? null,
    ...(ranOut === undefined
      ? { status, reason: because === undefined ? REASONS[status] : holder(list, because) }
      : { status: 'failed', error: ranOut.toJSON() }),
    ...(list.foresight !== undefined && command !== undefined && { plan: planOfLeft(list, command) }),
    duration_ms: 0,
  };
};

/** Whoever is asked about a plan sees what would be skipped too, for the run may go another way; what it then works on may not be known. */
const planOfLeft = ({ run }: ListRun, { name, given }: Command): Plan => ({
  arguments: shownArguments(run.house.registry.resolve(name ?? ''), given, run.house.masker),
  effects: [],
  ...(FROM_OTHERS.test(JSON.stringify(given ?? null)) && { unknown: ['arguments'] }),
});

/** References to what only other commands tell. */
const FROM_OTHERS = /\$\{(?:results\[|nodes\.|item|index)/;

const REASONS = {
  skipped: 'Not run because the run was over one of its limits by then.',
  cancelled: 'The run was cancelled before this command started.',
};

const holder = ({ job, outcomes }: ListRun, at: number): string => {
  const node = job.commands[at];
  const name = node?.id === undefined ? `command ${at}` : `node ${node.id}`;
  return `Not run because ${name} ended as ${outcomes[at]?.status ?? 'failed'}.`;
};
