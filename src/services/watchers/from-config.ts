import type { Json } from '../../core/errors.ts';
import type { OnBusy, WatchKind } from '../../core/ports/watchers.ts';
import type { ConfiguredWatcher } from './book.ts';

/** An entry of `[[watchers]]`. */
export interface WatcherEntry {
  readonly name: string;
  readonly path: string;
  readonly actions: unknown;
  readonly enabled: boolean;
  readonly events: readonly WatchKind[];
  readonly recursive: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly settle_s: number;
  readonly ready_marker?: string;
  readonly debounce_s: number;
  readonly batch: number;
  readonly on_busy: OnBusy;
  readonly rescan_s: number;
  readonly poll: boolean;
  readonly poll_s: number;
}

/** A watcher as the configuration describes it. */
export const configuredWatcher = (entry: WatcherEntry): ConfiguredWatcher => ({
  name: entry.name,
  path: entry.path,
  actions: entry.actions as Json, // TOML holds nothing but texts, numbers, booleans, lists and tables there
  isEnabled: entry.enabled,
  rules: {
    events: entry.events,
    recursive: entry.recursive,
    include: entry.include,
    exclude: entry.exclude,
    settleS: entry.settle_s,
    readyMarker: entry.ready_marker ?? null,
    debounceS: entry.debounce_s,
    batch: entry.batch,
    onBusy: entry.on_busy,
    rescanS: entry.rescan_s,
    poll: entry.poll,
    pollS: entry.poll_s,
  },
});
