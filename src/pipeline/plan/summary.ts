import type { Json } from '../../core/errors.ts';
import { isComplete, outcomesIn } from '../../core/outcomes.ts';
import type { Effect, Outcome, RunResult } from '../../core/result.ts';
import { asWritten } from '../command/bind.ts';
import type { House, Job } from '../run.ts';

/** What the person who is asked to approve a plan gets to see, without secrets. */
export const summaryOf = ({ label, commands }: Job, plan: RunResult, { registry, masker }: Pick<House, 'registry' | 'masker'>): Json => {
  const effects = outcomesIn(plan).flatMap((outcome) => outcome.plan?.effects ?? []);
  const written = commands
    .slice(0, MAX_SHOWN)
    .map(({ name, given }) => [name ?? 'malformed', asWritten(registry.resolve(name ?? ''), given)]);
  const masked = masker.json(written) as readonly unknown[]; // masking keeps the shape
  return {
    ...(label !== undefined && { name: cut(masker.text(label)) }),
    commands: masked.map((command, at) => cut(JSON.stringify(command)) + cut(masker.text(ending(plan.results[at])))),
    command_count: commands.length,
    effects: bySeverity(effects)
      .slice(0, MAX_SHOWN)
      .map(({ kind, target }) => cut(masker.text(`${kind} ${target}`))),
    effect_counts: countKinds(effects),
    complete: isComplete(plan),
  };
};

const MAX_SHOWN = 100;
const MAX_TEXT = 500;

const cut = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`);

/** What would become of a command that would not go through. */
const ending = (outcome: Outcome | undefined): string => {
  if (outcome?.error !== undefined) return ` would fail: ${outcome.error.message}`;
  return outcome?.status === 'skipped' ? ' would be skipped' : '';
};

/** The worst first, so that none hides behind many harmless ones. */
const bySeverity = (effects: readonly Effect[]): readonly Effect[] =>
  SEVERITY.flatMap((kind) => effects.filter((effect) => effect.kind === kind));

const SEVERITY: readonly Effect['kind'][] = ['delete', 'overwrite', 'execute', 'network', 'create'];

const countKinds = (effects: readonly Effect[]): { readonly [kind: string]: number } =>
  Object.fromEntries(
    SEVERITY.flatMap((kind) => {
      const count = effects.filter((effect) => effect.kind === kind).length;
      return count === 0 ? [] : [[kind, count]];
    }),
  );
