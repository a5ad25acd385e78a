/** A backup: what it is called and when it was made. */
export interface Backup {
  readonly path: string;
  readonly timeMs: number;
}

/** How many to keep of each kind; 0 for none. */
export interface KeepRules {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
  readonly yearly: number;
}

/** What becomes of a backup. */
export interface Decision extends Backup {
  /** Why it is kept, like `daily 2025-06-15`; empty where it is not. */
  readonly reasons: readonly string[];
  /** It says that it is still to be made. */
  readonly isFuture: boolean;
}

/** What belongs together in each kind, in UTC. */
const PERIODS: readonly (readonly [kind: Exclude<keyof KeepRules, 'last'>, periodOf: (at: Date) => string])[] = [
  ['daily', (at) => at.toISOString().slice(0, 10)],
  ['weekly', (at) => isoWeek(at)],
  ['monthly', (at) => at.toISOString().slice(0, 7)],
  ['yearly', (at) => at.toISOString().slice(0, 4)],
];

/**
 * Decides which backups are kept: the newest of each of the last days, weeks, months and years that have any. The newest come first.
 * Those of the future stay and count for nothing: a clock that was wrong once must not cost the backups that are right.
 */
export const decide = (backups: readonly Backup[], rules: KeepRules, nowMs: number): Decision[] => {
  const newestFirst = backups.toSorted((a, b) => b.timeMs - a.timeMs || (a.path < b.path ? -1 : 1));
  const judges = [byNumber(rules.last), ...PERIODS.map(([kind, periodOf]) => byPeriod(kind, periodOf, rules[kind]))];
  return newestFirst.map((backup) => {
    const isFuture = backup.timeMs > nowMs;
    return { ...backup, isFuture, reasons: isFuture ? ['future'] : judges.flatMap((judge) => judge(backup) ?? []) };
  });
};

/** Says why a backup is kept; asked from the newest to the oldest. */
type Judge = (backup: Backup) => string | undefined;

const byNumber = (count: number): Judge => {
  let taken = 0;
  return () => {
    if (taken >= count) return undefined;
    taken += 1;
    return `last ${taken}`;
  };
};

const byPeriod = (kind: string, periodOf: (at: Date) => string, count: number): Judge => {
  const taken = new Set<string>();
  return ({ timeMs }) => {
    const period = periodOf(new Date(timeMs));
    if (taken.size >= count || taken.has(period)) return undefined;
    taken.add(period);
    return `${kind} ${period}`;
  };
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** The year of a week is that of its Thursday. */
const isoWeek = (at: Date): string => {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  const daysSinceMonday = (at.getUTCDay() + 6) % 7;
  const thursday = new Date(midnight + (3 - daysSinceMonday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, '0')}`;
};
