import { defineAction } from '../../core/action.ts';
import { flag, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { demandOk } from '../../core/steps-result.ts';
import { outcomes } from './run-result.ts';

interface ExecuteArgs {
  readonly action_list: unknown;
  readonly dry_run: boolean;
  readonly validate_first: boolean;
}

const execute = async ({ runSteps }: Context, { action_list, dry_run, validate_first }: ExecuteArgs) => {
  const result = await runSteps(action_list, { dryRun: dry_run, validateFirst: validate_first });
  return demandOk(result).results;
};

export const executeAction = defineAction({
  name: 'FA_execute_action',
  summary: 'Runs a nested list, one command after the other.',
  args: {
    action_list: steps('The commands.'),
    dry_run: flag('Only tell what they would do.', { default: false }),
    validate_first: flag('Check all of them before the first runs.', { default: false }),
    substitute: flag('Accepted for older lists; references are always read.', { default: false }),
  },
  returns: outcomes,
  tellsSteps: true,
  examples: [{ args: { action_list: [['FA_create_file', { file_path: 'a.txt', content: '1' }]] }, leaves: { 'a.txt': '1' } }],
  plan: execute,
  run: execute,
});
