import { CancelledException, QuotaExceededException } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/result.ts';

/** A reason that a program may abort with, and how a command that was stopped for it ends. */
export interface StopReason {
  readonly called: string;
  readonly reason: unknown;
  readonly status: Outcome['status'];
  readonly type: string;
}

const cancelled = (called: string, reason: unknown): StopReason => ({ called, reason, status: 'cancelled', type: 'CancelledException' });

/** Every kind of reason there is. */
export const STOP_REASONS: readonly StopReason[] = [
  cancelled('nothing', undefined),
  cancelled('an error', new Error('enough')),
  cancelled('a text', 'enough'),
  cancelled('a number', 7),
  cancelled('an object without a prototype', Object.create(null)),
  cancelled('an AbortError', new DOMException('enough', 'AbortError')),
  cancelled('an error of ours', new CancelledException('Enough.')),
  {
    called: 'what AbortSignal.timeout gives',
    reason: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    status: 'failed',
    type: 'TimeoutException',
  },
  { called: 'a used-up budget', reason: new QuotaExceededException('Enough.'), status: 'failed', type: 'QuotaExceededException' },
];

/** How a command ended, in two words. */
export const endOf = ({ status, error }: Outcome): readonly [string, string | undefined] => [status, error?.type];

/** Aborts after so many turns of the event loop. */
export const abortAfter = (turns: number, reason: unknown): AbortSignal => {
  const controller = new AbortController();
  const next = (left: number) => {
    if (left === 0) controller.abort(reason);
    else setImmediate(next, left - 1);
  };
  next(turns);
  return controller.signal;
};
