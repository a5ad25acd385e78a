import { parse, sep } from 'node:path';
import type { Policy } from '../../access/policy.ts';
import { openDirectory } from '../../lib/fs/handles.ts';
import { houseSweeper } from '../disk/sweep.ts';
import { type Place, placeInside, spotIn } from '../place.ts';
import { createRealFiles } from '../real.ts';
import { discardKept } from './discard.ts';
import { changesIn, type JournalEntry } from './inverse.ts';
import { createReverter, type ReverterOptions } from './revert.ts';

/** Whoever undoes: with a policy it changes nothing that the policy does not let it change. */
interface Undoer {
  readonly policy?: Policy;
}

/** An entry of the store. */
interface Stored<S> extends JournalEntry {
  readonly number: number;
  readonly state: S;
}

/**
 * For the owner: paths of a journal are real, so a link on the way was put there since and is refused. The owner may undo the run of a
 * caller who can write there and could otherwise lead the owner's hand elsewhere.
 */
export const placeByHandles: Place = (absolute) => {
  const { root, dir, base } = parse(absolute);
  const segments = dir.slice(root.length).split(sep);
  const parent = openDirectory(
    root,
    segments.filter((segment) => segment !== ''),
  );
  return { ...spotIn(parent, base, { isGuarded: true }), [Symbol.dispose]: () => parent[Symbol.dispose]() };
};

/** The clock that files are stamped with moves in steps, so that it may be that much behind. */
const CLOCK_STEP_MS = 10;

/** The files of the house, for whoever undoes runs. */
export const undoFiles = {
  /** The changes in these entries, in their order. */
  stepsIn: <S>(
    entries: readonly Stored<S>[],
    { policy }: Undoer,
    times: Required<Pick<ReverterOptions, 'signal' | 'windows' | 'onLost'>>,
  ) => {
    const place = policy === undefined ? placeByHandles : placeInside(policy);
    const files = createRealFiles({ cwd: sep, place, policy, budget: undefined });
    const revert = createReverter({
      place,
      files,
      signal: times.signal,
      onLost: times.onLost,
      windows: [...times.windows, [Date.now() - CLOCK_STEP_MS, Number.POSITIVE_INFINITY]],
    });
    return changesIn(entries).map(({ entry: { number, state }, change, left, tree, endedAt }) => ({
      number,
      state,
      path: change.path,
      async revert() {
        const outcome = await revert({ change, left, tree, endedAt });
        return outcome.isUndone ? undefined : outcome.reason;
      },
    }));
  },
  discard: async (runId: string, entries: readonly JournalEntry[]): Promise<void> => {
    await discardKept(runId, entries);
    await houseSweeper.sweepAll(); // what a killed run was writing is in no journal
  },
};
