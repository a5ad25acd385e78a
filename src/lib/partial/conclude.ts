import type { Context } from '../../core/context.ts';
import type { ExceptionOptions, FileAutomationException, Json } from '../../core/errors.ts';
import type { OnUnreadable } from '../../core/on-unreadable.ts';
import { bounded } from './bounded.ts';
import { allFailures, type Failures, MOST_TOLD, noFailures } from './failures.ts';

/** How work on many files ended. */
export interface Ending<T> {
  /** What the command gives where nothing failed, and what its summary says where something did. */
  readonly value: T;
  /** What could not be read and was left out. */
  readonly unreadable?: Failures;
  /** What else could not be done. There is no going on without it. */
  readonly failed?: Failures;
  /** What was there and is gone by now: told, and no failure. */
  readonly vanished?: number;
  readonly onUnreadable?: OnUnreadable;
  /** What did not happen to them, behind "3 entries": `could not be copied`. */
  readonly what: string;
  /** The type of the failure. */
  readonly as: new (
    message: string,
    options: ExceptionOptions,
  ) => FileAutomationException;
}

/**
 * Ends work that did what it could: gives its value where all was done or what is missing may be missing, else fails with what was
 * done and what was not (`context.summary`). Every action that works on many files ends here, so that `ok` means the same everywhere.
 */
export const conclude = <T>({ note }: Pick<Context, 'note'>, ending: Ending<T>): T => {
  const { value, unreadable = noFailures(), failed = noFailures(), vanished = 0, onUnreadable = 'fail', what } = ending;
  if (vanished > 0) note({ kind: 'vanished', message: `${entries(vanished)} vanished before they could be read.`, count: vanished });
  if (failed.count > 0 || (unreadable.count > 0 && onUnreadable === 'fail')) throw failure(ending, allFailures(failed, unreadable));
  const [first] = unreadable.first;
  if (first === undefined) return value;
  const others = unreadable.count === 1 ? '' : ` and ${unreadable.count - 1} more`;
  const paths = unreadable.first.slice(0, MOST_NOTED).map(({ path }) => path);
  note({ kind: 'unreadable', message: `${first.path}${others} ${what}.`, count: unreadable.count, paths });
  return value;
};

const MOST_NOTED = 20;

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

const failure = <T>({ value, failed, what, as: Exception }: Ending<T>, all: Failures): FileAutomationException => {
  const [first] = all.first;
  const said = all.count === 1 ? '' : 'the first: ';
  const remedy = failed === undefined || failed.count === 0 ? ' Mend that, or go on without by on_unreadable "skip".' : '';
  return new Exception(`${entries(all.count)} ${what}; ${said}${first?.error.message ?? ''}${remedy}`, {
    context: { ...place(first?.error), summary: summaryOf(value, all) },
    cause: first?.error,
    retryable: all.first.every(({ error }) => error.retryable),
  });
};

/** Where the first one happened, as if it were alone. */
const place = (error: FileAutomationException | undefined): { readonly [key: string]: Json } => {
  const { path, code } = error?.context ?? {};
  return { ...(path !== undefined && { path }), ...(code !== undefined && { code }) };
};

/** What the value would have been, and what failed. */
const summaryOf = (value: unknown, { count, first }: Failures): Json => {
  const shown = bounded(value, MOST_TOLD);
  const failed = first.map(({ path, error }) => ({ path, reason: error.message }));
  const isObject = typeof shown === 'object' && shown !== null && !Array.isArray(shown);
  return { ...(isObject ? shown : { value: shown }), failed, failed_count: count };
};
