import type { Wait } from '../async/wait.ts';

export interface Bandwidth {
  /** Bytes a second, over everything that shares the limit. */
  readonly bytesPerS: number;
  readonly clock: { monotonic(): number };
  readonly wait: Wait;
}

/** Longer than a breath nobody is ahead of the rate, so that a transfer that stood still does not burst. */
const AHEAD_MS = 100;

/** Whoever sends more than the rate allows waits until the rate has caught up. All who share it come one after the other. */
export const createPace = ({ bytesPerS, clock, wait }: Bandwidth) => {
  let paidUntilMs = clock.monotonic();
  return (bytes: number, signal: AbortSignal): void | Promise<void> => {
    const now = clock.monotonic();
    paidUntilMs = Math.max(paidUntilMs, now - AHEAD_MS) + (bytes / bytesPerS) * 1000;
    return paidUntilMs > now ? wait(paidUntilMs - now, signal) : undefined;
  };
};
