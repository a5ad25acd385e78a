import type { Clock } from '../../core/ports.ts';
import type { Wait } from '../../lib/async/wait.ts';
import type { ByteTeller } from './counted.ts';

export interface Bandwidth {
  /** Bytes a second, over everything that shares the limit. */
  readonly bytesPerS: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly wait: Wait;
}

/** Longer than a breath nobody is ahead of the rate, so that a transfer that stood still does not burst. */
const AHEAD_MS = 100;

/** A brake: whoever sends more than the rate allows waits until the rate has caught up. All who share it come one after the other. */
export const createBrake = ({ bytesPerS, clock, wait }: Bandwidth): ByteTeller => {
  let paidUntilMs = clock.monotonic();
  return (_direction, bytes, signal) => {
    const now = clock.monotonic();
    paidUntilMs = Math.max(paidUntilMs, now - AHEAD_MS) + (bytes / bytesPerS) * 1000;
    return paidUntilMs > now ? wait(paidUntilMs - now, signal) : undefined;
  };
};
