import fc, { type IRawProperty, type Parameters } from 'fast-check';

/** Of the runs that a property asks for, those that it gets each time: with other seeds every time, the rest come in the next ones. */
const SHARES = { usual: 1 / 4, brief: 1 / 12, long: 1 };
const LEAST_RUNS = 10;
/** What a property asks for that names no number. */
const RUNS = 100;

/** How many runs a property gets. What has failed before is tried in full: all of its examples, and whatever is told a seed. */
export const runsOf = <Ts>({ numRuns = RUNS, seed, examples = [] }: Parameters<Ts>, share: number): number => {
  if (seed !== undefined) return numRuns;
  return Math.max(examples.length, Math.min(numRuns, Math.max(Math.ceil(numRuns * share), LEAST_RUNS) + examples.length));
};

const { FACTOTUM_TORTURE: kind } = process.env;
const share = kind === 'long' || kind === 'brief' ? SHARES[kind] : SHARES.usual;

const assert = <Ts>(property: IRawProperty<Ts>, parameters: Parameters<Ts> = {}): Promise<void> | void =>
  fc.assert(property, { ...parameters, numRuns: runsOf(parameters, share) });

/** What tests get by the name of `fast-check` (`vitest.config.ts`). */
export default { ...fc, assert };
