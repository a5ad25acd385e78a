import type { Json } from '../errors.ts';
import type { AskedBy } from './asked-by.ts';

/** What a check of a tree against its manifest found. Long lists are counted and cut. */
export interface IntegritySummary {
  readonly [key: string]: Json;
  /** Nothing is missing or changed, and everything could be judged; nothing extra where that counts. */
  readonly ok: boolean;
  readonly matched: number;
  readonly missing: readonly string[];
  readonly modified: readonly string[];
  readonly extra: readonly string[];
  /** Files that could not be judged, and why. */
  readonly errors: readonly (readonly string[])[];
}

/** A check that could not be made, and why. */
export interface FailedCheck {
  readonly [key: string]: Json;
  readonly ok: false;
  readonly error: string;
}

/** A monitor as somebody asks for it. Paths are absolute. */
export interface NewMonitor {
  readonly name: string;
  readonly root: string;
  readonly manifestPath: string;
  readonly intervalS: number;
  /** Whether files that the manifest does not know count as a change. */
  readonly alertOnExtra: boolean;
  /** Names of the sinks that are told; null: all of them. */
  readonly sinks: readonly string[] | null;
}

/** A monitor as it is shown. */
export interface MonitorSnapshot {
  readonly name: string;
  readonly root: string;
  readonly manifest_path: string;
  readonly interval: number;
  readonly alert_on_extra: boolean;
  readonly running: boolean;
  /** ISO 8601; null before the first check. */
  readonly last_check: string | null;
  readonly last_summary: IntegritySummary | FailedCheck | null;
}

/** The monitors of the house, for actions: the owner's are all of them, those of others what they stored. What is unknown or double gives a `ManifestException`. */
export interface Monitors {
  /** Stores a monitor for the caller of a run, as whom it will read; the answer comes when it survives a power cut. */
  start(monitor: NewMonitor, askedBy: AskedBy): Promise<MonitorSnapshot>;
  stop(name: string, askedBy: AskedBy): Promise<MonitorSnapshot>;
  list(askedBy: AskedBy): Promise<readonly MonitorSnapshot[]>;
}
