// The configuration of the house as an action. Files are read and applied in services/config and app; it reaches actions
// through ctx.services.
import { defineAction, defineFamily } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ConfigException } from '../../core/errors.ts';
import type { Configuration } from '../../core/ports/config.ts';
import * as shapes from '../../core/shapes.ts';

const EXAMPLE = `[defaults]
dedup_seconds = 30

[[notify.sinks]]
type = "telegram"
name = "ops"
bot_token = "123:example"
chat_id = "-1001"
`;

const configOf = ({ services }: Context): Configuration => {
  if (services.config !== undefined) return services.config;
  throw new ConfigException('This house takes no configuration; run it through factotum serve.');
};

const configApply = defineAction({
  name: 'FA_config_apply',
  summary:
    'Takes over the sinks and defaults of a configuration file, in a service the whole file it is configured by; tells how many sinks.',
  args: { path: path('The file: a factotum.toml.', { role: 'reads', wrong: ConfigException }) },
  returns: shapes.integer(),
  idempotent: true,
  reserved: true,
  examples: [{ files: { 'factotum.toml': EXAMPLE }, args: { path: 'factotum.toml' }, value: 1 }],
  async plan(ctx, { path: given }) {
    const entry = await ctx.files.stat(given);
    if (entry?.isPlanned) return ctx.notYetKnown(`what ${entry.path} will say`);
    await configOf(ctx).check?.(entry?.path ?? ctx.files.absolute(given));
    await (await ctx.files.open(given))[Symbol.asyncDispose]();
  },
  async run(ctx, { path: given }) {
    return configOf(ctx).apply((await ctx.files.stat(given))?.path ?? ctx.files.absolute(given));
  },
});

export const config = defineFamily({
  name: 'config',
  group: 'system',
  summary: 'The configuration: take a file over while the house runs.',
  actions: [configApply],
});
