import { createHash } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';

/**
 * The moment and the seed that a plan is made with. `${date}`, `${uuid}` and the clock of actions follow from them, so that a run which
 * names the plan fills in the very same values.
 */
export interface Basis {
  readonly moment: Date;
  readonly seed: string;
  /** Whether anything followed from it so far; only then it belongs to the plan's name. */
  isUsed: boolean;
}

export const createBasis = (moment: Date, seed: string): Basis => ({ moment, seed, isUsed: false });

/** What a plan is called: the hash of what it would do and, where it depends on them, the moment and the seed. */
export const planName = (hash: string, { moment, seed, isUsed }: Basis): string =>
  isUsed ? `${hash}.${moment.getTime().toString(36)}.${seed}` : hash;

/** The moment and the seed in the name of a plan; undefined where it has none, and where it is the name of no plan at all. */
export const basisNamed = (name: string): Basis | undefined => {
  const [, time = '', seed] = /^[0-9a-f]{64}\.(-?[0-9a-z]{1,11})\.([0-9a-f]{32})$/.exec(name) ?? [];
  if (seed === undefined) return undefined;
  const moment = new Date(Number.parseInt(time, 36));
  return Number.isNaN(moment.getTime()) ? undefined : createBasis(moment, seed);
};

/** The moment, for whoever makes something of it. */
export const momentOf = (basis: Basis): Date => {
  basis.isUsed = true;
  return basis.moment;
};

/** Identifiers of one place: they follow from the seed and from where they stand, in whatever order places are come to. */
export const idsAt = (basis: Basis, place: string): (() => string) => {
  let count = 0;
  return () => {
    basis.isUsed = true;
    count += 1;
    return createHash('sha256').update(`${basis.seed} ${place} ${count}`).digest('hex').slice(0, 32);
  };
};

/** A clock that stands at the moment; durations are real. */
export const clockAt = (basis: Basis, { monotonic }: Clock): Clock => ({ now: () => momentOf(basis).getTime(), monotonic });
