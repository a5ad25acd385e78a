import { errorOf, errorOfOutcome } from '../core/error-of.ts';
import * as errors from '../core/errors.ts';
import { FileAutomationException } from '../core/errors.ts';
import type { ErrorRecord, Outcome, RunResult } from '../core/result.ts';

// What a server names by its type is thrown as that class, the same that the library throws, so that a program asks alike at both doors:
// `fault instanceof errors.ValidationException`. It is a fault of the client too, and says so when asked.

/** The names of all errors of a server; a plugin may add others. */
export type ErrorType = Extract<keyof typeof errors, `${string}Exception`> | (string & Record<never, never>);

/**
 * What a client met: no server, no answer in time, a caller that did not wait, a refusal, an answer of something else, or options that cannot
 * work.
 */
export type ClientTrouble = 'unreachable' | 'timeout' | 'cancelled' | 'refused' | 'malformed' | 'misuse';

export interface TroubleFacts {
  readonly trouble: ClientTrouble;
  readonly remedy: string;
  readonly retryable?: boolean;
  readonly context?: ErrorRecord['context'];
  readonly status?: number | undefined;
  readonly error?: ErrorRecord | undefined;
  readonly retryAfterS?: number | undefined;
  readonly cause?: unknown;
}

/** Known to every copy of this module, as there is one in each bundle. */
const TROUBLE = Symbol.for('factotum.client.trouble');
const FAILURE = Symbol.for('factotum.client.failure');

/** A server that could not be reached, refused the request or answered badly. Where its type names another class, it is one of these too. */
export class HTTPActionClientException extends errors.HTTPActionClientException {
  declare readonly trouble: ClientTrouble;
  /** What helps. */
  declare readonly remedy: string;
  /** Of the answer, where there was one. */
  declare readonly status: number | undefined;
  /** The typed error behind a refusal, where the server named one. */
  declare readonly error: ErrorRecord | undefined;
  /** How long the server asks to wait. */
  declare readonly retryAfterS: number | undefined;

  static override [Symbol.hasInstance](value: unknown): value is HTTPActionClientException {
    return typeof value === 'object' && value !== null && TROUBLE in value;
  }
}

/** The error of the one action that was called, of the class that its type names. */
export abstract class ActionFailure extends FileAutomationException {
  declare readonly type: ErrorType;
  declare readonly runId: string;
  /** All that is known of the command. */
  declare readonly outcome: Outcome;

  static override [Symbol.hasInstance](value: unknown): value is ActionFailure {
    return typeof value === 'object' && value !== null && FAILURE in value;
  }
}

/** What the catalogue has a name for bears it; everything else is the client's own. */
const TYPES: Partial<Record<ClientTrouble, ErrorType>> = { timeout: 'TimeoutException', cancelled: 'CancelledException' };

/** The error for what a client met. */
export const troubleOf = (message: string, facts: TroubleFacts): HTTPActionClientException => {
  const { trouble, remedy, retryable = false, context = {}, status, error, retryAfterS, cause } = facts;
  const type = error?.type ?? TYPES[trouble];
  const fault =
    type === undefined
      ? new HTTPActionClientException(message, { retryable, context, cause })
      : errorOf({ type, message, retryable, context }, cause);
  return marked(fault, TROUBLE, { trouble, remedy, status, error, retryAfterS }) as HTTPActionClientException; // it has all fields now
};

/** The error of a command that gave no value. */
export const failureOf = ({ run_id }: RunResult, outcome: Outcome): ActionFailure =>
  marked(errorOfOutcome(outcome), FAILURE, { runId: run_id, outcome }) as ActionFailure; // it has all fields now

const marked = (fault: FileAutomationException, mark: symbol, fields: object): FileAutomationException =>
  Object.defineProperty(Object.assign(fault, fields), mark, { value: true });
