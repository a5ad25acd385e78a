import type { Log } from '../../core/ports.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { Claim } from '../engine/port/engine.ts';

export interface IntakeParts {
  /** Claims so many due runs at most. */
  claim(max: number): Promise<readonly Claim[]>;
  /** How many runs there is room for. */
  freePlaces(): number;
  take(claim: Claim): void;
  readonly log: Log;
  readonly setTimer: SetTimer;
}

/** Takes runs as they become due and there is room. */
export interface Intake {
  start(): void;
  /** Something was queued. */
  queued(): void;
  /** There is room again. */
  freed(): void;
  /** Takes nothing more; what is being claimed is taken before this is done. */
  stop(): Promise<void>;
}

/** Runs whose time comes, and those of other processes, are found this soon. */
const LOOK_MS = 1_000;

export const createIntake = ({ claim, freePlaces, take, log, setTimer }: IntakeParts): Intake => {
  let isOpen = false;
  let mayHaveMore = true;
  let looking: Promise<void> | undefined;
  let isHinted = false;
  let isStoreWell = true;
  let stopTimer = () => {};

  const claimDue = async () => {
    for (let free = freePlaces(); mayHaveMore && free > 0 && isOpen; free = freePlaces()) {
      mayHaveMore = false; // what is queued during the call makes it true again
      const claims = await claim(free);
      if (claims.length === free) mayHaveMore = true;
      for (const each of claims) take(each);
    }
  };

  /** A store that does not answer is no reason to stop: what is due stays due. */
  const look = async () => {
    try {
      await claimDue();
      if (!isStoreWell) log('info', 'the queue works again');
      isStoreWell = true;
    } catch (fault) {
      if (isStoreWell) log('error', 'the queue cannot be read and is tried again', { reason: String(fault) });
      isStoreWell = false;
    }
    looking = undefined;
  };

  /** Many hints of one turn are one look. */
  const hint = () => {
    if (isHinted) return;
    isHinted = true;
    setImmediate(() => {
      isHinted = false;
      if (isOpen) looking ??= look();
    });
  };

  const queued = () => {
    mayHaveMore = true;
    hint();
  };

  const lookRegularly = () => {
    queued();
    stopTimer = setTimer(lookRegularly, LOOK_MS);
  };

  return {
    start() {
      isOpen = true;
      lookRegularly();
    },
    queued,
    freed() {
      if (mayHaveMore) hint();
    },
    async stop() {
      isOpen = false;
      stopTimer();
      await looking;
    },
  };
};
