import { FileAutomationException } from '../../core/errors.ts';
import { type Foresight, LATER, NotYetKnown } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect } from '../../core/result.ts';
import type { Bindings } from '../command/bind.ts';
import { type CommandContext, gather } from '../command/context.ts';
import type { Arguments } from '../command/perform.ts';
import { foreseeByLooking, foreseeByRoles } from './by-roles.ts';
import { foreseeInPart } from './in-part.ts';
import { foreseePerhaps } from './perhaps.ts';
import { demandRightPaths } from './right-paths.ts';

/** What a dry run knows of one command. */
export interface Foreseen {
  readonly effects: readonly Effect[];
  readonly complete: boolean;
  /** Arguments whose value only a real run gets. */
  readonly unknown: readonly string[];
}

/**
 * Stands where perform stands in a dry run: asks `plan`, or the roles of the arguments. It calls `run` only of actions that look and do
 * nothing else.
 */
export const foresee = async (ready: Ready, context: CommandContext, args: Arguments, foresight: Foresight): Promise<Foreseen> => {
  const end = foresight.begin();
  if (ready.plain !== undefined) {
    foresight.record({ kind: 'execute', target: ready.about.name });
    foresight.doubt();
    return { effects: end(), complete: false, unknown: (args as readonly unknown[]).includes(LATER) ? ['arguments'] : [] }; // only they have a list
  }
  const bound = args as Bindings; // only plain functions have a list
  const unknown = ready.keys.filter((key) => bound[key] === LATER);
  try {
    const known = unknown.length === 0 ? bound : whereKnown(bound, unknown);
    if (!ready.action.onlyLooks) await demandRightPaths(ready, context, known);
    if (ready.action.plan !== undefined) await ready.action.plan(context, known);
    else await (ready.action.onlyLooks ? foreseeByLooking : foreseeByRoles)(ready, context, known, foresight);
    const isSure = !foresight.isInDoubt || ready.about.effects.length === 0;
    return { effects: end(), complete: unknown.length === 0 && isSure, unknown };
  } catch (fault) {
    const told = end();
    if (fault instanceof NotYetKnown && ready.action.pure === true) return { effects: [], complete: true, unknown };
    if (!isOpen(fault, foresight)) {
      Object.assign(gather(context), { told, unknown }); // that much happens before it fails
      throw fault;
    }
    if (fault instanceof NotYetKnown && fault.isContained) return { effects: told, complete: false, unknown };
    const part = await foreseeInPart(ready, context, bound, { foresight, unknown, told });
    if ((await foreseePerhaps(ready, context, bound, foresight)) || !part.isContained) foresight.doubt();
    return { effects: [...told, ...part.effects], complete: false, unknown };
  }
};

/** Whether a fault only says that nobody can know yet: also where the command fails because of what others may leave behind. */
const isOpen = (fault: unknown, { isInDoubt }: Foresight): boolean =>
  fault instanceof NotYetKnown || (isInDoubt && fault instanceof FileAutomationException && !CERTAIN.has(fault.type));

/** Errors that do not depend on what the disk holds. */
const CERTAIN: ReadonlySet<string> = new Set([
  'ActionNotPermittedException',
  'ArgumentException',
  'AssertionException',
  'CallbackExecutorException',
  'CancelledException',
  'DagException',
  'ExecuteActionException',
  'InternalException',
  'PlanChangedException',
  'PolicyException',
  'QuotaExceededException',
  'SubstitutionException',
  'TimeoutException',
  'UnknownActionException',
  'ValidationException',
]);

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
