import { type Foresight, LATER } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Outcome, RunResult } from '../../core/result.ts';
import type { Bindings } from '../command/bind.ts';
import { type CommandContext, gather } from '../command/context.ts';

/**
 * Plans the nested lists of a command of which nobody can know whether, how often and with which items it runs them: each as if it ran
 * once, alone. They are shown; what comes later does not see what they would do. Tells whether they may change anything.
 */
export const foreseePerhaps = async (ready: Ready, context: CommandContext, args: Bindings, foresight: Foresight): Promise<boolean> => {
  const gathered = gather(context);
  if (gathered.begun > 0) return gathered.steps.some(mayChange); // the action has planned them itself
  for (const { key, form, names } of ready.about.steps) {
    const list = args[key];
    const isKept = ready.args[ready.places.get(key) ?? -1]?.stepsAreKept === true;
    if (form === 'name' || isKept || typeof list !== 'object' || list === null) continue;
    const named = new Map(names.map((name) => [name, LATER]));
    gathered.steps.push(await planOnce(form === 'nodes' ? { nodes: list } : list, context, named, foresight.fork()));
  }
  return gathered.steps.some(mayChange);
};

const planOnce = (
  steps: unknown,
  context: CommandContext,
  named: ReadonlyMap<string, unknown>,
  foresight: Foresight,
): Promise<RunResult> => {
  const { list, index, signal } = context;
  const { run } = list;
  const files = run.house.openFiles({ runId: run.id, caller: run.caller, budget: undefined, foresight });
  const parent = { ...list, foresight, files: () => files, budget: undefined };
  return run.house.enter(steps, { parent, place: `${list.place}/${index}.0`, signal, options: { named } });
};

const mayChange = ({ results }: RunResult): boolean => results.some(changes);

const changes = ({ plan, steps = plan?.steps ?? [] }: Outcome): boolean =>
  plan?.complete === false || plan?.effects.some(({ kind }) => kind !== 'read') === true || [steps].flat().some(mayChange);
