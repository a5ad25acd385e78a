import { CancelledException } from '../../core/errors.ts';
import type { Grant } from '../../core/files.ts';
import { createWalk, type Visitor, type Walk, type WalkPart } from './walk.ts';
import { createBell, createPace, type Pace, SLICE_MS } from './walk-pace.ts';
import { splitParts } from './walk-parts.ts';
import { openTally, type Tally } from './walk-tally.ts';

/** Work on a part of a tree. */
export interface PartWork<R> {
  readonly visitor: Visitor;
  /** Ends the work where it is and gives what came of it, without what was begun only. */
  end(): R;
}

/** Starts work on a part; in the middle of a long entry the visitor asks for a pause (`again`) when `mustPause` says so. */
export type StartPart<R> = (mustPause: () => boolean) => PartWork<R>;

/** Parts that several threads take one by one, in order. */
export interface SharedParts {
  readonly grant: Grant;
  /** All from the index `first` on; those before are taken. */
  readonly parts: readonly WalkPart[];
  readonly first: number;
  /** The index of the part to be taken next. */
  readonly next: SharedArrayBuffer;
  /** How long to work before telling what is done. */
  readonly tellAfterMs: number;
}

/** The result of a part. */
export interface PartAnswer<R> {
  readonly index: number;
  readonly result: R;
}

export interface SharedWalk<R extends object> {
  readonly grant: Grant;
  readonly start: StartPart<R>;
  /** Has another thread take some of the parts, by `takeParts`; an empty answer says that none is left. */
  help(shared: SharedParts): Promise<readonly PartAnswer<R>[]>;
  /** How many other threads there are. */
  readonly helpers: number;
  readonly signal: AbortSignal;
  /** What of the tree is walked; by default all. */
  readonly parts?: readonly WalkPart[];
  /** Another way to deal with what is left of a large tree, instead of sharing it out; undefined where there is none. */
  instead?(rest: readonly WalkPart[], pace: Pace): Promise<readonly R[] | undefined>;
  /** How much CPU time is spent alone: for less the other threads are not worth it. */
  readonly patienceMs?: number;
}

/** Enough for threads of unequal speed to end at about the same time. */
const PARTS_PER_THREAD = 32;
/** When a helper first tells what it has, so that results are used while the work goes on; then every time after twice as long. */
const FIRST_TELL_MS = 25;
const MAX_TELL_MS = 400;
/** Short, because a helper that has told what it has waits for its next order. */
const SHARED_SLICE_MS = 2;

/**
 * Walks a tree and gives the results of its parts in the order of paths: a small one on this thread, with pauses for others, a large
 * one on all threads. Whoever stops reading stops the work.
 */
export async function* walkShared<R extends object>({ patienceMs = 10, ...crew }: SharedWalk<R>): AsyncGenerator<R> {
  const { grant, start, helpers, signal } = crew;
  const tally = openTally(grant);
  signal.throwIfAborted();
  signal.addEventListener('abort', tally.stop, { once: true });
  try {
    const pace = createPace();
    const { result, rest } = await walkAlone(crew, patienceMs);
    demandGoing(signal, tally);
    yield result;
    if (rest.length === 0) return;
    const others = await crew.instead?.(rest, pace);
    demandGoing(signal, tally);
    if (others !== undefined) return yield* others;
    const splitting = start(pace.isOver);
    const parts = splitParts(grant, splitting.visitor, rest, PARTS_PER_THREAD * (helpers + 1));
    yield splitting.end();
    yield* shareOut(
      { grant, parts, first: 0, next: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT), tellAfterMs: FIRST_TELL_MS },
      crew,
      createPace(SHARED_SLICE_MS),
      tally,
    );
  } finally {
    tally.stop();
    signal.removeEventListener('abort', tally.stop);
  }
}

/** Begins on this thread; what is left after the time is for all. */
const walkAlone = async <R extends object>({ grant, start, parts }: Pick<SharedWalk<R>, 'grant' | 'start' | 'parts'>, maxMs: number) => {
  const pace = createPace(Math.min(SLICE_MS, maxMs / 2)); // not much longer than it may
  const work = start(pace.isOver);
  using walk = createWalk(grant, work.visitor, parts);
  const before = process.cpuUsage();
  const startedMs = performance.now();
  // A thread cannot use more of the processor than has passed on the clock, which is asked faster.
  const isShort = () => performance.now() - startedMs < maxMs || cpuMsSince(before) < maxMs;
  const isOver = maxMs > 0 && (await pace.run(walk, isShort));
  return { rest: isOver ? [] : walk.rest(), result: work.end() };
};

/** Not the time on the clock: on a busy machine that says nothing about the size of the work. */
const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Takes part in shared work on this thread; tells after a while what is done so far. */
export const takeParts = <R extends object>(shared: SharedParts, start: StartPart<R>): PartAnswer<R>[] => {
  const { isStopped } = openTally(shared.grant);
  const answers: PartAnswer<R>[] = [];
  const until = performance.now() + shared.tellAfterMs;
  do {
    // Nobody has to wait for this thread; it pauses only to see that it was stopped.
    const own = takeNext(shared, start, isStopped);
    if (own === undefined) return answers;
    using walk = own.walk;
    while (!walk.run());
    answers.push({ index: own.index, result: own.work.end() });
  } while (performance.now() < until);
  return answers;
};

/** A part that this thread works on. */
interface Own<R> {
  readonly index: number;
  readonly work: PartWork<R>;
  readonly walk: Walk;
}

const takeNext = <R>({ grant, parts, first, next }: SharedParts, start: StartPart<R>, mustPause: () => boolean): Own<R> | undefined => {
  if (openTally(grant).isStopped()) return undefined;
  const index = Atomics.add(new Int32Array(next), 0, 1);
  const part = parts[index - first];
  if (part === undefined) return undefined;
  const work = start(mustPause);
  return { index, work, walk: createWalk(grant, work.visitor, [part]) };
};

async function* shareOut<R extends object>(
  shared: SharedParts,
  crew: Omit<SharedWalk<R>, 'patienceMs'>,
  pace: Pace,
  tally: Tally,
): AsyncGenerator<R> {
  const { start, help, helpers, signal } = crew;
  const results = new Map<number, R>();
  const bell = createBell();
  let running = 0;
  const helper = async (): Promise<void> => {
    let tellAfterMs = FIRST_TELL_MS;
    let answers = await help(shared);
    for (running += 1; answers.length > 0; answers = await help({ ...leftOf(shared), tellAfterMs })) {
      for (const { index, result } of answers) results.set(index, result);
      bell.ring();
      tellAfterMs = Math.min(tellAfterMs * 2, MAX_TELL_MS);
    }
  };
  const helping = Promise.all(Array.from({ length: helpers }, helper));
  let isHelped = true;
  const endHelp = () => {
    isHelped = false;
    bell.ring();
  };
  helping.then(endHelp, endHelp); // a fault is told below, to whoever waits for the parts that are missing
  let own: Own<R> | undefined;
  try {
    for (let told = 0; told < shared.parts.length; ) {
      demandGoing(signal, tally);
      const result = results.get(told);
      own ??= result === undefined ? takeNext(shared, start, pace.isOver) : undefined;
      if (result !== undefined) {
        results.delete(told);
        told += 1;
        yield result;
      } else if (own !== undefined) {
        if (own.walk.run(pace.isOver)) {
          results.set(own.index, own.work.end());
          own = undefined;
        }
        await pace.pauseIfOver();
      } else if (isHelped) await bell.heard();
      else await helping;
    }
  } finally {
    tally.stop();
    own?.walk[Symbol.dispose]();
    own?.work.end();
    // They end soon now, and should be free for the next search; one that is still being started sees for itself that it is late.
    if (running === helpers) await helping.catch(() => {});
  }
}

/** Without the parts that are taken: names of many files take long to hand over. */
const leftOf = (shared: SharedParts): SharedParts => {
  const first = Math.min(Atomics.load(new Int32Array(shared.next), 0), shared.parts.length);
  return { ...shared, first, parts: shared.parts.slice(first) };
};

const demandGoing = (signal: AbortSignal, tally: Tally): void => {
  signal.throwIfAborted();
  if (tally.isStopped()) throw new CancelledException('The search was stopped; start it again to finish it.');
};
