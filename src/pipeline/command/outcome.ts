import type { Masker } from '../../access/mask.ts';
import { CancelledException, type FileAutomationException, type Json } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import type { ErrorRecord, Outcome, Plan } from '../../core/result.ts';
import { roundMs } from '../list/report.ts';
import type { Foreseen } from '../plan/foresee.ts';
import type { Command, Verdict } from '../run.ts';
import { asWritten } from './bind.ts';
import type { CommandContext } from './context.ts';
import { faultFrom } from './faults.ts';
import { jsonBytes, jsonValue } from './json-value.ts';
import { foreseenLosses, lossNotes } from './losses.ts';

/** Writes down that the command gave a value. */
export const succeed = ({ list, command, ready, gathered }: CommandContext, value: unknown, durationMs: number): Verdict => {
  const { index, id, name: action } = command;
  const given = shownValue(value, ready);
  const duration_ms = roundMs(durationMs);
  // One object and no copy: it is most of the cost of a cheap command.
  const outcome: Outcome =
    id === undefined
      ? { index, action, status: 'ok', value: given, duration_ms }
      : { index, id, action, status: 'ok', value: given, duration_ms };
  list.outcomes[index] = gathered === undefined ? outcome : { ...outcome, ...shown(gathered, 'done') };
  return 'good';
};

/** Objects of our own actions are JSON but for bytes; those of strangers may hold anything. */
const shownValue = (value: unknown, ready: Ready | undefined): unknown => {
  if (typeof value !== 'object' || value === null || ready?.about.family === 'registered') return jsonValue(value);
  return value instanceof Uint8Array ? jsonBytes(value) : value;
};

/** Writes down why the command failed or was cancelled, and logs it. */
export const fail = (context: CommandContext, fault: unknown, durationMs: number): Verdict => {
  const { list, command, signal, ready, gathered } = context;
  const error = faultFrom(fault, list, signal, ready);
  const status = error instanceof CancelledException ? 'cancelled' : 'failed';
  const { run } = list;
  const plan = list.foresight && { plan: planOfFailure(asWritten(ready, command.given), gathered) };
  write(context, { status, error: masked(error, run.house.masker), ...plan, ...shown(gathered, status) }, durationMs);
  if (list.foresight?.isRehearsal === true) return 'bad'; // the run itself will tell
  run.house.log('warn', error.message, {
    run_id: run.id,
    index: command.index,
    ...(command.name !== null && { action: command.name }),
    type: error.type,
  });
  return 'bad';
};

const planOfFailure = (written: unknown, gathered: CommandContext['gathered']): Plan => ({
  arguments: written,
  effects: gathered?.told ?? [],
  ...(gathered !== undefined && gathered.unknown.length > 0 && { unknown: gathered.unknown }),
});

/** Errors quote what they met, so known secrets and credentials in addresses are taken out before anybody sees them. */
const masked = (error: FileAutomationException, masker: Masker): ErrorRecord => {
  const { message, context, ...rest } = error.toJSON();
  return { ...rest, message: masker.text(message), context: masker.known(context) as ErrorRecord['context'] }; // masking keeps the shape
};

/** Writes down what a dry run knows of the command, and logs the call it would make. */
export const planned = (context: CommandContext, { effects, complete, unknown }: Foreseen, durationMs: number): Verdict => {
  const { list, command, ready, gathered } = context;
  const written = asWritten(ready, command.given);
  if (list.foresight?.isRehearsal !== true) tellPlanned(context, written);
  const { steps, notes = [] } = shown(gathered, 'done');
  const losses = lossNotes(foreseenLosses(list, effects));
  const plan = {
    arguments: written,
    effects,
    ...(!complete && { complete }),
    ...(unknown.length > 0 && { unknown }),
    ...(steps !== undefined && { steps }),
  };
  const all = [...notes, ...losses];
  write(context, { status: 'planned', plan, ...(all.length > 0 && { notes: all }) }, durationMs);
  return 'good';
};

const tellPlanned = ({ list: { run }, command }: CommandContext, written: unknown) => {
  const { log, planLog = log } = run.house;
  // As an object, so that what stands under a key named like a secret is masked. Arguments are JSON.
  planLog('info', `planned ${command.name}`, { run_id: run.id, index: command.index, arguments: written as Json });
};

const write = ({ list, command }: CommandContext, fields: Omit<Outcome, 'index' | 'action' | 'duration_ms'>, durationMs: number) => {
  list.outcomes[command.index] = {
    index: command.index,
    ...identity(command),
    action: command.name,
    ...fields,
    duration_ms: roundMs(durationMs),
  };
};

const identity = ({ id }: Command): { readonly id?: string } => (id === undefined ? {} : { id });

const shown = (gathered: CommandContext['gathered'], status: 'done' | 'failed' | 'cancelled'): Pick<Outcome, 'notes' | 'steps'> => {
  if (gathered === undefined) return {};
  const { steps, progress, lost } = gathered;
  const notes = lost.length === 0 ? gathered.notes : [...gathered.notes, ...lossNotes(lost)];
  for (const entry of progress) entry.finish(status);
  const [only] = steps;
  return { ...(notes.length > 0 && { notes }), ...(only !== undefined && { steps: steps.length === 1 ? only : steps }) };
};
