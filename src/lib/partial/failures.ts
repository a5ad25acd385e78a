import type { FileAutomationException } from '../../core/errors.ts';
import { translate } from '../fs/faults.ts';

/** One of many that could not be dealt with. */
export interface Failure {
  /** As the caller knows it. */
  readonly path: string;
  readonly error: FileAutomationException;
}

/** What of many could not be dealt with: how many, and the first of them. */
export interface Failures {
  count: number;
  readonly first: Failure[];
}

/** More names than these say nothing more; a command that failed a million times must still fit into a log line. */
export const MOST_TOLD = 100;

export const noFailures = (): Failures => ({ count: 0, first: [] });

/** Adds what could not be dealt with; the fault may be the system's own. */
export const addFailure = (failures: Failures, path: string, fault: unknown): void => {
  failures.count += 1;
  if (failures.first.length < MOST_TOLD) failures.first.push({ path, error: translate(fault, { path }) });
};

/** All of several. */
export const allFailures = (...several: readonly Failures[]): Failures => ({
  count: several.reduce((sum, { count }) => sum + count, 0),
  first: several.flatMap(({ first }) => first).slice(0, MOST_TOLD),
});
