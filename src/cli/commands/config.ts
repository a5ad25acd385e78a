import { Argument, type Command } from 'commander';
import { ConfigException, type Json } from '../../core/errors.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';

/** `factotum config`. */
export const config = defineCommand({
  name: 'config',
  describe(parser, cli) {
    parser
      .description('Checks the configuration, shows it with all defaults and no secrets, or prints its JSON Schema.')
      .addArgument(new Argument('<what>', 'One of check, show, schema.').choices(Object.keys(PARTS)));
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the result as JSON.');
    addExamples(parser, [
      ['factotum config check', 'exits with 2 when something is wrong'],
      ['factotum config show --json', 'what counts in the end, for a program'],
      ['factotum config schema > factotum.schema.json', 'for an editor'],
    ]);
  },
  run: (cli, parser) => (PARTS[parser.args[0] ?? ''] ?? check)(cli, parser),
});

const check = async (cli: Cli, parser: Command): Promise<number> => {
  const { out, symbols, wants } = cli;
  try {
    const loaded = await openConfig(cli, parser);
    const broken: string[] = [];
    const fault = await (await import('../../app/command-line/check-lists-here.ts')).checkListsHere(loaded, {
      env: cli.env,
      warn: (message) => broken.push(message),
    });
    if (fault !== undefined) throw fault;
    const warnings = [...loaded.warnings(), ...broken];
    const path = loaded.path ?? null;
    if (wants.json) showJson(cli, { ok: true, path, faults: [], warnings });
    else {
      for (const warning of warnings) out.line(`${out.colors.yellow(symbols.warn)} ${visible(warning)}`);
      const what = path === null ? 'There is no configuration file; defaults hold.' : `${visible(path)}: nothing wrong.`;
      out.line(`${out.colors.green(symbols.good)} ${what}`);
    }
    return EXIT.ok;
  } catch (fault) {
    if (!(fault instanceof ConfigException)) throw fault;
    const faults = faultsOf(fault);
    if (wants.json) showJson(cli, { ok: false, path: fault.context.path ?? null, faults, warnings: [] });
    else if (faults.length < 2)
      throw fault; // shown with its line
    else for (const { place, message } of faults) out.line(`${out.colors.red(symbols.bad)} ${place}: ${message}`);
    return EXIT.usage;
  }
};

const show = async (cli: Cli, parser: Command): Promise<number> => {
  const loaded = await openConfig(cli, parser);
  if (cli.wants.json) showJson(cli, loaded.shown());
  else {
    const { stringify } = await import('smol-toml');
    cli.out.line(`# ${loaded.path === undefined ? 'No configuration file; defaults' : visible(loaded.path)}\n`);
    cli.out.write(stringify(loaded.shown()));
  }
  return EXIT.ok;
};

const schema = async (cli: Cli): Promise<number> => {
  const { configSchema } = await import('../../app/config/load-config.ts');
  cli.out.line(JSON.stringify(await configSchema(), null, 2));
  return EXIT.ok;
};

const PARTS: Readonly<Record<string, (cli: Cli, parser: Command) => Promise<number>>> = { check, show, schema };

interface Fault {
  readonly place: string;
  readonly message: string;
}

const faultsOf = ({ message, context: { faults, path } }: ConfigException): readonly Fault[] =>
  Array.isArray(faults) ? faults.filter(isFault) : [{ place: typeof path === 'string' ? path : '', message }];

const isFault = (value: Json): value is { readonly [key: string]: Json } & Fault =>
  typeof value === 'object' && value !== null && 'place' in value && 'message' in value;
