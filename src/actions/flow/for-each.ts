import { defineAction } from '../../core/action.ts';
import { flag, integer, list, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { RunResult } from '../../core/result.ts';
import * as shapes from '../../core/shapes.ts';
import { addUp, demandOk, isAddedUp, runResult } from '../../core/steps-result.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';

interface ForEachArgs {
  readonly items: readonly unknown[];
  readonly actions: unknown;
  readonly max_workers: number;
  readonly stop_on_error: boolean;
}

const forEach = async (
  { runSteps, signal }: Context,
  { items, actions, max_workers, stop_on_error }: ForEachArgs,
): Promise<RunResult[]> => {
  let stopped = false;
  let rest: RunResult | undefined;
  const results: RunResult[] = [];
  await boundedMap(items, max_workers, async (item, index) => {
    if (stopped) return;
    signal.throwIfAborted();
    const result = await runSteps(actions, {
      at: index,
      isOneOfMany: true,
      named: new Map<string, unknown>([
        ['item', item],
        ['index', index],
      ]),
    });
    stopped ||= stop_on_error && !result.ok;
    if (isAddedUp(result)) rest = addUp(rest, result);
    else results[index] = result;
  });
  const shown = results.filter((result) => result !== undefined);
  for (const result of shown) demandOk(result);
  return rest === undefined ? shown : [...shown, rest];
};

export const forEachAction = defineAction({
  name: 'FA_for_each',
  summary: 'Runs a list once for each item; `${item}` and `${index}` stand for it inside.',
  args: {
    items: list('The items.', shapes.json()),
    actions: steps('The commands to run for each.', { names: ['item', 'index'] }),
    max_workers: integer('How many items at once.', { default: 1, min: 1 }),
    stop_on_error: flag('Begin no further item after one that failed.', { default: false }),
  },
  returns: shapes.list(runResult),
  tellsSteps: true,
  examples: [
    {
      args: { items: ['a', 'b'], actions: [['FA_create_file', { file_path: '${item}.txt', content: 'number ${index}' }]] },
      leaves: { 'a.txt': 'number 0', 'b.txt': 'number 1' },
    },
  ],
  plan: (ctx, args) => forEach(ctx, { ...args, max_workers: 1 }), // planning is one at a time
  run: forEach,
});
