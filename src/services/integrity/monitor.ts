import type { Json } from '../../core/errors.ts';
import type { FailedCheck, IntegritySummary, MonitorSnapshot, NewMonitor } from '../../core/ports/integrity.ts';

/** A monitor as the store keeps it. */
export interface StoredMonitor extends NewMonitor {
  /** As whom it reads. */
  readonly caller: string;
  /** Checks count from here, or from the last one. */
  readonly startedAt: number;
  readonly checkedAt: number | null;
  readonly found: IntegritySummary | FailedCheck | null;
  /** The last message that was sent and is not taken back; null: all is well, as far as people know. */
  readonly told: string | null;
}

/** Where monitors are kept. */
export const MONITORS = 'integrity';

/** A monitor out of the store. */
export const readMonitor = (state: Json): StoredMonitor =>
  // Nobody but `writeMonitor` writes it.
  state as unknown as StoredMonitor;

/** A monitor for the store. */
export const writeMonitor = (monitor: StoredMonitor): Json =>
  // Plain values all the way down.
  monitor as unknown as Json;

/** When a monitor is to check again. */
export const nextCheckAt = ({ startedAt, checkedAt, intervalS }: StoredMonitor): number => (checkedAt ?? startedAt) + intervalS * 1000;

/** A monitor as it is shown. */
export const snapshotOf = (monitor: StoredMonitor, isRunning: boolean): MonitorSnapshot => ({
  name: monitor.name,
  root: monitor.root,
  manifest_path: monitor.manifestPath,
  interval: monitor.intervalS,
  alert_on_extra: monitor.alertOnExtra,
  running: isRunning,
  last_check: monitor.checkedAt === null ? null : new Date(monitor.checkedAt).toISOString(),
  last_summary: monitor.found,
});
