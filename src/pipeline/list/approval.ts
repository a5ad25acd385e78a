import type { Caller } from '../../access/caller.ts';
import { isDestructive } from '../../core/effects.ts';
import { type Json, PolicyException } from '../../core/errors.ts';
import type { Registry } from '../../core/registry.ts';
import type { Effect, Outcome, RunResult } from '../../core/result.ts';
import type { Command, Job } from '../run.ts';
import { givenAt, visitCommands } from './tree.ts';

/** Whether somebody must say yes before this caller may run the list: judged by what its actions can do, at every depth. */
export const needsApproval = ({ commands }: Job, { policy }: Caller, registry: Registry): boolean => {
  if (policy === undefined || policy.requireApproval === 'none' || commands.length === 0) return false;
  if (policy.requireApproval === 'all') return true;
  let isNeeded = false;
  visitCommands(commands, registry, (command) => {
    isNeeded ||= mayDestroy(command, registry);
  });
  return isNeeded;
};

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

/** Adds the commands of a list, at every depth, to those that somebody says yes to with its plan. */
export const addCommands = ({ commands }: Job, registry: Registry, into: Set<string>): void =>
  visitCommands(commands, registry, (command) => void into.add(keyOf(command)));

/** Throws where a nested list holds what was neither written in the approved one nor foreseen in its plan. */
export const demandForeseen = (job: Job, registry: Registry, approved: ReadonlySet<string> | undefined): void =>
  visitCommands(job.commands, registry, (command) => {
    if (approved?.has(keyOf(command)) !== true) throw unforeseen(command);
  });

const keyOf = ({ name, given }: Command): string => JSON.stringify([name, given]);

/** What the person who is asked gets to see. */
export const summaryOf = ({ label }: Job, plan: RunResult): Json => {
  const outcomes = plan.results.flatMap(withNested);
  const effects = outcomes.flatMap((outcome) => outcome.plan?.effects ?? []).filter(({ kind }) => kind !== 'read');
  const isComplete = outcomes.every((outcome) => outcome.plan?.complete !== false);
  return {
    ...(label !== undefined && { name: label.slice(0, MAX_TEXT) }),
    commands: plan.results.slice(0, MAX_SHOWN).map(({ action, plan: own }) => cut(JSON.stringify([action, own?.arguments ?? null]))),
    command_count: plan.results.length,
    effects: effects.slice(0, MAX_SHOWN).map(({ kind, target }) => cut(`${kind} ${target}`)),
    effect_counts: countKinds(effects),
    complete: isComplete,
  };
};

const MAX_SHOWN = 100;
const MAX_TEXT = 500;

const cut = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`);

/** A command, and those of the lists that it would run. */
const withNested = (outcome: Outcome): readonly Outcome[] => {
  const { plan, steps = plan?.steps ?? [] } = outcome;
  return [outcome, ...[steps].flat().flatMap(({ results }) => results.flatMap(withNested))];
};

const countKinds = (effects: readonly Effect[]): { readonly [kind: string]: number } => {
  const counts = new Map<string, number>();
  for (const { kind } of effects) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** Nothing ran: somebody has to look at the plan first. */
export const notApproved = (planHash: string, { expectPlan }: Job): PolicyException =>
  new PolicyException(
    `This list needs somebody's yes: have the owner run \`factotum approve ${planHash}\`, then send it${
      expectPlan === undefined ? ` with "expect_plan": "${planHash}"` : ' again'
    }.`,
    { context: { rule: 'require_approval', plan_hash: planHash, command: `factotum approve ${planHash}` } },
  );

const unforeseen = ({ name }: Command) =>
  new PolicyException(`${name ?? 'A command'} stands in a list that nobody has approved; write the list out or read it from a file.`, {
    context: { rule: 'require_approval', action: name },
  });
