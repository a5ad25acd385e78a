import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { AssertionException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { bounded } from '../../lib/partial/bounded.ts';
import { conditionArgs, holds, type ValueCondition } from './value-condition.ts';

interface AssertArgs extends ValueCondition {
  readonly message: string | null;
}

const MOST_SHOWN = 20;
const SHOWN_CHARS = 200;

const demand = async (_: unknown, { message, ...condition }: AssertArgs): Promise<boolean> => {
  if (await holds(condition)) return true;
  const { value, is, other } = condition;
  throw new AssertionException(message === null ? sentence(condition) : `${message} The value is ${shown(value)}.`, {
    context: { value: bounded(value, MOST_SHOWN), is, ...(other !== null && { other: bounded(other, MOST_SHOWN) }) },
  });
};

const sentence = ({ value, is, other }: ValueCondition): string => {
  const wanted = is.replaceAll('_', ' ') + (other === null ? '' : ` ${shown(other)}`);
  return `The list demands that a value is: ${wanted}; it is ${shown(value)}.`;
};

const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > SHOWN_CHARS ? `${json.slice(0, SHOWN_CHARS)}…` : json;
};

export const assert = defineAction({
  name: 'FA_assert',
  summary: 'Fails when a value is not as it must be; with `stop_on_error` the rest of the list is skipped then.',
  args: {
    ...conditionArgs,
    message: text('What to say when it is not, before the value is told; left out, the condition is told.', {
      default: null,
      minLength: 1,
    }),
  },
  returns: shapes.flag(),
  idempotent: true,
  pure: true,
  examples: [
    { args: { value: [], is: 'empty' }, value: true },
    { args: { value: 3, is: 'at_most', other: 5, message: 'There are too many.' }, value: true },
    { about: 'What does not hold.', args: { value: ['a.txt'], is: 'empty', message: 'Files are missing.' }, fails: 'AssertionException' },
  ],
  plan: demand,
  run: demand,
});

const giveUp = (_: unknown, { message }: { readonly message: string }): null => {
  throw new AssertionException(message);
};

export const fail = defineAction({
  name: 'FA_fail',
  summary: 'Fails, for a branch that a list must not take.',
  args: { message: text('What to say.', { minLength: 1 }) },
  returns: shapes.nothing(),
  idempotent: true,
  pure: true,
  examples: [{ args: { message: 'The backup is too old.' }, fails: 'AssertionException' }],
  plan: giveUp,
  run: giveUp,
});
