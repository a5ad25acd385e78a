import { defineAction } from '../../core/action.ts';
import { flag, integer, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { demandOk } from '../../core/steps-result.ts';
import { outcomes } from './run-result.ts';

interface ParallelArgs {
  readonly action_list: unknown;
  readonly max_workers: number;
  readonly dry_run: boolean;
}

const execute = async ({ runSteps }: Context, { action_list, max_workers, dry_run }: ParallelArgs) => {
  const result = await runSteps(action_list, { mode: 'parallel', maxWorkers: max_workers, dryRun: dry_run });
  return demandOk(result).results;
};

export const executeActionParallel = defineAction({
  name: 'FA_execute_action_parallel',
  summary: 'Runs a nested list with several commands at once; they must not depend on each other.',
  args: {
    action_list: steps('The commands.'),
    max_workers: integer('How many run at once.', { default: 4, min: 1 }),
    dry_run: flag('Only tell what they would do.', { default: false }),
  },
  returns: outcomes,
  tellsSteps: true,
  examples: [
    {
      args: {
        action_list: [
          ['FA_create_file', { file_path: 'a.txt', content: '1' }],
          ['FA_create_file', { file_path: 'b.txt', content: '2' }],
        ],
        max_workers: 2,
      },
      leaves: { 'a.txt': '1', 'b.txt': '2' },
    },
  ],
  plan: execute,
  run: execute,
});
