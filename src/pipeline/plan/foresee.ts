import { type Foresight, LATER, NotYetKnown } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect } from '../../core/result.ts';
import type { Bindings } from '../command/bind.ts';
import type { CommandContext } from '../command/context.ts';
import type { Arguments } from '../command/perform.ts';
import { foreseeByRoles } from './by-roles.ts';
import { foreseeInPart } from './in-part.ts';

/** What a dry run knows of one command. */
export interface Foreseen {
  readonly effects: readonly Effect[];
  readonly complete: boolean;
  /** Arguments whose value only a real run gets. */
  readonly unknown: readonly string[];
}

/** Stands where perform stands in a dry run: asks `plan`, or the roles of the arguments, and never calls `run`. */
export const foresee = async (ready: Ready, context: CommandContext, args: Arguments, foresight: Foresight): Promise<Foreseen> => {
  const end = foresight.begin();
  if (ready.plain !== undefined) {
    foresight.record({ kind: 'execute', target: ready.about.name });
    return { effects: end(), complete: false, unknown: [] };
  }
  const bound = args as Bindings; // only plain functions have a list
  const unknown = ready.keys.filter((key) => bound[key] === LATER);
  try {
    const known = unknown.length === 0 ? bound : whereKnown(bound, unknown);
    if (ready.action.plan !== undefined) await ready.action.plan(context, known);
    else await foreseeByRoles(ready, context.files, known, foresight);
    return { effects: end(), complete: unknown.length === 0, unknown };
  } catch (fault) {
    const effects = end();
    if (!(fault instanceof NotYetKnown)) throw fault;
    const more = unknown.length === 0 ? [] : await foreseeInPart(ready, context, bound, foresight, effects);
    return { effects: [...effects, ...more], complete: false, unknown };
  }
};

/** The arguments, of which those that are not known yet end the planning once they are looked at. */
const whereKnown = (args: Bindings, unknown: readonly string[]): Bindings => {
  const known = { ...args };
  for (const key of unknown) {
    Object.defineProperty(known, key, {
      enumerable: true,
      get: () => {
        throw new NotYetKnown(`the argument ${key}`);
      },
    });
  }
  return known;
};
