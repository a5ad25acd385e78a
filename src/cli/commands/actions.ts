import type { Instance } from '../../app/instance/instance.ts';
import { describeAction } from '../../core/describe.ts';
import type { Ready } from '../../core/ready.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import { actionParser, execCallOf } from '../action/action-parser.ts';
import { findAction } from '../action/find-action.ts';
import type { Cli } from '../cli.ts';
import { actionCandidates } from '../completion/candidates.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { type HouseOptions, withHouse } from '../house.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';

interface ActionsFlags extends HouseOptions {
  readonly family?: string;
  readonly search?: readonly string[];
}

/** `factotum actions`. */
export const actions = defineCommand({
  name: 'actions',
  describe(parser, cli) {
    parser
      .description('Lists all actions by family, or explains one.')
      .argument('[name]', 'The action to explain; FA_ may be left out.')
      .option('--family <name>', 'Only those of a family or group.')
      .option('--search <words...>', 'Only those that all these words speak of.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the definitions as JSON, with schemas and examples.');
    addExamples(parser, [
      ['factotum actions', 'all of them'],
      ['factotum actions --search copy tree', 'those about copying trees'],
      ['factotum actions copy_file --json', 'one definition, for a program'],
    ]);
  },
  run: (cli, parser) => {
    const [name] = parser.args;
    const flags = parser.opts<ActionsFlags>();
    if (name !== undefined && (flags.family !== undefined || flags.search !== undefined)) {
      throw usageFault('A name and a filter do not go together; leave one out.', 'factotum actions --help');
    }
    return withHouse(cli, ({ factotum }) => (name === undefined ? showMany(cli, factotum, flags) : showOne(cli, factotum, name)), flags);
  },
  candidates: (cli) => withHouse(cli, async ({ factotum }) => actionCandidates(factotum.registry, '')),
});

const showOne = async (cli: Cli, { registry }: Instance, name: string): Promise<number> => {
  const ready = await findAction(name, registry);
  if (cli.wants.json) showJson(cli, describeAction(ready));
  else {
    const { about, action } = ready;
    actionParser(execCallOf(ready), cli).outputHelp();
    cli.out.line(
      `\nFamily: ${about.family}. Effects: ${about.effects.join(', ') || 'none'}.${action.idempotent === true ? ' Running it again is harmless.' : ''}`,
    );
  }
  return EXIT.ok;
};

const showMany = async (cli: Cli, { registry }: Instance, { family, search }: ActionsFlags): Promise<number> => {
  const names = registry.names();
  await registry.load(names);
  const all = names.flatMap((name) => registry.resolve(name) ?? []);
  const found = all.filter((ready) => (family === undefined || isOf(ready, family)) && (search === undefined || speaksOf(ready, search)));
  if (family !== undefined && !all.some((ready) => isOf(ready, family))) {
    const families = [...new Set(all.flatMap(({ about }) => [about.family, about.group]))].sort();
    throw usageFault(
      `There is no family called ${JSON.stringify(family)}${didYouMean(family, families) || `; there are ${families.join(', ')}.`}`,
    );
  }
  if (cli.wants.json) showJson(cli, found.map(describeAction));
  else if (found.length === 0) cli.err.line('No action speaks of that; try fewer or other words.');
  else showFamilies(cli, found);
  return found.length === 0 ? EXIT.failed : EXIT.ok;
};

const isOf = ({ about }: Ready, family: string): boolean => about.family === family || about.group === family;

/** Words are looked for in everything that is said of an action, in any case; `copying` finds `copy` no more than `grep` would. */
const speaksOf = ({ about, action, keys, args }: Ready, words: readonly string[]): boolean => {
  const said = [about.name, about.family, about.group, action.summary, ...keys, ...args.map(({ description }) => description)]
    .join('\n')
    .toLowerCase();
  return words.flatMap((word) => word.toLowerCase().split(/\s+/)).every((word) => said.includes(word));
};

const showFamilies = ({ out }: Cli, found: readonly Ready[]) => {
  const { bold, cyan, dim } = out.colors;
  const width = Math.max(...found.map(({ about }) => about.name.length));
  for (const family of [...new Set(found.map(({ about }) => about.family))].sort()) {
    const members = found.filter(({ about }) => about.family === family);
    out.line(bold(family));
    for (const { about, action } of members)
      out.line(`  ${cyan(about.name.padEnd(width))}  ${action.summary}${action.deprecated === undefined ? '' : dim(' (deprecated)')}`);
    out.line();
  }
  out.line(dim(`${found.length} ${found.length === 1 ? 'action' : 'actions'}; factotum exec NAME --help tells more.`));
};
