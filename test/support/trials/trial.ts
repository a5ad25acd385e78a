import { afterAll, expect } from 'vitest';
import { rounds } from '../torture.ts';
import { TRIALS, type TrialName } from './declared.ts';

/** A trial that a suite carries out. */
export interface RunningTrial {
  /** How often it is done in this run. */
  readonly count: number;
  /** How often to each of the things that it is done to. */
  readonly each: number;
  /** Its place among all trials; those that take turns begin at different ends. */
  readonly number: number;
  /** To be called when it has been done once more, or so many times more. */
  did(times?: number): void;
}

/**
 * The numbers that a suite goes by: those that are declared, for each of so many things. Fails where a suite whose tests all passed has done
 * more or less.
 */
export const trialOf = (name: TrialName, things = 1): RunningTrial => {
  const { usual, long } = TRIALS[name];
  const each = rounds(usual, long);
  const count = each * things;
  let done = 0;
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of fixtures out of the first argument
  afterAll(({}, { tasks }) => {
    const isWhole = tasks.every(({ result }) => result?.state === 'pass');
    if (isWhole && Number.isFinite(count))
      expect(done, `how often ${name} was tried; test/support/trials/declared.ts says otherwise`).toBe(count);
  });
  return {
    count,
    each,
    number: Object.keys(TRIALS).indexOf(name),
    did(times = 1) {
      done += times;
    },
  };
};
