import { Argument, type Command } from 'commander';
import type { ConnectionReport } from '../../app/command-line/connections.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';
import { watchForInterrupt } from '../terminal/interrupt.ts';
import { count } from '../terminal/units.ts';

interface ConnectionFlags {
  readonly write?: true;
  readonly at?: string;
}

/** `factotum connections`. */
export const connections = defineCommand({
  name: 'connections',
  describe(parser, cli) {
    parser
      .description('Lists the connections of the configuration, or tests one of them. Secrets are never shown.')
      .addArgument(new Argument('[what]', 'One of list, test; list by default.').choices(Object.keys(PARTS)))
      .argument('[name]', 'With `test`: the name of the connection.')
      .option('--write', 'With `test`: also put a small file there, read it back and remove it.')
      .option('--at <path>', 'With `test`: the directory to look at and to write to; for S3 and Azure it begins with a bucket.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the answer as JSON.');
    addExamples(parser, [
      ['factotum connections', 'what locations can name'],
      ['factotum connections test nas', 'connects, lists, and says what the server can do'],
      ['factotum connections test backup --write --at my-bucket/probe', 'also whether it can be written to'],
    ]);
  },
  run: (cli, parser) => (PARTS[parser.args[0] ?? 'list'] ?? list)(cli, parser),
});

const list = async (cli: Cli, parser: Command): Promise<number> => {
  const { config } = await openConfig(cli, parser);
  const { listConnections } = await import('../../app/command-line/connections.ts');
  const all = listConnections(config);
  if (cli.wants.json) showJson(cli, all);
  else if (all.length === 0) cli.out.line('The configuration has no connections; write [connections.NAME] into it.');
  else {
    const width = Math.max(...['NAME', ...all.map(({ name }) => name)].map((name) => name.length));
    const line = (name: string, type: string, where: string) => cli.out.line(`${name.padEnd(width)}  ${type.padEnd(8)}  ${where}`);
    line('NAME', 'TYPE', 'WHERE');
    for (const { name, type, where } of all) line(name, type, visible(where));
  }
  return EXIT.ok;
};

const test = async (cli: Cli, parser: Command): Promise<number> => {
  const [, name] = parser.args;
  const { write = false, at = '' } = parser.opts<ConnectionFlags>();
  if (name === undefined) throw usageFault('Name the connection to test.', 'factotum connections test NAME');
  const loaded = await openConfig(cli, parser);
  const { testConnection } = await import('../../app/command-line/connections.ts');
  using interrupt = watchForInterrupt(cli.err);
  const report = await testConnection(loaded, name, { env: cli.env, signal: interrupt.signal, at, writes: write });
  if (cli.wants.json) showJson(cli, report);
  else show(cli, report);
  return EXIT.ok;
};

const PARTS: Readonly<Record<string, (cli: Cli, parser: Command) => Promise<number>>> = { list, test };

const show = ({ out, symbols }: Cli, { name, type, where, listed, probe, can }: ConnectionReport): void => {
  const good = out.colors.green(symbols.good);
  out.line(`${good} ${name} reaches ${type} at ${visible(where)}.`);
  out.line(
    `${good} ${visible(listed.location)} has ${count(listed.entries)} ${listed.entries === 1 ? 'entry' : 'entries'}${listed.isCut ? ' and more' : ''}.`,
  );
  if (probe !== undefined)
    out.line(`${good} ${visible(probe.location)} was written, read and removed; it was verified by ${probe.verified}.`);
  const lines: readonly (readonly [string, string])[] = [
    ['reading from any offset', yes(can.ranges)],
    ['setting times', yes(can.times)],
    ['digests of files', can.digests.length === 0 ? 'none' : can.digests.join(', ')],
    ['large files in parts', yes(can.parts)],
    ['refusing to replace', yes(can.exclusive_writes)],
    ['directories', can.directories === 'real' ? 'of their own' : 'as long as something is in them'],
    ['copying by itself', yes(can.copies)],
    ['moving by itself', yes(can.moves)],
  ];
  for (const [what, answer] of lines) out.line(`  ${what.padEnd(24)} ${answer}`);
};

const yes = (is: boolean): string => (is ? 'yes' : 'no');
