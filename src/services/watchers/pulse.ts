import type { Clock } from '../../core/ports.ts';
import type { SetTimer } from '../../lib/async/timer.ts';

export interface PulseParts {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  /** Never rejects. */
  work(): Promise<void>;
  /** How long nothing has to be done, as far as is known after the work. */
  sleepMs(): number;
}

/** Does work again and again, one round after the other. */
export interface Pulse {
  /** Does a round now. */
  start(): Promise<void>;
  /** Makes the next round start no later than this. While one is under way, its end decides. */
  wakeIn(ms: number): void;
  /** Starts no further round and waits for the one under way. */
  close(): Promise<void>;
}

/** A machine that slept is noticed this soon. */
const LONGEST_SLEEP_MS = 60_000;

export const createPulse = ({ clock, setTimer, work, sleepMs }: PulseParts): Pulse => {
  let working: Promise<void> | undefined;
  let isClosed = false;
  let wakesAt = 0;
  let stopTimer = () => {};

  const sleep = (ms: number) => {
    stopTimer();
    wakesAt = clock.monotonic() + ms;
    stopTimer = setTimer(() => void beat(), ms);
  };

  const beat = async () => {
    if (isClosed || working !== undefined) return;
    stopTimer();
    working = work();
    await working;
    working = undefined;
    if (!isClosed) sleep(Math.max(0, Math.min(LONGEST_SLEEP_MS, sleepMs())));
  };

  return {
    start: beat,
    wakeIn(ms) {
      if (!isClosed && working === undefined && wakesAt > clock.monotonic() + ms) sleep(ms);
    },
    async close() {
      isClosed = true;
      stopTimer();
      await working;
    },
  };
};
