/** How long one piece of work may hold the thread before others get it, and how often the clock is looked at. */
const SLICE_MS = 8;
const LOOK_EVERY = 64;
/** How many of the strands of one piece of work go on at once after it gave way. */
const STRANDS = 8;

/** Where work waits that has held the thread for long; one goes on each time the loop comes round, so that many are no worse than one. */
export interface SliceQueue {
  wait(resume: () => void): void;
}

export const createSliceQueue = (): SliceQueue => {
  const waiting: (() => void)[] = [];
  let isCalled = false;

  const next = () => {
    const resume = waiting.shift();
    isCalled = waiting.length > 0;
    if (isCalled) setImmediate(next);
    resume?.();
  };

  return {
    wait(resume) {
      waiting.push(resume);
      if (isCalled) return;
      isCalled = true;
      setImmediate(next);
    },
  };
};

/** The one line of a thread: whoever waits in a line of his own has a turn of his own, and many such turns are one long one. */
export const threadSlices: SliceQueue = createSliceQueue();

/**
 * The time for which one piece of work may hold the thread; the work may be spread over many strands and loops that each are short. Every
 * run makes one, so it holds nothing that most runs do not need.
 */
export class TimeSlice {
  readonly #queue: SliceQueue;
  #steps = 0;
  /** Read when it is first compared: most work ends before that. */
  #startedMs = 0;
  /** The strands that gave way; while there are any, the others of the work give way too. Most work has none. */
  #waiting: (() => void)[] | undefined;

  constructor(queue: SliceQueue) {
    this.#queue = queue;
  }

  /** Tells of a step that takes as long as many; whether the thread was held for long is asked later. */
  count(steps: number): void {
    this.#steps += steps;
  }

  /** Whether the thread was held for long; asked at every step, some of which count for several. */
  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < LOOK_EVERY) return false;
    const now = performance.now();
    if (this.#startedMs === 0) this.#startedMs = now;
    if (now - this.#startedMs > SLICE_MS) return true; // and so it stays until the work goes on
    this.#steps = 0;
    return false;
  }

  /** Lets others have the thread; `resume` is called with a slice that begins anew. */
  pass(resume: () => void): void {
    this.#waiting ??= [];
    this.#waiting.push(resume);
    if (this.#waiting.length === 1) this.#queue.wait(() => this.goOn());
  }

  /** The same as a promise. */
  next(): Promise<void> {
    return new Promise((resolve) => this.pass(resolve));
  }

  private goOn(): void {
    this.#startedMs = performance.now();
    this.#steps = 0;
    const some = this.#waiting?.splice(0, STRANDS) ?? [];
    if (this.#waiting !== undefined && this.#waiting.length > 0) this.#queue.wait(() => this.goOn());
    for (const resume of some) resume();
  }
}
