import { defineAction } from '../../core/action.ts';
import { number, steps, text } from '../../core/args.ts';
import { demandOk, runResult } from '../../core/steps-result.ts';
import { freeName, limitsOf } from './limits.ts';

export const withRateLimit = defineAction({
  name: 'FA_with_rate_limit',
  summary: 'Runs a list after taking tokens from a bucket, so that it does not run too often.',
  args: {
    name: text('The bucket; all lists that name it share its tokens.', { minLength: 1, maxLength: 256 }),
    actions: steps('The commands.'),
    rate: number('Tokens that come back each second.', { default: 1, above: 0 }),
    burst: number('Most tokens the bucket holds; null: as many as `rate`.', { default: null, above: 0 }),
    tokens: number('Tokens this list takes.', { default: 1, above: 0 }),
    timeout: number('Seconds to wait for tokens; null: as long as it takes; 0: not at all.', { default: null, min: 0 }),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [
    {
      args: { name: 'mails', actions: [['FA_create_file', { file_path: 'a.txt', content: '1' }]], rate: 5 },
      leaves: { 'a.txt': '1' },
    },
  ],
  plan: async (ctx, { actions }) => demandOk(await ctx.runSteps(actions)),
  async run(ctx, { name, actions, rate, burst, tokens, timeout }) {
    await limitsOf(ctx).takeTokens(freeName(ctx, name), { rate, burst }, { tokens, timeoutS: timeout, signal: ctx.signal });
    return demandOk(await ctx.runSteps(actions));
  },
});
