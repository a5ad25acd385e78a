// The configuration of the house as an action. Files are read and applied in services/config and app; it reaches actions
// through ctx.services.
import { defineAction, defineFamily } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import { ConfigException } from '../../core/errors.ts';
import { whole } from '../../core/shapes.ts';

const EXAMPLE = `[defaults]
dedup_seconds = 30

[[notify.sinks]]
type = "telegram"
name = "ops"
bot_token = "123:example"
chat_id = "-1001"
`;

const configApply = defineAction({
  name: 'FA_config_apply',
  summary:
    'Takes over the sinks and defaults of a configuration file, in a service the whole file it is configured by; tells how many sinks.',
  args: { path: path('The file: a factotum.toml.', { role: 'reads', wrong: ConfigException }) },
  returns: whole(),
  idempotent: true,
  reserved: true,
  examples: [{ files: { 'factotum.toml': EXAMPLE }, args: { path: 'factotum.toml' }, value: 1 }],
  async run({ files, services }, { path: given }) {
    if (services.config === undefined) throw new ConfigException('This house takes no configuration; run it through factotum serve.');
    return services.config.apply((await files.stat(given))?.path ?? files.absolute(given));
  },
});

export const config = defineFamily({
  name: 'config',
  group: 'system',
  summary: 'The configuration: take a file over while the house runs.',
  actions: [configApply],
});
