import type { Clock } from '../../src/core/ports.ts';

/** Time that passes only when a test says so. */
export interface ManualTime {
  readonly clock: Clock;
  readonly setTimer: (work: () => void, ms: number) => () => void;
  /** The longest timer that was ever asked for. */
  readonly longestTimerMs: number;
  /** Lets time pass: every timer rings at its moment, and what it sets off is done before the next one. */
  advance(ms: number): Promise<void>;
  /** Lets time pass up to a moment, given as ISO 8601. */
  advanceTo(moment: string): Promise<void>;
  /** Sets the clock without a timer ringing, as on a machine that slept or was set. */
  jumpTo(moment: string): void;
}

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** Makes time that stands still at a moment. `settled` waits for what a timer set off, where that needs more than promises. */
export const manualTime = (start: string, settled: () => Promise<void> = oneTurn): ManualTime => {
  const timers = new Set<Timer>();
  let elapsed = 0;
  /** What the clock shows when no time has passed. */
  let origin = Date.parse(start);
  let longestTimerMs = 0;
  const now = () => origin + elapsed;

  const next = (until: number): Timer | undefined =>
    [...timers]
      .filter(({ at }) => at <= until)
      .reduce<Timer | undefined>((first, each) => (first && first.at <= each.at ? first : each), undefined);

  const advanceUntil = async (target: number): Promise<void> => {
    await settled();
    for (let timer = next(target); timer !== undefined; timer = next(target)) {
      timers.delete(timer);
      elapsed = Math.max(elapsed, timer.at);
      timer.work();
      await settled();
    }
    elapsed = target;
  };

  return {
    clock: { now, monotonic: () => elapsed },
    setTimer(work, ms) {
      longestTimerMs = Math.max(longestTimerMs, ms);
      const timer = { at: elapsed + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get longestTimerMs() {
      return longestTimerMs;
    },
    advance: (ms) => advanceUntil(elapsed + ms),
    advanceTo: (moment) => advanceUntil(elapsed + Date.parse(moment) - now()),
    jumpTo(moment) {
      origin = Date.parse(moment) - elapsed;
    },
  };
};

/** Everything that only waits for promises is done when the event loop has turned. */
const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
