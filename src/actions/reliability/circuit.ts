import { defineAction } from '../../core/action.ts';
import { integer, number, steps, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { demandOk, runResult } from '../../core/steps-result.ts';
import { freeName, limitsOf } from './limits.ts';

const breakerName = () => text('The breaker; all lists that name it share its state.', { minLength: 1, maxLength: 256 });

export const withCircuitBreaker = defineAction({
  name: 'FA_with_circuit_breaker',
  summary: 'Runs a list unless it failed too often lately; then it is refused for a while, until a single run has succeeded again.',
  args: {
    name: breakerName(),
    actions: steps('The commands.'),
    failure_threshold: integer('Failures in a row that open the breaker.', { default: 5, min: 1 }),
    recovery_timeout: number('Seconds until one run may try again.', { default: 30, min: 0 }),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [
    {
      args: { name: 'backup', actions: [['FA_create_file', { file_path: 'a.txt', content: '1' }]] },
      leaves: { 'a.txt': '1' },
    },
  ],
  plan: async (ctx, { actions }) => demandOk(await ctx.runSteps(actions)),
  run: (ctx, { name, actions, failure_threshold, recovery_timeout }) =>
    limitsOf(ctx).throughBreaker(freeName(ctx, name), { failureThreshold: failure_threshold, recoveryS: recovery_timeout }, async () =>
      demandOk(await ctx.runSteps(actions)),
    ),
});

export const circuitState = defineAction({
  name: 'FA_circuit_state',
  summary: 'Tells whether a breaker is closed (all goes through), open (nothing does) or half open (one run may try).',
  args: { name: breakerName() },
  returns: shapes.oneOf(['closed', 'open', 'half_open']),
  idempotent: true,
  examples: [{ args: { name: 'backup' }, value: 'closed' }],
  run: (ctx, { name }) => limitsOf(ctx).circuitState(ctx.ownName(name)),
});

export const circuitReset = defineAction({
  name: 'FA_circuit_reset',
  summary: 'Closes a breaker and forgets its failures.',
  args: { name: breakerName() },
  returns: shapes.nothing(),
  idempotent: true,
  changesRuns: true,
  examples: [{ args: { name: 'backup' }, value: null }],
  async run(ctx, { name }) {
    await limitsOf(ctx).resetCircuit(ctx.ownName(name));
    return null;
  },
});
