import type { ShareName } from '../caller-limits.ts';
import type { AskedBy } from './asked-by.ts';

/** What callers store and have a share of. */
export type StoredShare = Extract<ShareName, 'maxSchedules' | 'maxWatchers'>;

/** Stores one more for the caller of a run; throws `QuotaExceededException` where it has as many as it may. */
export type StoreOne = <T>(share: StoredShare, askedBy: AskedBy, work: () => Promise<T>) => Promise<T>;
