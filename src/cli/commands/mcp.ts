import { parse as parsePath } from 'node:path';
import { openOneShot } from '../../app/command-line/one-shot.ts';
import { instanceSettingsOf } from '../../app/config/instance-settings.ts';
import { limitsOf } from '../../app/config/limits-of.ts';
import type { McpOptions } from '../../app/mcp/host-options.ts';
import { grantsOf, type McpFlags, mcpOptionsOf } from '../../app/mcp/options.ts';
import { MCPServer } from '../../app/mcp/server.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { startTidying } from '../house.ts';
import { addExamples } from '../parser.ts';
import { watchForInterrupt } from '../terminal/interrupt.ts';
import { warn } from '../terminal/warn.ts';

/** `factotum mcp`. */
export const mcp = defineCommand({
  name: 'mcp',
  describe(parser) {
    parser
      .description('Offers actions as tools to an assistant that speaks the Model Context Protocol over standard input and output.')
      .option('--root <dir>', 'The directory it may work in; may be repeated. By default the working directory.', gather)
      .option('--toolset <groups>', 'Further tools by group, such as search,text.', gatherWords)
      .option('--all', 'Offer every permitted action as a tool.')
      .option('--compact', 'Offer only the four general tools: run, plan, find, describe.')
      .option('--read-only', 'Let nothing be changed, at any depth.');
    addConfigOption(parser);
    addExamples(parser, [
      ['factotum mcp --root ~/notes', 'twelve tools on the files below ~/notes'],
      ['factotum mcp --root . --read-only --toolset search,text', 'reading and searching only'],
    ]);
  },
  async run(cli, parser) {
    const config = await openConfig(cli, parser);
    const options = mcpOptionsOf(config, { cwd: process.cwd(), flags: parser.opts<McpFlags>() });
    demandNamedRoot(options, parser.opts<McpFlags>());
    const grants = grantsOf(options);
    // A configuration found in the working directory may be somebody else's.
    if (grants.length > 0) cli.err.line(`${config.path ?? 'The environment'} lets the host ${grants.join(' and ')}.`);
    const { store } = config.config;
    // A running service takes in what is left for it, as from any other command.
    const records = openOneShot({
      store,
      env: cli.env,
      versions: { factotum: cli.version },
      cwd: options.roots[0] ?? process.cwd(),
      startTidying,
      warn: (message) => warn(cli, message),
    });
    const server = new MCPServer(null, {
      ...options,
      ...(store.history && { records }),
      ...instanceSettingsOf(config),
      limits: limitsOf(config.config.limits),
      storeFile: store.path,
      log: { level: cli.debug ? 'debug' : 'warn', plans: true, format: config.config.log.format, write: cli.err.line },
    });
    using interrupt = watchForInterrupt(cli.err);
    try {
      await server.serveStdio({ signal: interrupt.signal });
    } finally {
      await server.close();
    }
    return EXIT.ok;
  },
});

const gather = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const gatherWords = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').flatMap((word) => word.trim() || []),
];

/** Without one the server could do nothing, and the whole file system is handed out only by saying so here. */
const demandNamedRoot = ({ roots, readOnlyRoots = [] }: McpOptions, flags: McpFlags) => {
  const here = process.cwd();
  if (flags.root !== undefined || here !== parsePath(here).root) return;
  if (roots.includes(here) || roots.length + readOnlyRoots.length === 0) {
    throw usageFault('The working directory is the whole file system; name the directory to work in with --root.', 'factotum mcp --help');
  }
};
