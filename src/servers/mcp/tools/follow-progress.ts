import type { ProgressRegistry, Snapshot } from '../../../core/progress.ts';

/** How far a run is, over all the work it tells of. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Watches one run; `stop` tells the last state and waits until everything has been told. */
export interface ProgressFollower {
  stop(): Promise<void>;
}

const PERIOD_MS = 250;

/** Tells of the progress of a run at once and then at most four times a second, each time more than before. */
export const followProgress = (
  registry: ProgressRegistry,
  { runId, caller }: { readonly runId: string; readonly caller: string },
  report: (progress: ProgressReport) => Promise<void>,
): ProgressFollower => {
  const own = registry.seenBy(caller);
  let told = -1;
  let telling = Promise.resolve();
  let rest: NodeJS.Timeout | undefined;
  let hasChanged = false;

  const tell = () => {
    hasChanged = false;
    const state = sumUp(own.list().filter(({ run_id }) => run_id === runId));
    if (state === undefined || state.progress <= told) return;
    told = state.progress;
    telling = telling.then(() => report(state));
  };
  const changed = () => {
    if (rest !== undefined) {
      hasChanged = true;
      return;
    }
    tell();
    rest = setTimeout(() => {
      rest = undefined;
      if (hasChanged) changed();
    }, PERIOD_MS);
  };
  const unsubscribe = registry.onChange(changed);

  return {
    async stop() {
      unsubscribe();
      clearTimeout(rest);
      tell();
      await telling;
    },
  };
};

/** Undefined where the run has told of no work. A total is known once every piece has one. */
const sumUp = (pieces: readonly Snapshot[]): ProgressReport | undefined => {
  const latest = pieces.findLast(({ status }) => status === 'running') ?? pieces.at(-1);
  if (latest === undefined) return undefined;
  const total = pieces.reduce((sum: number | null, piece) => (sum === null || piece.total === null ? null : sum + piece.total), 0);
  return {
    progress: pieces.reduce((sum, { transferred }) => sum + transferred, 0),
    ...(total !== null && { total }),
    message: `${latest.action ?? 'Work'}: ${latest.name}`,
  };
};
