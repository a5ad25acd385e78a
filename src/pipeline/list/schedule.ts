import { createSliceQueue, TimeSlice } from '../../lib/async/time-slice.ts';
import type { Steps, Verdict } from '../run.ts';
import { NONE, type Order } from './order.ts';

export interface ScheduleOptions {
  /** How many commands may be under way at once. */
  readonly width: number;
  /** Whether a bad command holds back those that wait for it. */
  readonly failFast: boolean;
  /** Commands that run whatever became of those before them. */
  readonly always?: (at: number) => boolean;
  readonly signal: AbortSignal;
  /** Ends the time of those; where it is left out, theirs is everybody's. */
  readonly cleanupSignal?: AbortSignal | undefined;
  /** The time of the commands; a whole run shares one. */
  readonly slice?: TimeSlice;
}

/**
 * Takes every command once all it waits for has ended, at most `width` at a time. No recursion and no promise per
 * synchronous command, so 100,000 of them are one loop. Resolves when every command was taken or left; undefined where that was
 * done at once.
 */
export const schedule = (
  order: Order,
  steps: Steps,
  { width, failFast, always, signal, cleanupSignal = signal, slice = new TimeSlice(createSliceQueue()) }: ScheduleOptions,
): Promise<void> | undefined => {
  const { count } = order;
  let underWay = 0;
  let ended = 0;
  let resolve = () => {};
  let broken: { readonly fault: unknown } | undefined;
  let reject = (fault: unknown) => {
    broken = { fault };
  };

  const end = (at: number, verdict: Verdict) => {
    ended += 1;
    order.ended(at, verdict === 'bad' && failFast);
  };

  const takeOne = (at: number) => {
    if (signal.aborted && (cleanupSignal.aborted || always?.(at) !== true)) {
      steps.leave(at, 'cancelled', undefined);
      return end(at, 'bad');
    }
    const holder = order.holderOf(at);
    if (holder !== NONE && always?.(at) !== true) {
      steps.leave(at, 'skipped', holder);
      return end(at, 'bad');
    }
    const verdict = steps.take(at);
    if (typeof verdict === 'string') return end(at, verdict);
    underWay += 1;
    verdict.then(
      (settled) => {
        underWay -= 1;
        end(at, settled);
        pump();
      },
      (fault: unknown) => reject(fault),
    );
  };

  const pump = () => {
    try {
      while (underWay < width) {
        const at = order.next();
        if (at === NONE) break;
        takeOne(at);
        if (slice.isOver()) {
          slice.pass(() => {
            steps.resume?.();
            pump();
          });
          return;
        }
      }
      if (ended === count) resolve();
    } catch (fault) {
      reject(fault);
    }
  };

  pump();
  if (broken !== undefined) throw broken.fault;
  if (ended === count) return undefined;
  return new Promise((done, fail) => {
    resolve = done;
    reject = fail;
  });
};
