import type { Change, Journal } from '../../core/files.ts';
import type { WatcherRun, WatcherService } from './watchers.ts';

/** Tells a watcher what a run of its own is about to change, so that this does not set it off again. */
export const ownJournal = (watchers: Pick<WatcherService, 'changing'>, run: WatcherRun): Journal => ({
  async before(change) {
    for (const path of pathsOf(change)) watchers.changing(run, path);
  },
});

const pathsOf = (change: Change): readonly string[] => (change.kind === 'move' ? [change.from, change.to] : [change.path]);
