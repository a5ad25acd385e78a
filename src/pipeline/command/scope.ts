import { SubstitutionException } from '../../core/errors.ts';
import { LATER, NotYetKnown } from '../../core/planning.ts';
import type { Outcome } from '../../core/result.ts';
import { idsAt, momentOf } from '../plan/basis.ts';
import type { ListRun, Run } from '../run.ts';
import type { Usage } from '../usage.ts';
import { type Scope, substitute } from './substitute.ts';

/** Reads the references in a value as an argument of a command may; in a dry run `LATER` where one stands for what is not known yet. */
export const readReferences = (list: ListRun, value: unknown, index: number, at: number): unknown => {
  try {
    const filled = substitute(value, scopeOf(list, index, at));
    if (filled !== value) holdValue(list.run.usage, filled);
    return filled;
  } catch (fault) {
    if (fault instanceof NotYetKnown) return LATER;
    throw fault;
  }
};

/** What a reference stands for may be short here and endless once it is written out, so it counts as it would be written. */
const holdValue = (usage: Usage, value: unknown): void => {
  const size = usage.sizeOf(value);
  if (size === undefined) throw usage.overBytes();
  usage.hold(size);
  if (size > STEP_BYTES) usage.slice.count(Math.ceil(size / STEP_BYTES));
};

/** To fill in this many bytes takes about as long as a cheap command. */
const STEP_BYTES = 4 * 1024;
/** What the texts of one argument may take together: to put them together holds everybody else up. */
const MAX_FILLED_BYTES = 32 * 1024 * 1024;

/** What references may read from inside an argument of a command of this list. */
const scopeOf = (list: ListRun, index: number, at: number): Scope => {
  const { run, job, outcomes, places, named, basis, place } = list;
  const common = {
    env: (name: string) => readEnv(run, name),
    date: run.startedAt,
    cwd: run.house.cwd,
    uuid: run.house.newId,
    mayGrowBy: roomFor(run.usage),
    ...(named !== undefined && { named }),
    ...(basis !== undefined && {
      date: basis.moment,
      uuid: idsAt(basis, `${place}/${index}:${at}`),
      onDate: () => void momentOf(basis),
    }),
  };
  if (job.mode === 'serial') return { ...common, result: (at) => earlier(at, index, outcomes) };
  if (job.mode === 'graph') return { ...common, node: (id) => ofNode(id, outcomes, places) };
  return common;
};

/** Counts texts before they are put together: what is put together afterwards fits. */
const roomFor = (usage: Usage): ((bytes: number) => void) => {
  let grown = 0;
  return (bytes) => {
    grown += bytes;
    if (grown > usage.bytesLeft) throw usage.overBytes();
    if (grown > MAX_FILLED_BYTES) throw tooMuchText();
  };
};

const tooMuchText = () =>
  new SubstitutionException(
    `The texts of one argument become longer than ${MAX_FILLED_BYTES} bytes together; put long content into files and pass their paths.`,
    { context: { limit: MAX_FILLED_BYTES } },
  );

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
