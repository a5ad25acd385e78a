import type { Caller } from '../../access/caller.ts';
import { isDestructive } from '../../core/effects.ts';
import { PolicyException } from '../../core/errors.ts';
import { type PlacedOutcome, placedOutcomesIn, placeInWords } from '../../core/outcomes.ts';
import type { Ready } from '../../core/ready.ts';
import type { Registry } from '../../core/registry.ts';
import type { RunResult } from '../../core/result.ts';
import type { Command, Job } from '../run.ts';
import { givenAt, visitCommands } from './tree.ts';
import { createUnsureFiles } from './unsure-files.ts';

/** Whether somebody must say yes before this caller may run the list: judged by what its actions can do, at every depth. */
export const needsApproval = ({ commands }: Job, { policy }: Caller, registry: Registry): boolean => {
  if (policy === undefined || policy.requireApproval === 'none' || commands.length === 0) return false;
  if (policy.requireApproval === 'all') return true;
  let isNeeded = false;
  visitCommands(
    commands,
    registry,
    (command) => {
      isNeeded ||= mayDestroy(command, registry);
    },
    'that run',
  );
  return isNeeded;
};

/** Whether a list that only reads needs a yes all the same where its plan is incomplete. */
export const isJudgedByPlan = ({ commands }: Job, { policy }: Caller): boolean =>
  policy?.requireApproval === 'destructive' && commands.length > 0;

/** A list that is not written in its place can hold anything. */
const mayDestroy = ({ name, given }: Command, registry: Registry): boolean => {
  const about = registry.about(name ?? '');
  if (about === undefined) return false; // it does not run
  if (about.reserved === true || isDestructive(about.effects)) return true;
  if (!about.effects.includes('steps')) return false;
  return (
    about.steps.length === 0 ||
    about.steps.some((place) => {
      const value = givenAt(given, place);
      return typeof value === 'string' && (place.form !== 'name' || value.includes('${'));
    })
  );
};

/** Adds the commands of a list to those that somebody says yes to with its plan; nested lists are added when they are planned. */
export const addCommands = ({ commands }: Job, into: Set<string>): void => {
  for (const command of commands) into.add(keyOf(command));
};

/** Throws where a nested list holds what was not foreseen in the approved plan. */
export const demandForeseen = ({ commands }: Job, approved: ReadonlySet<string> | undefined): void => {
  for (const command of commands) if (approved?.has(keyOf(command)) !== true) throw unforeseen(command);
};

const keyOf = ({ name, given }: Command): string => JSON.stringify([name, given]);

/** Throws where nobody can say yes to a plan: the policy refuses part of it anyhow, or it does not say what would be changed. */
export const demandApprovable = (plan: RunResult, registry: Registry): void => {
  const unsure = createUnsureFiles();
  for (const placed of placedOutcomesIn(plan)) {
    const { action, error, plan: own } = placed.outcome;
    if (error !== undefined && DENIALS.has(error.type))
      throw new PolicyException(error.message, { context: { ...error.context, ...placeOf(placed) } });
    const ready = registry.resolve(action ?? '');
    const argument = own?.unknown?.find((key) => isDecisive(key, ready));
    if (argument !== undefined) throw unknownArgument(placed, argument);
    const file = own && unsure.meet(own);
    if (file !== undefined && own?.complete === false && changesTrees(ready)) throw unknownContent(placed, file);
  }
};

/** Whether what it reads may tell it what to change: an archive, the record of something in a trash. */
const changesTrees = (ready: Ready | undefined): boolean =>
  ready?.args.some(({ roles }) => roles.includes('writesTree') || roles.includes('removesTree')) === true;

/** Errors that say what a caller may not do at all. */
const DENIALS: ReadonlySet<string> = new Set(['PolicyException', 'ActionNotPermittedException']);

/**
 * Whether an argument may decide what would be changed, reached or run, or what an action that would do so is given. Of an action that
 * changes anything every argument may, unless its definition says that it is only content.
 */
const isDecisive = (key: string, ready: Ready | undefined): boolean => {
  if (ready === undefined) return true;
  const { about, args, places } = ready;
  const at = places.get(key);
  if (at === undefined) return about.effects.some((effect) => effect !== 'reads'); // all that it is given
  if (args[at]?.isContent === true) return false;
  return about.reserved === true || isDestructive(about.effects) || about.steps.some(({ given }) => given?.key === key);
};

/** Nothing ran: somebody has to look at the plan first. */
export const notApproved = (planHash: string, { expectPlan }: Job): PolicyException =>
  new PolicyException(
    `This list needs somebody's yes: have the owner run \`factotum approve ${planHash}\`, then send it${
      expectPlan === undefined ? ` with "expect_plan": "${planHash}"` : ' again'
    }.`,
    { context: { rule: 'require_approval', plan_hash: planHash, command: `factotum approve ${planHash}` } },
  );

/** Which command of the list it is, and under `at` the way to one that is nested in it. */
const placeOf = ({ outcome, around }: PlacedOutcome) => {
  const at = [...around, outcome].map(({ index }) => index);
  return { index: at[0] ?? 0, action: outcome.action, ...(around.length > 0 && { at }) };
};

const unknownArgument = (placed: PlacedOutcome, argument: string) =>
  new PolicyException(
    `Nobody can approve this list: ${argument} of ${placeInWords(placed)} is known only once the commands before it have run. Run those on their own, then send the rest with the value written out.`,
    { context: { rule: 'require_approval', ...placeOf(placed), argument } },
  );

const unknownContent = (placed: PlacedOutcome, path: string) =>
  new PolicyException(
    `Nobody can approve this list: ${placeInWords(placed)} goes by what ${path} holds, and that is known only once the commands before it have run. Run those on their own, then send the rest.`,
    { context: { rule: 'require_approval', ...placeOf(placed), path } },
  );

const unforeseen = ({ name }: Command) =>
  new PolicyException(`${name ?? 'A command'} stands in a list that nobody has approved; write the list out or read it from a file.`, {
    context: { rule: 'require_approval', action: name },
  });
