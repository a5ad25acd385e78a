import type { Walk } from './walk.ts';

/** How long this thread may go on before it must let others run. */
export interface Pace {
  isOver(): boolean;
  /** Lets others run. */
  pause(): Promise<void>;
  pauseIfOver(): Promise<void>;
  /** Walks with pauses, as long as `goesOn` says so; tells whether the walk is over. */
  run(walk: Walk, goesOn?: () => boolean): Promise<boolean>;
}

/** The longest that the event loop has to wait. */
export const SLICE_MS = 8;

export const createPace = (sliceMs = SLICE_MS): Pace => {
  let until = performance.now() + sliceMs;
  const isOver = () => performance.now() >= until;
  const pause = async () => {
    await new Promise((resolve) => setImmediate(resolve)); // not from timers/promises, which takes milliseconds to load
    until = performance.now() + sliceMs;
  };
  return {
    isOver,
    pause,
    pauseIfOver: async () => {
      if (isOver()) await pause();
    },
    async run(walk, goesOn = () => true) {
      let isDone = walk.run(isOver);
      for (; !isDone && goesOn(); isDone = walk.run(isOver)) await pause();
      return isDone;
    },
  };
};

/** Wakes one who waits. */
export interface Bell {
  ring(): void;
  /** Settles at the next ring. */
  heard(): Promise<void>;
}

export const createBell = (): Bell => {
  let wake = () => {};
  return {
    ring: () => wake(),
    heard: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
};
