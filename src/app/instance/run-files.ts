import type { Journal } from '../../core/journal.ts';
import type { Clock } from '../../core/ports.ts';
import { placeAnywhere, placeInside } from '../../files/place.ts';
import { createPlanningFiles } from '../../files/planning.ts';
import { createRealFiles } from '../../files/real.ts';
import type { HouseParts } from '../../pipeline/gateway.ts';

export interface RunFilesParts {
  readonly cwd: string;
  readonly clock: Clock;
  /** What takes the changes of a run down before they are made. */
  journalOf(runId: string): Journal | undefined;
}

/** How a run reaches files: on the disk, or in a dry run over what it would have changed. */
export const runFiles =
  ({ cwd, clock, journalOf }: RunFilesParts): HouseParts['openFiles'] =>
  ({ runId, caller: { policy }, budget, foresight }) => {
    const place = policy === undefined ? placeAnywhere : placeInside(policy);
    const journal = journalOf(runId);
    if (foresight === undefined) return createRealFiles({ cwd, policy, budget, place, journal });
    const real = createRealFiles({ cwd, policy, budget, place });
    const { limits: undoLimits, placeBelow } = journal ?? {};
    return createPlanningFiles({ real, foresight, policy, budget, undoLimits, placeBelow, now: clock.now });
  };
