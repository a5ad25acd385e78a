import { FileAccessException, FileAutomationException, FileNotExistsException, QuotaExceededException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { type CountedBypass, createBypass } from './bypass.ts';
import { addFailure, type Failures, noFailures } from './failures.ts';

/** What came of the same work on many files. */
export interface Attempted<T> {
  readonly done: T[];
  readonly unreadable: Failures;
  readonly failed: Failures;
  readonly vanished: number;
}

export interface AttemptOptions<T> {
  readonly files: Pick<FilePort, 'absolute'>;
  readonly signal: AbortSignal;
  /** The path of an item that is read; faults there may be passed by. Left out where nothing is read. */
  sourceOf?(item: T): string;
  /** The path that an item is known by. */
  pathOf(item: T): string;
  /** Remembers what was passed by before. */
  readonly bypass?: CountedBypass;
}

/** Does the same to each of many files: one that fails does not stop the others. A used up budget and a stop do. */
export const attemptEach = async <T>(
  items: Iterable<T>,
  { files, signal, sourceOf, pathOf, bypass = createBypass() }: AttemptOptions<T>,
  work: (item: T) => Promise<void>,
): Promise<Attempted<T>> => {
  const done: T[] = [];
  const failed = noFailures();
  for (const item of items) {
    signal.throwIfAborted();
    try {
      await work(item);
      done.push(item);
    } catch (fault) {
      signal.throwIfAborted();
      if (!(fault instanceof FileAutomationException) || fault instanceof QuotaExceededException) throw fault;
      const path = files.absolute(sourceOf?.(item) ?? pathOf(item));
      const isThere = fault.context.path === path;
      if (isThere && fault instanceof FileNotExistsException) bypass.vanished(1);
      else if (isThere && sourceOf !== undefined && fault instanceof FileAccessException) bypass.unreadable(path, fault);
      else addFailure(failed, files.absolute(pathOf(item)), fault);
    }
  }
  return { done, failed, ...bypass.passed() };
};
