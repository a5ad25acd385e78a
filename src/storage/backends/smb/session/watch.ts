import { systemTimer } from '../../../../lib/async/timer.ts';

/** Notices when a server has fallen silent while somebody waits for it. */
export interface Watch {
  /** Something was asked. */
  start(): void;
  /** Something has come, or has been taken off our hands. */
  readonly progress: () => void;
  stop(): void;
}

export interface WatchOptions {
  readonly isWaiting: () => boolean;
  /** The server has said of everything that it takes longer. */
  readonly isPromised: () => boolean;
  /** Asks the server whether it is there. */
  readonly ask: () => void;
  readonly giveUp: () => void;
}

/** How often a server may answer that it is there without doing what it has promised. */
const MAX_ASKED = 20;

export const createWatch = (timeoutMs: number, { isWaiting, isPromised, ask, giveUp }: WatchOptions): Watch => {
  let since = 0;
  let asked = 0;
  let clear: (() => void) | undefined;
  const arm = (ms: number): void => {
    clear = systemTimer(look, Math.max(1, ms));
  };
  const look = () => {
    clear = undefined;
    if (!isWaiting()) return;
    const quietMs = performance.now() - since;
    if (quietMs < timeoutMs) return arm(timeoutMs - quietMs);
    if (!isPromised() || asked >= MAX_ASKED) return giveUp();
    asked += 1;
    since = performance.now();
    arm(timeoutMs);
    ask();
  };
  return {
    start() {
      if (clear !== undefined) return;
      since = performance.now();
      asked = 0;
      arm(timeoutMs);
    },
    progress() {
      since = performance.now();
    },
    stop() {
      clear?.();
      clear = undefined;
    },
  };
};
