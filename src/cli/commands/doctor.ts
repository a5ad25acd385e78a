import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { knownLeft } from '../../app/command-line/known-left.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { buildDefaultRegistry } from '../../app/default-registry.ts';
import { listPlugins } from '../../app/plugins.ts';
import { examineUserStore, userStoreFile } from '../../app/state/user-store.ts';
import { ConfigException, FileAutomationException } from '../../core/errors.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { openHistoryOf } from '../history-option.ts';
import { addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';
import { showsUnicode } from '../terminal/symbols.ts';
import { count } from '../terminal/units.ts';

/** One thing that was looked at. `warn` is worth knowing, `bad` has to be mended. */
interface Finding {
  readonly status: 'good' | 'warn' | 'bad';
  readonly about: string;
  readonly message: string;
}

/** `factotum doctor`. */
export const doctor = defineCommand({
  name: 'doctor',
  describe(parser, cli) {
    parser
      .description('Checks what this machine offers and lacks. Exits with 1 when something has to be mended.')
      .argument('[directories...]', 'With --clean: where to look besides, at every depth.')
      .option('--clean', 'Remove temporary files that killed processes left behind, and old files of runs that nobody knows.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the findings as JSON.');
  },
  async run(cli, parser) {
    const loaded = await openConfig(cli, parser).catch(configFault);
    const config = loaded instanceof ConfigException ? undefined : loaded.config;
    const findings = [
      node(),
      registry(),
      folder('state', dirname(userStoreFile(config?.store ?? {}, cli.env))),
      store(config, cli),
      configuration(loaded),
      folder('temporary files', tmpdir()),
      codeCache(),
      encoding(cli),
      ...tools(cli),
      ...(await plugins()),
      servers(config),
      await leftovers(cli, parser, config),
    ];
    const isWell = findings.every(({ status }) => status !== 'bad');
    if (cli.wants.json) showJson(cli, { ok: isWell, version: cli.version, findings });
    else show(cli, findings, isWell);
    return isWell ? EXIT.ok : EXIT.failed;
  },
});

const LEAST_NODE = [20, 15] as const;

const node = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return isOld
    ? { status: 'bad', about: 'Node.js', message: `${process.version} is too old; install ${LEAST_NODE.join('.')} or newer.` }
    : { status: 'good', about: 'Node.js', message: `${process.version} at ${process.execPath}` };
};

const registry = (): Finding => ({ status: 'good', about: 'actions', message: `${buildDefaultRegistry().names().length} are installed` });

const configFault = (fault: unknown): ConfigException => {
  if (fault instanceof ConfigException) return fault;
  throw fault;
};

const configuration = (loaded: LoadedConfig | ConfigException): Finding => {
  const about = 'configuration';
  if (loaded instanceof ConfigException) return { status: 'bad', about, message: visible(loaded.message) };
  const [warning] = loaded.warnings();
  if (warning !== undefined) return { status: 'warn', about, message: visible(warning) };
  return { status: 'good', about, message: loaded.path === undefined ? 'there is no file; defaults hold' : visible(loaded.path) };
};

const folder = (about: string, path: string): Finding =>
  isWritable(path)
    ? { status: 'good', about, message: existsSync(path) ? path : `${path} can be created` }
    : { status: 'bad', about, message: `${path} cannot be written; give this user the right to, or point the environment elsewhere.` };

/** Whether runs can be recorded, queued and undone. */
const store = (config: LoadedConfig['config'] | undefined, { env }: Cli): Finding => {
  const about = 'store';
  try {
    examineUserStore(config?.store ?? {}, env);
    return { status: 'good', about, message: 'can be used' };
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault;
    return { status: 'bad', about, message: visible(fault.message) };
  }
};

/** Whether a folder can be written, or created below the nearest one that is there. */
const isWritable = (path: string): boolean => {
  if (!existsSync(path)) return dirname(path) !== path && isWritable(dirname(path));
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const codeCache = (): Finding => {
  const path = fileURLToPath(new URL('bin/cache', import.meta.url));
  const about = 'start-up cache';
  if (existsSync(join(path, `${process.version}-${process.arch}`))) return { status: 'good', about, message: path };
  return isWritable(path)
    ? { status: 'good', about, message: `${path} is written by the first command that runs` }
    : { status: 'warn', about, message: 'commands start slower than they could: run one as the user who installed factotum, once.' };
};

const encoding = ({ env }: Cli): Finding =>
  showsUnicode(env)
    ? { status: 'good', about: 'encoding', message: 'UTF-8' }
    : { status: 'warn', about: 'encoding', message: 'the locale is not UTF-8, so signs are shown in ASCII; set LANG=C.UTF-8.' };

const TOOLS: readonly (readonly [program: string, use: string])[] = [
  ['xz', 'to write .xz archives'],
  ['bzip2', 'to write .bz2 archives'],
  ['locate', 'to find files by an index'],
];

const tools = ({ env }: Cli): Finding[] =>
  TOOLS.map(([program, use]) => {
    const path = (env.PATH ?? '')
      .split(delimiter)
      .map((dir) => join(dir, program))
      .find(isProgram);
    return path === undefined
      ? { status: 'warn', about: program, message: `is not on the PATH; install it ${use}.` }
      : { status: 'good', about: program, message: path };
  });

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Their code is not run here: only where they are and what they are called. */
const plugins = async (): Promise<Finding[]> =>
  (await listPlugins()).map(({ package: name, version, path }) => ({
    status: 'good',
    about: 'plugin',
    message: `${name}${version === null ? '' : ` ${version}`} at ${path}, which runs with all your rights`,
  }));

const servers = (config: LoadedConfig['config'] | undefined): Finding =>
  config !== undefined && (config.server.shared_secret !== undefined || config.tokens.length > 0)
    ? { status: 'good', about: 'servers', message: 'ask for a secret' }
    : {
        status: 'warn',
        about: 'servers',
        message: 'without a shared secret every user of this machine may run actions through a server of yours; set one.',
      };

/** What killed processes left: told, or removed where that is wanted. */
const leftovers = async (cli: Cli, parser: Command, config: LoadedConfig['config'] | undefined): Promise<Finding> => {
  const about = 'leftovers';
  const { clean = false } = parser.opts<{ clean?: boolean }>();
  if (!clean) {
    const places = knownLeft();
    return places === 0
      ? { status: 'good', about, message: 'no killed process is known to have left temporary files' }
      : { status: 'warn', about, message: `killed processes have worked in ${count(places)} places; run factotum doctor --clean.` };
  }
  if (config === undefined) return { status: 'bad', about, message: 'nothing is removed as long as the configuration is broken.' };
  await using history = await openHistoryOf(cli, parser);
  const { temporary, orphans } = await history.tidy(parser.args);
  return {
    status: 'good',
    about,
    message: `${count(temporary)} temporary ${temporary === 1 ? 'file' : 'files'} and the old files of ${count(orphans)} ${orphans === 1 ? 'run' : 'runs'} are removed`,
  };
};

const show = ({ out, symbols, version }: Cli, findings: readonly Finding[], isWell: boolean) => {
  const { bold, dim, green, red, yellow } = out.colors;
  const paint = { good: green, warn: yellow, bad: red };
  const width = Math.max(...findings.map(({ about }) => about.length));
  const signWidth = Math.max(symbols.good.length, symbols.warn.length, symbols.bad.length);
  out.line(dim(`factotum ${version}`));
  for (const { status, about, message } of findings)
    out.line(`${paint[status](symbols[status].padEnd(signWidth))} ${about.padEnd(width)}  ${message}`);
  out.line(bold(isWell ? green('Everything that is needed is here.') : red('Something has to be mended.')));
};
