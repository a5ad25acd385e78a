import { setMaxListeners } from 'node:events';
import { CancelledException, FileAutomationException, TimeoutException } from '../../core/errors.ts';

/**
 * Why work was stopped, as an error of ours. Programs abort with whatever they like: an error of their own, a text, nothing. Only a time
 * limit is no wish to cancel, and it is known by its name.
 */
export const stopError = (reason: unknown): FileAutomationException => {
  if (reason instanceof FileAutomationException) return reason;
  return isTimeLimit(reason)
    ? new TimeoutException('The run took longer than its caller allowed; allow more time or give it less to do.', {
        cause: reason,
        retryable: true,
      })
    : new CancelledException('The run was cancelled.', { cause: reason });
};

/** How `AbortSignal.timeout` and those who imitate it name their reason. */
const isTimeLimit = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** Marks signals that abort with errors of ours and nothing else. */
const OURS = Symbol('factotum.stopSignal');

/** A signal whose reason is an error of ours. */
export type StopSignal = AbortSignal & { readonly [OURS]: true };

export const isStopSignal = (signal: AbortSignal): signal is StopSignal => OURS in signal;

/** The means to stop work. */
export interface Stopper {
  readonly signal: StopSignal;
  /** The first reason counts. */
  stop(reason?: unknown): void;
}

export const openStopper = (): Stopper => {
  const controller = new AbortController();
  return {
    signal: Object.assign(controller.signal, { [OURS]: true as const }),
    stop: (reason) => controller.abort(stopError(reason)),
  };
};

/** A signal of ours that follows others, and how to leave nothing behind on those that live longer. */
export interface FollowingSignal {
  readonly signal: StopSignal;
  forget(): void;
}

/** Stops with the first of some signals, for its reason in our words. */
export const followSignals = (...followed: readonly AbortSignal[]): FollowingSignal => {
  const { signal, stop } = openStopper();
  const onAbort = () => stop(followed.find(({ aborted }) => aborted)?.reason);
  if (followed.some(({ aborted }) => aborted)) onAbort();
  setMaxListeners(0, ...followed); // all calls of a service, and all of one caller, follow the same ones
  for (const each of followed) each.addEventListener('abort', onAbort, { once: true });
  return {
    signal,
    forget() {
      for (const each of followed) each.removeEventListener('abort', onAbort);
    },
  };
};
