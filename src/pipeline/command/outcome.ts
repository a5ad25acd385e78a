import type { Masker } from '../../access/mask.ts';
import { CancelledException, type FileAutomationException, type Json } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect, ErrorRecord, Note, Outcome, Plan, RunResult } from '../../core/result.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import { roundMs } from '../list/report.ts';
import type { Foreseen } from '../plan/foresee.ts';
import type { Command, ListRun, Verdict, Written } from '../run.ts';
import { addEntry, OUTCOME_BYTES, PLANNED_BYTES } from '../usage.ts';
import { asWritten } from './bind.ts';
import type { CommandContext, Gathered } from './context.ts';
import { faultFrom } from './faults.ts';
import { jsonBytes, jsonValue } from './json-value.ts';
import { attributeNotes, foreseenLosses, lossNotes } from './losses.ts';

/** Writes down that the command gave a value. */
export const succeed = (context: CommandContext, value: unknown, durationMs: number): Verdict => {
  const { list, command, ready, gathered } = context;
  const { index, id, name: action } = command;
  const given = shownValue(value, ready);
  const bytes = typeof given === 'object' || typeof given === 'string' ? sizeIn(list, ready, given) : 0;
  if (bytes === undefined) return fail(context, list.run.usage.overBytes(), durationMs);
  if (context.held > 0) release(context);
  addEntry(list, OUTCOME_BYTES + bytes);
  const duration_ms = roundMs(durationMs);
  // One object and no copy: it is most of the cost of a cheap command.
  const outcome: Outcome =
    id === undefined
      ? { index, action, status: 'ok', value: given, duration_ms }
      : { index, id, action, status: 'ok', value: given, duration_ms };
  list.outcomes[index] = gathered === undefined ? outcome : { ...outcome, ...toldOnce(context, given, shown(gathered, 'done')) };
  return 'good';
};

/** What a value takes, if there is room for it. What the lists of the command gave is counted already. */
const sizeIn = ({ run }: ListRun, ready: Ready | undefined, value: unknown): number | undefined =>
  ready?.action.tellsSteps === true ? 0 : run.usage.sizeOf(value);

/** The values that references stood for are let go. */
const release = (context: CommandContext): void => {
  context.list.run.usage.giveBack(context.held);
  context.held = 0;
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
  release(context);
  addEntry(list, OUTCOME_BYTES + error.message.length);
  const status = error instanceof CancelledException ? 'cancelled' : 'failed';
  const { run } = list;
  const plan = list.foresight && { plan: planOfFailure(shownArguments(ready, command.given, run.house.masker), gathered) };
  write(context, { status, error: masked(error, run.house.masker), ...plan, ...shown(gathered, status) }, durationMs);
  if (list.foresight?.isRehearsal === true) return 'bad'; // the run itself will tell
  const telling = run.usage.takeTold();
  if (telling === 'silent') return 'bad';
  run.house.log('warn', error.message, {
    run_id: run.id,
    index: command.index,
    ...(command.name !== null && { action: command.name }),
    type: error.type,
  });
  if (telling === 'last') run.house.log('warn', 'further failures of this run are not logged', { run_id: run.id });
  return 'bad';
};

/** Arguments as plans show them: those that hold secrets, and credentials in addresses, are taken out. */
export const shownArguments = (ready: Ready | undefined, given: Written, masker: Masker): unknown =>
  withoutCredentials(asWritten(ready, given), masker);

const withoutCredentials = (value: unknown, masker: Masker): unknown =>
  rewriteJson(value, { text: (text) => (text.includes('://') ? masker.text(text) : text) });

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
  const { usage, house } = list.run;
  const written = shownArguments(ready, command.given, house.masker);
  const bytes = usage.sizeOf([written, effects]);
  if (bytes === undefined) return fail(context, usage.overBytes(), durationMs);
  release(context);
  addEntry(list, PLANNED_BYTES + bytes);
  if (list.foresight?.isRehearsal !== true) tellPlanned(context, written);
  const { steps, notes = [] } = shown(gathered, 'done');
  const losses = lossNotes(foreseenLosses(list, effects));
  const plan = {
    arguments: written,
    effects: withoutCredentials(effects, house.masker) as readonly Effect[], // masking keeps the shape
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
  const telling = run.usage.takePlanned();
  if (telling === 'silent') return;
  // As an object, so that what stands under a key named like a secret is masked. Arguments are JSON.
  planLog('info', `planned ${command.name}`, { run_id: run.id, index: command.index, arguments: written as Json });
  if (telling === 'last') planLog('info', 'further calls of this plan are not logged; its result has all of them', { run_id: run.id });
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

/**
 * Inside nested lists a value stands in the entry of its command and in the values of the commands around it, which tell it; `steps` of
 * those would say it once more at every depth.
 */
const toldOnce = (
  { list, ready }: CommandContext,
  own: unknown,
  told: Pick<Outcome, 'notes' | 'steps'>,
): Pick<Outcome, 'notes' | 'steps'> => {
  const { steps } = told;
  if (steps === undefined) return told;
  const tellsAll = ready?.action.tellsSteps === true;
  const isTold = ({ value, steps: inner }: Outcome) =>
    value !== undefined && (tellsAll ? list.depth > 1 || inner !== undefined : list.depth > 1 && Object.is(value, own));
  const without = (result: RunResult): RunResult =>
    result.results.some(isTold)
      ? { ...result, results: result.results.map((outcome) => (isTold(outcome) ? withoutValue(outcome) : outcome)) }
      : result;
  return { ...told, steps: 'results' in steps ? without(steps) : steps.map(without) };
};

const withoutValue = ({ value: _, ...outcome }: Outcome): Outcome => outcome;

const shown = (gathered: CommandContext['gathered'], status: 'done' | 'failed' | 'cancelled'): Pick<Outcome, 'notes' | 'steps'> => {
  if (gathered === undefined) return {};
  const { progress, lost, unkept, rest } = gathered;
  const notes = lost.length + unkept.length === 0 ? gathered.notes : [...gathered.notes, ...attributeNotes(unkept), ...lossNotes(lost)];
  if (rest !== undefined) notes.push(notShown(gathered));
  for (const entry of progress) entry.finish(status);
  const steps = rest === undefined ? gathered.steps : [...gathered.steps, rest];
  const [only] = steps;
  return { ...(notes.length > 0 && { notes }), ...(only !== undefined && { steps: steps.length === 1 ? only : steps }) };
};

const notShown = ({ steps, restCount }: Gathered): Note => ({
  kind: 'truncated',
  message: `Of ${steps.length + restCount} results ${steps.length} are shown; the others are added up in the last entry.`,
  shown: steps.length,
  added_up: restCount,
});
