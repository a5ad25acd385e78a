import { defineAction } from '../../core/action.ts';
import { flag, integer, nodes } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { Outcome } from '../../core/result.ts';
import { demandOk } from '../../core/steps-result.ts';
import { nodeValues } from './run-result.ts';

interface DagArgs {
  readonly nodes: readonly unknown[];
  readonly max_workers: number;
  readonly fail_fast: boolean;
}

const execute = async ({ runSteps }: Context, { nodes: graph, max_workers, fail_fast }: DagArgs) => {
  const { results } = demandOk(await runSteps({ nodes: graph }, { maxWorkers: max_workers, failFast: fail_fast }));
  return Object.fromEntries(results.map((outcome) => [outcome.id ?? '', shown(outcome)]));
};

const shown = ({ status, value, reason }: Outcome): unknown => (status === 'skipped' ? `skipped: ${reason ?? ''}` : (value ?? null));

export const executeActionDag = defineAction({
  name: 'FA_execute_action_dag',
  summary: 'Runs commands in the order of their dependencies, independent ones at once.',
  args: {
    nodes: nodes('The nodes: id, action, depends_on, and where wanted retry, timeout_s and run.'),
    max_workers: integer('How many run at once.', { default: 4, min: 1 }),
    fail_fast: flag('Skip what depends on a failed node.', { default: true }),
  },
  returns: nodeValues,
  tellsSteps: true,
  examples: [
    {
      args: {
        nodes: [
          { id: 'write', action: ['FA_create_file', { file_path: 'a.txt', content: '1' }] },
          { id: 'copy', action: ['FA_copy_file', { file_path: 'a.txt', target_path: 'b.txt' }], depends_on: ['write'] },
        ],
      },
      value: { write: null, copy: true },
      leaves: { 'b.txt': '1' },
    },
  ],
  plan: execute,
  run: execute,
});
