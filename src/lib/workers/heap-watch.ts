import { getHeapStatistics } from 'node:v8';
import { QuotaExceededException } from '../../core/errors.ts';
import { createCollector } from './collect-young.ts';

/** Asked now and then by whoever builds much in memory; throws when this thread has taken too much, or more than a share of it. */
export type HeapWatch = (share?: number) => void;

/** After a collection so much must be free, or the next one comes too soon. */
const FREE_SHARE = 0.25;

/**
 * Keeps the heap of this thread below a size. The limits of V8 are no bound for hostile input: a single step that takes more than they
 * leave, such as a set that doubles, ends the whole process and not only the thread.
 */
export const watchHeap = (name: string, maxBytes: number): HeapWatch => {
  let collect: (() => void) | undefined;
  return (share = 1) => {
    const most = maxBytes * share;
    if (getHeapStatistics().used_heap_size <= most) return;
    collect ??= createCollector('major'); // what nobody needs any more counts until then
    collect();
    if (getHeapStatistics().used_heap_size > most * (1 - FREE_SHARE)) throw tooMuchMemory(name, maxBytes);
  };
};

/** Refuses work by what it is going to take, before it takes it. */
export const demandMemory = (name: string, neededBytes: number, maxBytes: number): void => {
  if (neededBytes > maxBytes) throw tooMuchMemory(name, maxBytes);
};

const tooMuchMemory = (name: string, maxBytes: number) =>
  new QuotaExceededException(
    `${name} needs more than ${Math.floor(maxBytes / (1024 * 1024))} MB of memory; split it, or ask for less at once.`,
    { context: { path: name, limit: 'memory', max_bytes: maxBytes } },
  );
