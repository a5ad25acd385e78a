import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { type HouseOptions, withHouse } from '../house.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { readList } from '../read-list.ts';
import { showJson } from '../show/show-run.ts';

/** `factotum validate`. */
export const validate = defineCommand({
  name: 'validate',
  describe(parser, cli) {
    parser
      .description('Checks shape, names and arguments of a list at every depth, and runs nothing. All problems are told at once.')
      .argument('<file>', 'The list: a JSON file, or - for standard input.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the names of the actions, or the problems, as JSON.');
    addExamples(parser, [['factotum validate list.json', 'exits with 0 when the list can be run, else with 2']]);
  },
  async run(cli, parser) {
    const [file = ''] = parser.args;
    const list = await readList(file, cli);
    const names = await withHouse(cli, ({ factotum }) => factotum.validate(list), parser.opts<HouseOptions>());
    if (cli.wants.json) showJson(cli, { ok: true, actions: names });
    else
      cli.out.line(
        `${cli.out.colors.green(cli.symbols.good)} ${names.length} ${names.length === 1 ? 'command' : 'commands'}, nothing wrong.`,
      );
    return EXIT.ok;
  },
});
