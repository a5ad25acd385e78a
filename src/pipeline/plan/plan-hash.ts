import { createHash } from 'node:crypto';
import type { Foresight } from '../../core/planning.ts';
import type { Outcome } from '../../core/result.ts';
import type { ListRun } from '../run.ts';
import type { Basis } from './basis.ts';

/**
 * Covers arguments as written, effects, and size and time of every file that would be read, replaced or removed; and what decides in
 * which order and after which failures commands run, for a plan that somebody approved must not be carried out otherwise; and the moment and the seed
 * where anything follows from them.
 */
export const planHash = ({ job, outcomes }: ListRun, foresight: Foresight, { moment, seed, isUsed }: Basis): string => {
  const { mode, stopOnError, failFast, maxBytes, maxSeconds, commands } = job;
  const rules = [mode, stopOnError, failFast, maxBytes, maxSeconds];
  const written = commands.map(({ given, after, always }) => [given, after ?? null, always ?? null]);
  return createHash('sha256')
    .update(JSON.stringify([rules, written, outcomes.map(essence), foresight.fingerprints(), isUsed ? [moment.getTime(), seed] : []]))
    .digest('hex');
};

/** What of an entry makes the plan: no times, no identities. A command that would fail has its nested lists beside the error. */
const essence = (outcome: Outcome | undefined): unknown => {
  if (outcome === undefined) return null;
  const { action, id, status, error, plan, steps = plan?.steps ?? [] } = outcome;
  const nested = [steps].flat().map((run) => run.results.map(essence));
  return [action, id ?? null, status, error?.type ?? null, plan?.arguments ?? null, plan?.effects ?? [], plan?.complete ?? true, nested];
};
