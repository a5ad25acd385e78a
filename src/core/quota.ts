import { ArgumentException, QuotaExceededException } from './errors.ts';

/** A budget as written: 0, less, or unset means no cap. */
export interface QuotaLimits {
  readonly maxBytes?: number;
  readonly maxSeconds?: number;
}

/** The longest wait a timer can hold; a longer one would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A cap on bytes and seconds for an operation. */
export class Quota {
  readonly maxBytes: number;
  readonly maxSeconds: number;

  constructor({ maxBytes = 0, maxSeconds = 0, ...others }: QuotaLimits = {}) {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      // A misspelt limit would be none.
      throw new ArgumentException(`Quota has no limit called ${unknown}; there are maxBytes and maxSeconds.`, {
        context: { argument: unknown },
      });
    }
    // Written this way round, what is no number means no cap.
    this.maxBytes = maxBytes > 0 ? maxBytes : 0;
    this.maxSeconds = maxSeconds > 0 ? maxSeconds : 0;
  }

  /** Throws when a size alone is over the byte cap. */
  checkSize(bytes: number): void {
    if (this.maxBytes > 0 && bytes > this.maxBytes) throw overBytes(bytes, this.maxBytes);
  }

  /** Runs the work with a signal that is aborted when the time is up; fails then, whether the work heeds it or not. */
  async timeBudget<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.maxSeconds === 0) return work(controller.signal);
    let timer: NodeJS.Timeout | undefined;
    const timeIsUp = new Promise<never>((_, refuse) => {
      timer = setTimeout(
        () => {
          const error = overSeconds(this.maxSeconds);
          controller.abort(error);
          refuse(error);
        },
        Math.min(this.maxSeconds * 1000, MAX_TIMER_MS),
      );
    });
    try {
      return await Promise.race([work(controller.signal), timeIsUp]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The function under this time budget. */
  wraps<A extends unknown[], T>(work: (...args: A) => T | Promise<T>): (...args: A) => Promise<T> {
    return (...args) => this.timeBudget(() => work(...args));
  }
}

/** A budget being spent; a nested one spends its parents' too. */
export interface Budget {
  /** False where bytes are not watched, so that nobody has to count them. */
  readonly countsBytes?: boolean;
  /** Takes bytes about to be written; throws when there are not that many left, and then takes none. */
  spend(bytes: number): void;
  /** Takes files about to be deleted, in the same way; left out where deletions are not watched. */
  remove?(files: number): void;
}

/** Starts spending a quota. Undefined when there is nothing to watch. */
export const openBudget = (maxBytes: number, parent: Budget | undefined, maxDeletes = 0): Budget | undefined => {
  if (maxBytes <= 0 && maxDeletes <= 0) return parent;
  const remove = maxDeletes > 0 ? takeUpTo(maxDeletes, overDeletes, parent?.remove) : parent?.remove;
  return {
    countsBytes: maxBytes > 0 || (parent !== undefined && parent.countsBytes !== false),
    spend: takeUpTo(maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY, overBytes, parent?.spend),
    ...(remove !== undefined && { remove }),
  };
};

type Take = (amount: number) => void;

const takeUpTo = (most: number, over: (amount: number, most: number) => Error, outer: Take | undefined): Take => {
  let taken = 0;
  return (amount) => {
    if (taken + amount > most) throw over(taken + amount, most);
    outer?.(amount);
    taken += amount;
  };
};

const overDeletes = (files: number, maxDeletes: number) =>
  new QuotaExceededException(
    `${files} deleted files are more than the quota of ${maxDeletes}; raise max_deletes or delete fewer at once.`,
    {
      context: { max_deletes: maxDeletes, deletes: files },
    },
  );

const overBytes = (bytes: number, maxBytes: number) =>
  new QuotaExceededException(`${bytes} bytes are more than the quota of ${maxBytes}; raise max_bytes or do less at once.`, {
    context: { max_bytes: maxBytes, bytes },
  });

/** The error of a time budget that is used up. */
export const overSeconds = (maxSeconds: number) =>
  new QuotaExceededException(`The time quota of ${maxSeconds} s is used up; raise max_seconds or do less at once.`, {
    context: { max_seconds: maxSeconds },
  });
