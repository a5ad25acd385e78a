import { createHash } from 'node:crypto';
import { jsonPieces } from '../../core/json-pieces.ts';
import type { Foresight } from '../../core/planning.ts';
import type { Outcome } from '../../core/result.ts';
import type { ListRun } from '../run.ts';
import type { Basis } from './basis.ts';

/**
 * Covers arguments as written, effects, and size and time of every file that would be read, replaced or removed; and what decides in
 * which order and after which failures commands run, for a plan that somebody approved must not be carried out otherwise; and the moment and the seed
 * where anything follows from them. A plan can be long, so others get the thread in between.
 */
export const planHash = async ({ job, outcomes, run }: ListRun, foresight: Foresight, { moment, seed, isUsed }: Basis): Promise<string> => {
  const { mode, stopOnError, failFast, maxBytes, maxSeconds, commands } = job;
  const rules = [mode, stopOnError, failFast, maxBytes, maxSeconds];
  const written = commands.map(({ given, after, always }) => [given, after ?? null, always ?? null]);
  const hash = createHash('sha256');
  const { slice } = run.usage;
  const add = async (pieces: Iterable<string>): Promise<void> => {
    for (const piece of pieces) {
      hash.update(piece);
      if (slice.isOver()) await slice.next();
    }
  };
  await add(['[', JSON.stringify(rules), ',']);
  await add(jsonPieces(written));
  await add([',']);
  await add(listOf(outcomes, essence));
  await add([',']);
  await add(jsonPieces(foresight.fingerprints()));
  await add([',', JSON.stringify(isUsed ? [moment.getTime(), seed] : []), ']']);
  return hash.digest('hex');
};

/** What of an entry makes the plan, as JSON: no times, no identities. A command that would fail has its nested lists beside the error. */
function* essence(outcome: Outcome | undefined): Generator<string, void> {
  if (outcome === undefined) {
    yield 'null';
    return;
  }
  const { action, id, status, error, plan, steps = plan?.steps ?? [] } = outcome;
  yield `${JSON.stringify([action, id ?? null, status, error?.type ?? null]).slice(0, -1)},`;
  yield* jsonPieces(plan?.arguments ?? null);
  yield ',';
  yield* jsonPieces(plan?.effects ?? []);
  yield `,${plan?.complete ?? true},`;
  yield* listOf([steps].flat(), ({ results }) => listOf(results, essence));
  yield ']';
}

function* listOf<T>(items: readonly T[], write: (item: T) => Iterable<string>): Generator<string, void> {
  yield '[';
  for (const [at, item] of items.entries()) {
    if (at > 0) yield ',';
    yield* write(item);
  }
  yield ']';
}
