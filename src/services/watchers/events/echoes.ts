import type { RunId } from '../../engine/port/runs.ts';

/**
 * Notices files that change again and again while they are handled, as by a program that a list runs: nobody tells who wrote them, so
 * they are not left out, but taken up at longer and longer intervals.
 */
export interface Echoes {
  /** A run was given these files. */
  begun(runId: RunId, paths: readonly string[], now: number): void;
  ended(runId: RunId, now: number): void;
  /** A file changed. */
  changed(path: string, now: number): void;
  /** Until when a file that changed then is to be left alone. */
  restsUntil(path: string, since: number): number;
}

/** That often a file may change while it is handled before it has to wait. */
const FREE = 3;
const FIRST_REST_MS = 2_000;
const LONGEST_REST_MS = 300_000;
/** What was written at the end of a run is seen a little later. */
const GRACE_MS = 1_500;
/** Where many runs wait, only the latest are remembered. */
const RUNS_KEPT = 10_000;

export const createEchoes = (): Echoes => {
  const runs = new Map<RunId, readonly string[]>();
  /** Files that are being handled, until when, and whether they have changed since that began. */
  const handled = new Map<string, { readonly until: number; readonly hasChanged: boolean }>();
  const counts = new Map<string, number>();

  const release = (runId: RunId, until: number) => {
    for (const path of runs.get(runId) ?? []) handled.set(path, { until, hasChanged: handled.get(path)?.hasChanged ?? false });
    runs.delete(runId);
  };

  const tidy = (now: number) => {
    const [oldest] = runs.keys();
    if (runs.size > RUNS_KEPT && oldest !== undefined) release(oldest, now);
    if (handled.size <= 2 * RUNS_KEPT) return;
    for (const [path, { until }] of handled) if (until < now) handled.delete(path);
  };

  return {
    begun(runId, paths, now) {
      runs.set(runId, paths);
      for (const path of paths) handled.set(path, { until: Number.POSITIVE_INFINITY, hasChanged: false });
      tidy(now);
    },
    ended: (runId, now) => release(runId, now + GRACE_MS),
    changed(path, now) {
      const handling = handled.get(path);
      if (handling === undefined || handling.until < now) {
        handled.delete(path);
        counts.delete(path);
      } else if (!handling.hasChanged) {
        handled.set(path, { ...handling, hasChanged: true });
        counts.set(path, (counts.get(path) ?? 0) + 1);
      }
    },
    restsUntil(path, since) {
      const count = (counts.get(path) ?? 0) - FREE;
      return count <= 0 ? since : since + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(count, 20));
    },
  };
};
