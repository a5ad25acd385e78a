import type { Outcome, RunResult } from './result.ts';

/** Every command of a result, each followed by those of the lists that it ran or would run. */
export const outcomesIn = ({ results }: RunResult): readonly Outcome[] =>
  results.flatMap((outcome) => {
    const { plan, steps = plan?.steps ?? [] } = outcome;
    return [outcome, ...[steps].flat().flatMap(outcomesIn)];
  });

/** How a plan that is not complete is told wherever it is shown. */
export const MORE_MAY_HAPPEN = 'more than this may happen';

/** Whether a plan tells everything that its run would do. */
export const isComplete = (result: RunResult): boolean => outcomesIn(result).every(({ plan }) => plan?.complete !== false);
