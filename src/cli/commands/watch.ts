import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { Probed } from '../../app/command-line/watchers.ts';
import type { WatcherSnapshot } from '../../core/ports/watchers.ts';
import { translate } from '../../lib/fs/faults.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';

/** `factotum watch`. */
export const watch = defineCommand({
  name: 'watch',
  describe(parser, cli) {
    parser
      .description('Lists the watchers, or tests whether the system tells of changes in a directory.')
      .addArgument(new Argument('[what]', 'One of list, test.').choices(Object.keys(PARTS)).default('list'))
      .argument('[dir]', 'With `test`: the directory.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the answer as JSON.');
    addExamples(parser, [
      ['factotum watch', 'all watchers of the store and the configuration'],
      ['factotum watch test /srv/inbox', 'writes a file there, waits for the system to tell of it, and removes it'],
    ]);
  },
  run: (cli, parser) => (PARTS[String(parser.processedArgs[0])] ?? list)(cli, parser),
});

type Part = (cli: Cli, parser: Command) => Promise<number>;

const list: Part = async (cli, parser) => {
  const { config } = await openConfig(cli, parser);
  const { listWatchersOfUser } = await import('../../app/command-line/watchers.ts');
  const watchers = await listWatchersOfUser(config, cli.env);
  if (cli.wants.json) showJson(cli, watchers);
  else if (watchers.length === 0) cli.out.line('There are no watchers; add one to [[watchers]], or with FA_watch_start.');
  else showWatchers(cli, watchers);
  return EXIT.ok;
};

const test: Part = async (cli, parser) => {
  const [, dir] = parser.args;
  if (dir === undefined) throw usageFault('DIR is missing: factotum watch test DIR.', 'factotum watch --help');
  const { probeForWatchers } = await import('../../app/command-line/watchers.ts');
  const path = resolve(dir);
  const probed = await probeForWatchers(path).catch((fault: unknown) => {
    throw translate(fault, { path, missing: 'directory' });
  });
  if (cli.wants.json) showJson(cli, probed);
  else showProbed(cli, probed);
  return probed.latency_ms === null ? EXIT.failed : EXIT.ok;
};

const PARTS: Readonly<Record<string, Part>> = { list, test };

const showProbed = ({ out, symbols }: Cli, { path, latency_ms, is_network_mount, message }: Probed): void => {
  const { green, red, yellow } = out.colors;
  if (latency_ms === null) out.line(`${red(symbols.bad)} ${visible(path)}: ${message}`);
  else out.line(`${green(symbols.good)} ${visible(path)}: a new file was told after ${latency_ms} ms.`);
  if (is_network_mount) {
    out.line(`${yellow(symbols.warn)} It is a network mount: watchers look regularly, because other machines change it without a word.`);
  }
};

const showWatchers = ({ out }: Cli, watchers: readonly WatcherSnapshot[]): void => {
  const { bold, cyan, dim } = out.colors;
  const rows = watchers.map(({ name, path, events, recursive, running, actions }) => [
    visible(name),
    visible(recursive ? path : `${path} (not below)`),
    events.join(', '),
    `${actions} command${actions === 1 ? '' : 's'}${running ? '' : ', off'}`,
  ]);
  const table = [['WATCHER', 'PATH', 'EVENTS', 'LIST'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const [at, row] of table.entries()) {
    const [name = '', ...others] = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const line = others.join('  ').trimEnd();
    out.line(at === 0 ? bold(`${name}  ${line}`) : `${cyan(name)}  ${dim(line)}`);
  }
};
