import type { Json } from '../../core/errors.ts';
import { isLarge, jsonBeginning } from '../../core/json-pieces.ts';
import type { RunBegun } from '../../core/ports.ts';
import type { Outcome, RunResult } from '../../core/result.ts';
import type { AuditEntry } from '../engine/port/shelves.ts';

/** Longer values are left out: the log tells what was done, the history what came of it. */
const MAX_RESULT_CHARACTERS = 4_096;

/** Takes secrets out of a command as written, and out of what came of it. */
interface EntryMasks {
  mask(value: unknown): unknown;
  maskValue(value: unknown): unknown;
}

/** The lines of a run: one for each command of its list that ran, in order. */
export function* entriesOf(run: RunBegun, result: RunResult, { mask, maskValue }: EntryMasks): Generator<AuditEntry, void> {
  const written = writtenCommands(run.request);
  for (const outcome of result.results) {
    const { status } = outcome;
    if (status !== 'ok' && status !== 'failed' && status !== 'cancelled' && status !== 'indeterminate') continue;
    yield {
      at: run.startedAt.getTime(),
      action: outcome.action ?? 'unknown',
      caller: run.caller,
      runId: run.runId,
      payload: payloadOf(written[outcome.index], mask),
      result: resultOf(outcome, maskValue),
      error: errorOf(outcome),
      durationMs: outcome.duration_ms,
    };
  }
}

/** Arguments that are as long as a file are told by the history. */
const payloadOf = (command: unknown, mask: (value: unknown) => unknown): Json =>
  isLarge(command) ? TOO_LONG : asJson(argumentsOf(mask(command)) ?? null);

const TOO_LONG: Json = { left_out: 'These arguments are too long for the audit log; the history of runs has them.' };

const errorOf = ({ status, error }: Outcome): string | null =>
  error === undefined ? (status === 'ok' ? null : status) : `${error.type}: ${error.message}`;

/** A request is a list, a wrapped list or a graph; it was checked before it ran. */
const writtenCommands = (request: unknown): readonly unknown[] => {
  if (Array.isArray(request)) return request;
  if (typeof request !== 'object' || request === null) return [];
  const { actions, auto_control, nodes } = request as Record<string, unknown>; // an object; what it holds is looked at below
  return [actions, auto_control, nodes].find(Array.isArray) ?? [];
};

/** What a command `[name, arguments]`, or the action of a node, is given. */
const argumentsOf = (command: unknown): unknown => {
  if (Array.isArray(command)) return command[1];
  return typeof command === 'object' && command !== null && 'action' in command ? argumentsOf(command.action) : undefined;
};

/** Values of plain functions may hold what JSON does not. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? 'null');

/** What is long is not even looked through. */
const resultOf = ({ value = null }: Outcome, mask: (value: unknown) => unknown): Json => {
  const isLong =
    typeof value === 'string' ? value.length > MAX_RESULT_CHARACTERS : jsonBeginning(value, MAX_RESULT_CHARACTERS) !== undefined;
  return isLong ? null : shortened(asJson(mask(value)));
};

const shortened = (value: Json): Json => (JSON.stringify(value).length <= MAX_RESULT_CHARACTERS ? value : null);
