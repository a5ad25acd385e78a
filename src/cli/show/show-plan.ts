import { isAbsolute, relative, sep } from 'node:path';
import { isComplete, MORE_MAY_HAPPEN, outcomesIn } from '../../core/outcomes.ts';
import type { Effect, Outcome, Plan, RunResult } from '../../core/result.ts';
import { visible } from '../../lib/json/locate.ts';
import { bytes, count } from '../terminal/units.ts';
import { type Look, outcomeLines } from './show-result.ts';

/** Effects in the order in which somebody who approves a plan looks for them, and how they are said. */
const KINDS: readonly (readonly [kind: Effect['kind'], word: string])[] = [
  ['delete', 'delete'],
  ['overwrite', 'replace'],
  ['create', 'create'],
  ['execute', 'execute'],
  ['network', 'contact'],
  ['read', 'read'],
];
const MOST_TARGETS = 10;

/** What a dry run found, command by command, its effects grouped by kind. */
export const planLines = ({ results }: RunResult, look: Look, cwd: string): string[] =>
  results.flatMap((outcome) => plannedLines(outcome, look, cwd, ''));

const plannedLines = (outcome: Outcome, look: Look, cwd: string, indent: string): string[] => {
  const { plan, ...entry } = outcome;
  const { effects = [], steps } = plan ?? {};
  const { colors } = look;
  const { dim } = colors;
  return [
    ...outcomeLines([{ ...entry, duration_ms: 0 }], look, indent),
    ...KINDS.flatMap(([kind, word]) =>
      kindLines(
        effects.filter((effect) => effect.kind === kind),
        word,
        look,
        cwd,
      ),
    ).map((line) => `${indent}      ${line}`),
    ...[steps ?? []].flat().flatMap((run) => run.results.flatMap((each) => plannedLines(each, look, cwd, `${indent}    `))),
    ...(plan?.complete === false ? [`${indent}      ${colors.yellow(MORE_MAY_HAPPEN)}${dim(unknownIn(plan))}`] : []),
  ];
};

const unknownIn = ({ unknown = [] }: Plan): string =>
  unknown.length === 0 ? '' : `: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} known only when it runs`;

const kindLines = (effects: readonly Effect[], word: string, { colors }: Look, cwd: string): string[] => {
  const paint = word === 'delete' || word === 'replace' ? colors.red : word === 'create' ? colors.green : colors.dim;
  const shown = effects
    .slice(0, MOST_TARGETS)
    .map(
      ({ target, bytes: size }) =>
        `${paint(word.padEnd(7))} ${nearCwd(target, cwd)}${size === undefined ? '' : colors.dim(` (${bytes(size)})`)}`,
    );
  const more = effects.length - shown.length;
  return more > 0 ? [...shown, `${paint(word.padEnd(7))} ${colors.dim(`… and ${count(more)} more; --json shows all`)}`] : shown;
};

/** A path below the working directory without it. */
const nearCwd = (target: string, cwd: string): string => {
  if (!isAbsolute(target)) return visible(target);
  const short = relative(cwd, target);
  return visible(short === '' ? '.' : short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short) ? target : short);
};

/** `1 create, 2 read`; effects of nested lists count too. */
export const effectCounts = (result: RunResult): string => {
  const all = outcomesIn(result).flatMap(({ plan }) => plan?.effects ?? []);
  const met = KINDS.flatMap(([kind, word]) => {
    const times = all.filter((effect) => effect.kind === kind).length;
    return times === 0 ? [] : [`${count(times)} ${word}`];
  });
  if (isComplete(result)) return met.length === 0 ? 'no effects' : met.join(', ');
  return `${met.length === 0 ? 'nothing that is known' : met.join(', ')}, and ${MORE_MAY_HAPPEN}`;
};
