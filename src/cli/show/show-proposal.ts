import type { ApprovedPlan } from '../../app/command-line/history.ts';
import { MORE_MAY_HAPPEN } from '../../core/outcomes.ts';

/** What of a plan fits on a screen. */
const MAX_LINES = 20;

/** What a plan would do, line by line, for somebody who is to say yes to it. */
export const proposalLines = ({ summary }: Pick<ApprovedPlan, 'summary'>): readonly string[] => {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return [JSON.stringify(summary)];
  const { name, commands, command_count, effects, effect_counts, complete } = summary as { readonly [key: string]: unknown }; // no list
  const counted = Object.entries(effect_counts ?? {}).map(([kind, count]) => `${count} ${kind}`);
  const count = Number(command_count);
  return [
    ...(typeof name === 'string' ? [JSON.stringify(name)] : []),
    `${count} command${count === 1 ? '' : 's'}: ${counted.join(', ') || (complete === false ? 'nothing that is known' : 'no effect')}${
      complete === false ? `, and ${MORE_MAY_HAPPEN}: part of it depends on answers that only a run gets` : ''
    }`,
    ...shortened(textsIn(commands), count),
    ...shortened(
      textsIn(effects),
      Object.values(effect_counts ?? {}).reduce((sum: number, each) => sum + Number(each), 0),
    ),
  ];
};

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const shortened = (lines: readonly string[], total: number): readonly string[] => {
  const shown = lines.slice(0, MAX_LINES);
  return total > shown.length ? [...shown, `… and ${total - shown.length} more (--json shows up to 100)`] : shown;
};
