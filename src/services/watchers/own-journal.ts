import type { Journal } from '../../core/journal.ts';
import { tellingJournal } from '../../core/telling-journal.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { ShownEvent } from './events/file-event.ts';
import type { WatcherService } from './watchers.ts';

/** Tells watchers what their own runs are about to change, so that this does not set them off again. */
export interface OwnJournals {
  /** A run is about to start; those of watchers are known by the event that they were given. */
  begun(run: { readonly runId: RunId; readonly source: string; readonly named?: ReadonlyMap<string, unknown> }): void;
  /** What is to be called with paths that the run is about to change; undefined where no watcher is behind it. */
  tellerOf(runId: RunId): ((paths: readonly string[]) => void) | undefined;
  /** The journal of a run, which tells the one that the run has anyhow; that one alone where no watcher is behind the run. */
  of(runId: RunId, inner?: Journal): Journal | undefined;
  ended(runId: RunId): void;
}

export const createOwnJournals = (watchers: Pick<WatcherService, 'changing' | 'ended'>): OwnJournals => {
  const runs = new Map<RunId, string>();
  const tellerOf: OwnJournals['tellerOf'] = (runId) => {
    const watcher = runs.get(runId);
    if (watcher === undefined) return undefined;
    return (paths) => {
      for (const path of paths) watchers.changing({ runId, watcher }, path);
    };
  };
  return {
    begun({ runId, source, named }) {
      // Only watchers queue runs from this source, and always with an event.
      const event = source === 'watch' ? (named?.get('event') as ShownEvent | undefined) : undefined;
      if (event !== undefined) runs.set(runId, event.watcher);
    },
    tellerOf,
    of(runId, inner) {
      const tell = tellerOf(runId);
      return tell === undefined ? inner : tellingJournal(inner, tell);
    },
    ended(runId) {
      const watcher = runs.get(runId);
      runs.delete(runId);
      if (watcher !== undefined) watchers.ended({ runId, watcher });
    },
  };
};
