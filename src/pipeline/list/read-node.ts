import { DagException } from '../../core/errors.ts';
import type { RetryRule } from '../../core/retry.ts';
import { kindOf } from '../../core/shapes.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Command } from '../run.ts';
import { readCommand } from './read-command.ts';

const NODE_KEYS = ['id', 'action', 'depends_on', 'retry', 'timeout_s', 'run'];
const RETRY_KEYS = ['attempts', 'backoff_s', 'cap_s'];

type Fields = { readonly [key: string]: unknown };

/** Reads one node of a graph; anything wrong with it refuses the whole graph. */
export const readNode = (item: unknown, index: number): Command => {
  if (!isFields(item)) throw wrong(index, undefined, `it must be an object with id and action, not ${kindOf(item)}`);
  const { id } = item;
  if (typeof id !== 'string' || id === '')
    throw wrong(index, undefined, Object.hasOwn(item, 'id') ? 'its id must be a text that is not empty' : 'it has no id');
  demandKeys(item, NODE_KEYS, index, id);
  if (!Object.hasOwn(item, 'action')) throw wrong(index, id, 'it has no action');
  const command = readCommand(item.action, index);
  if (command.fault !== undefined) throw wrong(index, id, command.fault.message);
  const { name, given, fault } = command;
  const node = { index, name, given, fault, id, after: readDependencies(item, index, id) };
  const extras = readExtras(item, index, id);
  return extras === undefined ? node : { ...node, ...extras };
};

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const readDependencies = (item: Fields, index: number, id: string): readonly string[] => {
  if (!Object.hasOwn(item, 'depends_on')) return [];
  const { depends_on: after } = item;
  if (!Array.isArray(after) || !after.every((each) => typeof each === 'string'))
    throw wrong(index, id, 'its depends_on must be a list of node ids');
  return after;
};

/** What most nodes do without. */
const readExtras = (item: Fields, index: number, id: string): Partial<Command> | undefined => {
  const { retry, timeout_s: timeoutS, run } = item;
  if (retry === undefined && timeoutS === undefined && run === undefined) return undefined;
  if (run !== undefined && run !== 'always') throw wrong(index, id, 'its run can only be "always"');
  if (timeoutS !== undefined && !isPositive(timeoutS)) throw wrong(index, id, 'its timeout_s must be a number above 0');
  return {
    ...(run === 'always' && { always: true }),
    ...(timeoutS !== undefined && { timeoutS: Number(timeoutS) }),
    ...(retry !== undefined && { retry: readRetry(retry, index, id) }),
  };
};

const readRetry = (retry: unknown, index: number, id: string): RetryRule => {
  if (!isFields(retry)) throw wrong(index, id, 'its retry must be an object with attempts, backoff_s and cap_s');
  demandKeys(retry, RETRY_KEYS, index, id);
  const { attempts = 3, backoff_s: backoffS = 0.5, cap_s: capS = 8 } = retry;
  if (!Number.isSafeInteger(attempts) || Number(attempts) < 1)
    throw wrong(index, id, 'its retry.attempts must be a whole number of at least 1');
  if (!isNotNegative(backoffS) || !isNotNegative(capS))
    throw wrong(index, id, 'its retry.backoff_s and retry.cap_s must be numbers of at least 0');
  return { attempts: Number(attempts), backoffS: Number(backoffS), capS: Number(capS) };
};

const isPositive = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;
const isNotNegative = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const demandKeys = (fields: Fields, known: readonly string[], index: number, id: string) => {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw wrong(index, id, `its key ${JSON.stringify(unknown.slice(0, 100))} is unknown${didYouMean(unknown, known) || '.'}`);
};

const wrong = (index: number, id: string | undefined, what: string) =>
  new DagException(
    `Node ${index}${id === undefined ? '' : ` (${id})`} cannot be used: ${what}${what.endsWith('.') || what.endsWith('?') ? '' : '.'}`,
    {
      context: { index, ...(id !== undefined && { id }) },
    },
  );
