import type { FileAutomationException } from '../../core/errors.ts';

/** What the HTTP door answers to a refused request. Failed commands are results, not problems. */
const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ['JsonActionException', 400],
  ['ArgumentException', 400],
  ['AuthenticationException', 401],
  ['ActionNotPermittedException', 403],
  ['PolicyException', 403],
  ['ValidationException', 422],
  ['DagException', 422],
  ['PlanChangedException', 409],
  ['QuotaExceededException', 429],
  ['CancelledException', 503],
  ['StoreException', 503],
  ['QueueException', 503],
  ['UnknownActionException', 404],
]);

/** A problem in the form of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly error: ReturnType<FileAutomationException['toJSON']>;
}

/** The problem that stands for an error of the house. */
export const problemOf = (error: FileAutomationException): Problem => {
  const status = STATUS_OF.get(error.type) ?? 500;
  return { ...problem(status, kindOf(error.type), error.message), error: error.toJSON() };
};

/** A problem of the door itself. */
export const problem = (status: number, kind: string, detail: string): Problem => ({
  type: `urn:factotum:error:${kind}`,
  title: TITLES_OF_KINDS.get(kind) ?? TITLES.get(status) ?? 'The request was refused',
  status,
  detail,
  error: { type: TYPE_OF.get(status) ?? 'JsonActionException', message: detail, retryable: LATER.has(status), context: {} },
});

/** The error of the house that is nearest to what the door refuses; everything else cannot be read as a list. */
const TYPE_OF: ReadonlyMap<number, string> = new Map([
  [401, 'AuthenticationException'],
  [403, 'PolicyException'],
  [404, 'ArgumentException'],
  [405, 'ArgumentException'],
  [409, 'ExecuteActionException'],
  [426, 'ArgumentException'],
  [429, 'RateLimitExceededException'],
  [500, 'InternalException'],
  [503, 'RateLimitExceededException'],
]);

/** The same request may well pass later. */
const LATER: ReadonlySet<number> = new Set([408, 429, 503]);

const TITLES: ReadonlyMap<number, string> = new Map([
  [400, 'The request cannot be read'],
  [401, 'The caller is not known'],
  [403, 'The caller may not do this'],
  [404, 'Nothing is here'],
  [405, 'The method does not fit'],
  [408, 'The request came too slowly'],
  [409, 'The request does not fit what is there'],
  [413, 'The request is too large'],
  [415, 'The content type does not fit'],
  [417, 'The expectation cannot be met'],
  [422, 'The list was refused'],
  [426, 'The protocol must change'],
  [429, 'Too many requests'],
  [431, 'The head of the request is too large'],
  [500, 'Something went wrong inside'],
  [503, 'The service cannot take this now'],
]);

/** Where one status has several reasons. */
const TITLES_OF_KINDS: ReadonlyMap<string, string> = new Map([
  ['plan-changed', 'The plan has changed'],
  ['not-over', 'The run is not over'],
  ['cannot-resume', 'The run cannot be resumed'],
  ['cannot-undo', 'The run cannot be undone'],
  ['idempotency-key-in-use', 'The run of this key is under way'],
]);

/** `UnknownActionException` becomes `unknown-action`. */
const kindOf = (type: string): string =>
  type
    .replace(/Exception$/, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase();
