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
  /** What other threads need to spend it too: plain data, and counts that all of them share from then on. Left out where nobody can. */
  share?(): SharedBudget;
}

/** What is watched together: each count with its limit, the innermost first. */
export interface SharedBudget {
  readonly bytes: readonly SharedCount[];
  readonly deletes: readonly SharedCount[];
}

/** How much of a limit is taken, in one slot of 64 bits. */
export interface SharedCount {
  readonly most: number;
  readonly taken: SharedArrayBuffer;
}

/** Starts spending a quota. Undefined when there is nothing to watch. */
export const openBudget = (maxBytes: number, parent: Budget | undefined, maxDeletes = 0): Budget | undefined => {
  if (maxBytes <= 0 && maxDeletes <= 0) return parent;
  const bytes = countTo(maxBytes, overBytes, parent?.spend);
  const deletes = maxDeletes > 0 ? countTo(maxDeletes, overDeletes, parent?.remove) : undefined;
  const remove = deletes?.take ?? parent?.remove;
  return {
    countsBytes: maxBytes > 0 || (parent !== undefined && parent.countsBytes !== false),
    spend: bytes.take,
    ...(remove !== undefined && { remove }),
    share() {
      const outer = parent?.share?.();
      return {
        bytes: [...(maxBytes > 0 ? [bytes.share()] : []), ...(outer?.bytes ?? [])],
        deletes: [...(deletes === undefined ? [] : [deletes.share()]), ...(outer?.deletes ?? [])],
      };
    },
  };
};

/** Spends on this thread what another one has shared. */
export const openSharedBudget = (shared: SharedBudget): Budget => {
  const chain = (counts: readonly SharedCount[], over: Over): Take | undefined =>
    counts.reduceRight<Take | undefined>((outer, { most, taken }) => takeShared(most, new BigInt64Array(taken), over, outer), undefined);
  const spend = chain(shared.bytes, overBytes);
  const remove = chain(shared.deletes, overDeletes);
  return { countsBytes: spend !== undefined, spend: spend ?? (() => {}), ...(remove !== undefined && { remove }), share: () => shared };
};

type Take = (amount: number) => void;
type Over = (amount: number, most: number) => Error;

/** A count up to a limit; 0 or less is none. It is a plain number until another thread has to see it. */
const countTo = (limit: number, over: Over, outer: Take | undefined): { take: Take; share(): SharedCount } => {
  const most = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  let taken = 0;
  let shared: { readonly count: SharedCount; readonly take: Take } | undefined;
  return {
    take(amount) {
      if (shared !== undefined) return shared.take(amount);
      if (taken + amount > most) throw over(taken + amount, most);
      outer?.(amount);
      taken += amount;
    },
    share() {
      if (shared === undefined) {
        const slot = new BigInt64Array(new SharedArrayBuffer(8));
        slot[0] = BigInt(taken);
        shared = { count: { most, taken: slot.buffer }, take: takeShared(most, slot, over, outer) };
      }
      return shared.count;
    },
  };
};

const takeShared =
  (most: number, slot: BigInt64Array<SharedArrayBuffer>, over: Over, outer: Take | undefined): Take =>
  (amount) => {
    const units = BigInt(Math.ceil(amount));
    const taken = Number(Atomics.add(slot, 0, units)) + amount;
    try {
      if (taken > most) throw over(taken, most);
      outer?.(amount);
    } catch (fault) {
      Atomics.sub(slot, 0, units);
      throw fault;
    }
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
