// Limits around a nested list: retries, time, bytes, rate limits, breakers. The state of the last two is kept in services/limits.
import { defineAction, defineFamily } from '../../core/action.ts';
import { integer, number, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { runResult } from '../../core/steps-result.ts';
import { circuitReset, circuitState, withCircuitBreaker } from './circuit.ts';
import { limitsList } from './limits-list.ts';
import { withRateLimit } from './rate-limit.ts';
import { demandWithin } from './within.ts';

const createOne = [['FA_create_file', { file_path: 'a.txt', content: '1' }]];

interface RetryArgs {
  readonly actions: unknown;
  readonly max_attempts: number;
  readonly backoff_base: number;
  readonly backoff_cap: number;
}

const retrying = async (ctx: Context, { actions, max_attempts, backoff_base, backoff_cap }: RetryArgs) =>
  demandWithin(
    await ctx.runSteps(actions, { retry: { attempts: max_attempts, backoffS: backoff_base, capS: backoff_cap } }),
    'RetryExhaustedException',
  );

const withRetry = defineAction({
  name: 'FA_with_retry',
  summary: 'Runs a list, repeating a command that fails for a passing reason: connection, timeout, busy device.',
  args: {
    actions: steps('The commands.'),
    max_attempts: integer('How often each command is tried in all.', { default: 3, min: 1 }),
    backoff_base: number(
      'Longest wait in seconds before the second try; doubled for each further one, of which a random share is waited.',
      { default: 0.5, min: 0 },
    ),
    backoff_cap: number('No wait is longer than this.', { default: 8, min: 0 }),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [{ args: { actions: createOne }, leaves: { 'a.txt': '1' } }],
  plan: retrying,
  run: retrying,
});

interface QuotaArgs {
  readonly actions: unknown;
  readonly max_bytes: number;
  readonly max_seconds: number;
}

const rationed = async (ctx: Context, { actions, max_bytes, max_seconds }: QuotaArgs) =>
  demandWithin(await ctx.runSteps(actions, { maxBytes: max_bytes, maxSeconds: max_seconds }), 'QuotaExceededException');

const withQuota = defineAction({
  name: 'FA_with_quota',
  summary: 'Runs a list under a budget of bytes written and seconds taken.',
  args: {
    actions: steps('The commands.'),
    max_bytes: integer('Most bytes written by all of them together; 0 or less: no limit.', { default: 0 }),
    max_seconds: number('Most seconds for all of them together; 0 or less: no limit.', { default: 0 }),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [{ args: { actions: createOne, max_bytes: 1000 }, leaves: { 'a.txt': '1' } }],
  plan: rationed,
  run: rationed,
});

const timed = async (ctx: Context, { actions, seconds }: { readonly actions: unknown; readonly seconds: number }) =>
  demandWithin(await ctx.runSteps(actions, { timeoutS: seconds }), 'TimeoutException');

const withTimeout = defineAction({
  name: 'FA_with_timeout',
  summary: 'Runs a list and stops it after some seconds.',
  args: { actions: steps('The commands.'), seconds: number('How long all of them may take together.', { above: 0 }) },
  returns: runResult,
  tellsSteps: true,
  examples: [{ args: { actions: createOne, seconds: 30 }, leaves: { 'a.txt': '1' } }],
  plan: timed,
  run: timed,
});

export const reliability = defineFamily({
  name: 'reliability',
  group: 'reliability',
  summary: 'Lists under limits: retries, bytes, time, rate, breakers.',
  actions: [withRetry, withQuota, withTimeout, withRateLimit, withCircuitBreaker, circuitState, circuitReset, limitsList],
});
