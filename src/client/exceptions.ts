import type * as errors from '../core/errors.ts';
import type { ErrorRecord, Outcome, RunResult } from '../core/result.ts';

/** The names of all errors of a server; a plugin may add others. */
export type ErrorType = Extract<keyof typeof errors, `${string}Exception`> | (string & Record<never, never>);

interface Facts {
  readonly type: ErrorType;
  readonly retryable: boolean;
  readonly context: ErrorRecord['context'];
}

/** The shape that every error of the project has. */
class ClientError extends Error {
  readonly type: ErrorType;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** What a program needs to know of the place. */
  readonly context: ErrorRecord['context'];

  constructor(message: string, { type, retryable, context }: Facts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = type;
    this.type = type;
    this.retryable = retryable;
    this.context = context;
  }

  /** The wire form, as servers write it. */
  toJSON(): ErrorRecord {
    return { type: this.type, message: this.message, retryable: this.retryable, context: this.context };
  }
}

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

/** What the catalogue has a name for bears it; everything else is the client's own. */
const TYPES: Partial<Record<ClientTrouble, ErrorType>> = { timeout: 'TimeoutException', cancelled: 'CancelledException' };

/** A server that could not be reached, refused the request or answered badly; its type says where the caller ended the call or its time did. */
export class HTTPActionClientException extends ClientError {
  readonly trouble: ClientTrouble;
  /** What helps. */
  readonly remedy: string;
  /** Of the answer, where there was one. */
  readonly status: number | undefined;
  /** The typed error behind a refusal, where the server named one. */
  readonly error: ErrorRecord | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterS: number | undefined;

  constructor(message: string, { trouble, remedy, retryable = false, context = {}, status, error, retryAfterS, cause }: TroubleFacts) {
    super(message, { type: TYPES[trouble] ?? 'HTTPActionClientException', retryable, context }, cause);
    this.trouble = trouble;
    this.remedy = remedy;
    this.status = status;
    this.error = error;
    this.retryAfterS = retryAfterS;
  }
}

/** The error of the one action that was called, under its own type. */
export class ActionFailure extends ClientError {
  readonly runId: string;
  /** All that is known of the command. */
  readonly outcome: Outcome;

  constructor({ run_id }: RunResult, outcome: Outcome) {
    const { type, message, retryable, context } = outcome.error ?? unnamed(outcome);
    super(message, { type, retryable, context });
    this.runId = run_id;
    this.outcome = outcome;
  }
}

/** A command that was cancelled before it began has no error of its own. */
const unnamed = ({ action, status, reason = status }: Outcome): ErrorRecord => ({
  type: status === 'cancelled' ? 'CancelledException' : 'ExecuteActionException',
  message: `${action ?? 'The action'} did not run: ${reason}.`,
  retryable: false,
  context: {},
});
