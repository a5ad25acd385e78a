import type { Question } from '../../core/action.ts';
import type { Registry } from '../../core/registry.ts';
import type { Outcome } from '../../core/result.ts';
import { count } from '../terminal/units.ts';

/** The question that an outcome answered with no; undefined for all others. Its action has run, so it is loaded. */
export const answeredNo = (registry: Pick<Registry, 'resolve'>, { action, status, value }: Outcome): Question<unknown> | undefined => {
  if (action === null || (status !== 'ok' && status !== 'reused') || value === undefined) return undefined;
  const question = registry.resolve(action)?.action.question;
  return question?.isNo(value) === true ? question : undefined;
};

/** A value as counts, which are never cut: `matched 1,000, missing 1, ok false`. */
export const countsOf = (value: unknown): string => {
  if (typeof value === 'string') return `${count(value.split('\n').length - (value.endsWith('\n') ? 1 : 0))} lines`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, each]) => `${key} ${sizeOf(each)}`)
    .join(', ');
};

const sizeOf = (value: unknown): string => {
  if (Array.isArray(value)) return count(value.length);
  return typeof value === 'object' && value !== null ? count(Object.keys(value).length) : String(value);
};
