import type { Outcome, RunResult } from './result.ts';

/** Every command of a result, each followed by those of the lists that it ran or would run. */
export const outcomesIn = ({ results }: RunResult): readonly Outcome[] =>
  results.flatMap((outcome) => {
    const { plan, steps = plan?.steps ?? [] } = outcome;
    return [outcome, ...[steps].flat().flatMap(outcomesIn)];
  });

/** An outcome and those of the commands around it, outermost first. */
export interface PlacedOutcome {
  readonly outcome: Outcome;
  readonly around: readonly Outcome[];
}

/** The same with where each stands. */
export const placedOutcomesIn = ({ results }: RunResult, around: readonly Outcome[] = []): readonly PlacedOutcome[] =>
  results.flatMap((outcome) => {
    const { plan, steps = plan?.steps ?? [] } = outcome;
    return [{ outcome, around }, ...[steps].flat().flatMap((inner) => placedOutcomesIn(inner, [...around, outcome]))];
  });

/** `command 0 (FA_copy_file) in command 2 (FA_for_each)`. */
export const placeInWords = ({ outcome, around }: PlacedOutcome): string =>
  [...around, outcome]
    .map(({ index, action }) => `command ${index} (${action})`)
    .reverse()
    .join(' in ');

/** How a plan that is not complete is told wherever it is shown. */
export const MORE_MAY_HAPPEN = 'more than this may happen';

/** Whether a plan tells everything that its run would do. */
export const isComplete = (result: RunResult): boolean => outcomesIn(result).every(({ plan }) => plan?.complete !== false);
