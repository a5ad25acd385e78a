import { sep } from 'node:path';
import type { DeviceRoom, UndoLimits } from './journal.ts';
import { createKeptCount } from './kept-count.ts';
import type { Effect } from './result.ts';

/** Raised while planning where what follows depends on an answer only a real run gets. Not a failure. */
export class NotYetKnown extends Error {
  override readonly name = 'NotYetKnown';
  /** Whether the command changes nothing that was not told. */
  readonly isContained: boolean;

  constructor(what: string, { isContained = false }: { readonly isContained?: boolean } = {}) {
    super(what);
    this.isContained = isContained;
  }
}

/** Stands for a value that only a real run can tell. */
export const LATER: unique symbol = Symbol('later');

/** What a dry run has foreseen so far; shared by all its commands. */
export interface Foresight {
  /**
   * Adds an effect to the command being planned; several changes of one path come to one effect, what a command makes
   * and removes again to none. `seen` is what the file looked like: part of the plan's hash.
   */
  record(effect: Effect, seen?: { readonly size: number; readonly mtimeMs: number; readonly version?: string | undefined }): void;
  /** Makes what a tree looks like, as a digest, part of the plan's hash. */
  cover(root: string, digest: string): void;
  /** The last change of a target leaves all that stands there, with more behind it: nothing of it has to be kept for an undoing. */
  grows(target: string): void;
  /** Starts collecting for one command; the function it gives ends that and answers the effects. */
  begin(): () => readonly Effect[];
  /** Why the run could not keep what stands at a target before it goes, with all it keeps already; counts it where it could. */
  couldKeep(target: string, limits: UndoLimits, room: DeviceRoom | undefined): string | undefined;
  /** Every file looked at, as text, in order of names. */
  fingerprints(): readonly string[];
  /** Whether commands so far may have left the disk in ways that nobody can tell. */
  readonly isInDoubt: boolean;
  /** Says that this is so from now on. */
  doubt(): void;
  /** Whether it only makes sure of a plan before the run. */
  readonly isRehearsal: boolean;
  /** For what may happen or not: begins where this one is, and what it foresees does not count for later commands. */
  fork(): Foresight;
  readonly forkedFrom: Foresight | undefined;
}

export interface ForesightOptions {
  readonly isRehearsal?: boolean | undefined;
  readonly forkedFrom?: Foresight;
  readonly seenFiles?: Map<string, string>;
}

export const createForesight = ({ isRehearsal = false, forkedFrom, seenFiles = new Map() }: ForesightOptions = {}): Foresight => {
  const kept = createKeptCount();
  const growing = new Set<string>();
  let isInDoubt = forkedFrom?.isInDoubt ?? false;
  let current = new Map<string, Effect>();
  const foresight: Foresight = {
    record(effect, seen) {
      const key = isChange(effect) ? `change ${effect.target}` : `${effect.kind} ${effect.target}`;
      const earlier = current.get(key);
      const sum = earlier === undefined ? effect : sumOf(earlier, effect);
      if (sum === undefined) current.delete(key);
      else current.set(key, sum);
      if (isChange(effect)) growing.delete(effect.target);
      if (seen === undefined || seenFiles.has(effect.target)) return;
      seenFiles.set(effect.target, `${seen.size}:${seen.mtimeMs}${seen.version === undefined ? '' : `:${seen.version}`}`);
    },
    cover: (root, digest) => void seenFiles.set(`${root}${sep}**`, digest),
    grows: (target) => void growing.add(target),
    begin() {
      const outer = current;
      const own = new Map<string, Effect>();
      current = own;
      return () => {
        current = outer;
        return [...own.values()];
      };
    },
    couldKeep(target, limits, room) {
      if (growing.has(target)) return undefined;
      return kept.refuse({ bytes: Number.parseInt(seenFiles.get(target) ?? '0', 10), files: 1 }, limits, room);
    },
    fingerprints: () => [...seenFiles].map(([target, seen]) => `${target} ${seen}`).sort(),
    get isInDoubt() {
      return isInDoubt;
    },
    doubt() {
      isInDoubt = true;
    },
    isRehearsal,
    fork: () => createForesight({ isRehearsal, forkedFrom: foresight, seenFiles }),
    forkedFrom,
  };
  return foresight;
};

const isChange = ({ kind }: Effect): boolean => kind === 'create' || kind === 'overwrite' || kind === 'delete';

/** What two effects on one path come to. */
const sumOf = (earlier: Effect, later: Effect): Effect | undefined => {
  if (earlier.kind === 'create') return later.kind === 'delete' ? undefined : { ...later, kind: 'create' };
  if (earlier.kind === 'delete' && later.kind === 'create') return { ...later, kind: 'overwrite' };
  return later;
};
