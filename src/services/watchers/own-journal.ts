import type { Change, Journal } from '../../core/journal.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { ShownEvent } from './events/file-event.ts';
import type { WatcherService } from './watchers.ts';

/** Tells watchers what their own runs are about to change, so that this does not set them off again. */
export interface OwnJournals {
  /** A run is about to start; those of watchers are known by the event that they were given. */
  begun(run: { readonly runId: RunId; readonly source: string; readonly named?: ReadonlyMap<string, unknown> }): void;
  /** The journal of a run, which tells the one that the run has anyhow; that one alone where no watcher is behind the run. */
  of(runId: RunId, inner?: Journal): Journal | undefined;
  ended(runId: RunId): void;
}

export const createOwnJournals = (watchers: Pick<WatcherService, 'changing' | 'ended'>): OwnJournals => {
  const runs = new Map<RunId, string>();
  return {
    begun({ runId, source, named }) {
      // Only watchers queue runs from this source, and always with an event.
      const event = source === 'watch' ? (named?.get('event') as ShownEvent | undefined) : undefined;
      if (event !== undefined) runs.set(runId, event.watcher);
    },
    of(runId, inner) {
      const watcher = runs.get(runId);
      if (watcher === undefined) return inner;
      // Bulk work is told change by change: each path counts.
      const around = (journal: Journal | undefined): Journal => ({
        async before(change) {
          for (const path of pathsOf(change)) watchers.changing({ runId, watcher }, path);
          await journal?.before(change);
        },
        limits: journal?.limits,
        ...(journal?.forCommand && { forCommand: (tell) => around(journal.forCommand?.(tell)) }),
      });
      return around(inner);
    },
    ended(runId) {
      const watcher = runs.get(runId);
      runs.delete(runId);
      if (watcher !== undefined) watchers.ended({ runId, watcher });
    },
  };
};

const pathsOf = (change: Change): readonly string[] => (change.kind === 'move' ? [change.from, change.to] : [change.path]);
