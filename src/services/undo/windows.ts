import type { Store } from '../engine/port.ts';
import type { UndoTimes } from './steps.ts';

/** More are not asked for: what was undone before those is older than what can be undone. */
const MOST = 1_000;
/** The clock that files are stamped with moves in steps, so that it may be that much behind. */
const SLACK_MS = 10;

/** The times at which runs were undone here, with the one that is going on. */
export const undoWindows = async (store: Pick<Store, 'runs'>): Promise<UndoTimes['windows']> => {
  const { items } = await store.runs({ sources: ['undo'], limit: MOST });
  return items.map(({ submittedAt, endedAt }) => [submittedAt - SLACK_MS, (endedAt ?? Number.POSITIVE_INFINITY) + SLACK_MS]);
};
