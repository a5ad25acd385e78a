import { isDeepStrictEqual } from 'node:util';
import { json, oneOf } from '../../core/args.ts';
import { ArgumentException } from '../../core/errors.ts';
import { kindOf } from '../../core/shapes.ts';

/** What can be asked of a value. */
const CONDITIONS = [
  'true',
  'false',
  'equals',
  'not_equals',
  'greater_than',
  'at_least',
  'less_than',
  'at_most',
  'empty',
  'not_empty',
  'contains',
  'not_contains',
  'matches',
  'not_matches',
] as const;

/** A question about a value. */
export interface ValueCondition {
  readonly value: unknown;
  readonly is: (typeof CONDITIONS)[number];
  readonly other: unknown;
}

/** The first arguments of every action that asks about a value. */
export const conditionArgs = {
  value: json('The value to judge, most often a reference: `${results[0].value.missing}`.'),
  is: oneOf(
    'What it must be. `empty` is for texts, lists, objects and null; `contains` for texts, lists and the keys of objects; `matches` takes a regular expression (RE2).',
    CONDITIONS,
    { default: 'true' },
  ),
  other: json('What it is compared with, where the condition compares.', { default: null }),
};

/** Whether a condition holds; throws `ArgumentException` where it makes no sense for these values. */
export const holds = async (condition: ValueCondition): Promise<boolean> => {
  const { value, is, other } = condition;
  switch (is) {
    case 'true':
    case 'false':
      if (typeof value !== 'boolean') throw nonsense('value', 'true or false', value);
      return value === (is === 'true');
    case 'equals':
    case 'not_equals':
      return isDeepStrictEqual(value, other) === (is === 'equals');
    case 'greater_than':
      return order(value, other) > 0;
    case 'at_least':
      return order(value, other) >= 0;
    case 'less_than':
      return order(value, other) < 0;
    case 'at_most':
      return order(value, other) <= 0;
    case 'empty':
    case 'not_empty':
      return isEmpty(value) === (is === 'empty');
    case 'contains':
    case 'not_contains':
      return contains(value, other) === (is === 'contains');
    case 'matches':
    case 'not_matches':
      return (await matches(value, other)) === (is === 'matches');
  }
};

/** Below, at or above zero. Numbers by size, texts by their characters, so that dates of one form are in order. */
const order = (value: unknown, other: unknown): number => {
  if (typeof value === 'number' && typeof other === 'number') return value - other;
  if (typeof value === 'string' && typeof other === 'string') return value === other ? 0 : value < other ? -1 : 1;
  const isOrdered = typeof value === 'number' || typeof value === 'string';
  if (!isOrdered) throw nonsense('value', 'a number or a text', value);
  throw nonsense('other', typeof value === 'number' ? 'a number' : 'a text', other);
};

const isEmpty = (value: unknown): boolean => {
  if (value === null || value === '') return true;
  if (typeof value === 'string') return false;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  throw nonsense('value', 'a text, a list, an object or null', value);
};

const contains = (value: unknown, other: unknown): boolean => {
  if (Array.isArray(value)) return value.some((each) => isDeepStrictEqual(each, other));
  if (typeof other !== 'string') throw nonsense('other', 'a text', other);
  if (typeof value === 'string') return value.includes(other);
  if (typeof value === 'object' && value !== null) return Object.hasOwn(value, other);
  throw nonsense('value', 'a text, a list or an object', value);
};

const matches = async (value: unknown, pattern: unknown): Promise<boolean> => {
  if (typeof value !== 'string') throw nonsense('value', 'a text', value);
  if (typeof pattern !== 'string') throw nonsense('other', 'a regular expression', pattern);
  const { compileRegex } = await import('../../lib/regex/compile.ts');
  return (await compileRegex(pattern, { Refusal: ArgumentException, argument: 'other' })).test(value);
};

const nonsense = (argument: 'value' | 'other', expected: string, got: unknown) =>
  new ArgumentException(`${argument} must be ${expected} for this condition, not ${kindOf(got)}; choose another condition.`, {
    context: { argument },
  });
