import type { KnownTree } from '../disk/known-tree.ts';

/** How a file differs from what is known of it. */
export interface Change {
  /** Null: it is gone. */
  readonly fingerprint: string | null;
  readonly size: number | null;
  /** When the file was first seen like this. */
  readonly since: number;
  /** It happened while nobody watched. */
  readonly isReplayed: boolean;
  /** A run of this watcher did it. */
  readonly isOwn: boolean;
}

/** Changes that wait until their files have been quiet for a while. */
export interface Pending {
  readonly count: number;
  /** When the first was seen; undefined where there is none. */
  readonly firstSince: number | undefined;
  /** Tells whether that is new. */
  see(path: string, change: Change): boolean;
  delete(path: string): void;
  /** Sets a change aside. */
  park(path: string): void;
  /** Takes a change up again, behind those that wait. */
  unpark(path: string): void;
  unparkAll(): void;
  /** Those seen no later than `until`, oldest first, `most` or one more; the two halves of a move come together or not at all. */
  quiet(until: number, most: number, known: KnownTree): [path: string, change: Change][];
}

export const createPending = (): Pending => {
  /** In the order of `since`, because what changes again goes to the end. */
  const waiting = new Map<string, Change>();
  const parked = new Map<string, Change>();

  const put = (path: string, change: Change) => {
    waiting.delete(path);
    waiting.set(path, change);
  };

  return {
    get count() {
      return waiting.size + parked.size;
    },
    get firstSince() {
      for (const { since } of waiting.values()) return since;
      return undefined;
    },
    see(path, change) {
      const before = waiting.get(path) ?? parked.get(path);
      if (before?.fingerprint === change.fingerprint) return false;
      parked.delete(path);
      // What somebody else has begun stays news, also after a run of ours has had its hands on it.
      put(path, { ...change, isOwn: change.isOwn && before?.isOwn !== false });
      return true;
    },
    delete(path) {
      waiting.delete(path);
      parked.delete(path);
    },
    park(path) {
      const change = waiting.get(path);
      if (change === undefined) return;
      waiting.delete(path);
      parked.set(path, change);
    },
    unpark(path) {
      const change = parked.get(path);
      if (change === undefined) return;
      parked.delete(path);
      put(path, change);
    },
    unparkAll() {
      for (const [path, change] of parked) put(path, change);
      parked.clear();
    },
    quiet(until, most, known) {
      const chosen = new Map<string, Change>();
      let partners: ReadonlyMap<string, string> | undefined;
      for (const [path, change] of waiting) {
        if (change.since > until || chosen.size >= most) break;
        partners ??= pairMoves(waiting, known);
        const partner = partners.get(path);
        const other = partner === undefined ? undefined : waiting.get(partner);
        if (partner !== undefined && other !== undefined) {
          if (other.since > until) continue;
          chosen.set(partner, other);
        }
        chosen.set(path, change);
      }
      return [...chosen];
    },
  };
};

/** Which vanished path and which new one are the same file, both ways. */
export const pairMoves = (changes: Iterable<readonly [string, Change]>, known: KnownTree): ReadonlyMap<string, string> => {
  const partners = new Map<string, string>();
  const all = [...changes];
  const gone = new Map<string, string>();
  for (const [path, { fingerprint }] of all) {
    const before = fingerprint === null ? known.get(path) : undefined;
    if (before !== undefined) gone.set(before, path);
  }
  if (gone.size === 0) return partners;
  for (const [path, { fingerprint }] of all) {
    if (fingerprint === null || known.get(path) !== undefined) continue;
    const from = gone.get(fingerprint);
    if (from === undefined) continue;
    gone.delete(fingerprint);
    partners.set(path, from);
    partners.set(from, path);
  }
  return partners;
};
