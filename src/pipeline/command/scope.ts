import { SubstitutionException } from '../../core/errors.ts';
import { NotYetKnown } from '../../core/planning.ts';
import type { Outcome } from '../../core/result.ts';
import type { ListRun, Run } from '../run.ts';
import type { Scope } from './substitute.ts';

/** What references may read from inside a command of this list. */
export const scopeOf = (list: ListRun, index: number): Scope => {
  const { run, job, outcomes, places, named, foresight } = list;
  const common = {
    env: (name: string) => readEnv(run, name),
    date: run.startedAt,
    cwd: run.house.cwd,
    uuid: run.house.newId,
    ...(named !== undefined && { named }),
    ...(foresight !== undefined && { asWritten: true }),
  };
  if (job.mode === 'serial') return { ...common, result: (at) => earlier(at, index, outcomes) };
  if (job.mode === 'graph') return { ...common, node: (id) => ofNode(id, outcomes, places) };
  return common;
};

/** Reads a variable as the caller may; secrets are learnt for masking as they are read. */
export const readEnv = (run: Pick<Run, 'house' | 'caller' | 'env'>, name: string): string | undefined => {
  run.caller.policy?.demandEnv(name);
  run.env ??= run.house.readEnv();
  const value = Object.hasOwn(run.env, name) ? run.env[name] : undefined;
  if (value !== undefined) run.house.masker.learnVariable(name, value);
  return value;
};

const earlier = (at: number, index: number, outcomes: readonly (Outcome | undefined)[]): unknown => {
  const outcome = at < index ? outcomes[at] : undefined;
  if (outcome === undefined) {
    throw new SubstitutionException(
      `\${results[${at}]…} does not name an earlier command of this list; only 0 to ${index - 1} have a result here.`,
      {
        context: { reference: at },
      },
    );
  }
  return valueIn(outcome, `results[${at}]`);
};

const ofNode = (id: string, outcomes: readonly (Outcome | undefined)[], places: ReadonlyMap<string, number> | undefined): unknown => {
  const outcome = outcomes[places?.get(id) ?? -1];
  if (outcome === undefined) {
    throw new SubstitutionException(`\${nodes.${id}…} has no result here; add ${id} to depends_on.`, { context: { reference: id } });
  }
  return valueIn(outcome, `nodes.${id}`);
};

const valueIn = (outcome: Outcome, shown: string): unknown => {
  const hasEndedWell = outcome.status === 'ok' || outcome.status === 'reused';
  if (hasEndedWell && outcome.value !== undefined) return outcome.value;
  if (outcome.status === 'planned') throw new NotYetKnown(`the value of ${shown}`);
  throw new SubstitutionException(
    `\${${shown}…} has no value: that command ended as ${outcome.status}${hasEndedWell ? ', and its value was not kept' : ''}.`,
    {
      context: { reference: shown },
    },
  );
};
