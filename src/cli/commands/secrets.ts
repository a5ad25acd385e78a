import { Argument } from 'commander';
import { visible } from '../../lib/json/locate.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';

/** `factotum secrets`. */
export const secrets = defineCommand({
  name: 'secrets',
  describe(parser, cli) {
    parser
      .description('Tries every ${env:NAME} and ${file:NAME} of the configuration. Values are never shown.')
      .addArgument(new Argument('<what>', 'check').choices(['check']));
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the references as JSON.');
    addExamples(parser, [['factotum secrets check', 'exits with 2 when one of them leads nowhere']]);
  },
  async run(cli, parser) {
    const { out, symbols, wants } = cli;
    const loaded = await openConfig(cli, parser);
    const references = await loaded.checkReferences();
    const isWell = references.every(({ ok }) => ok);
    if (wants.json) showJson(cli, { ok: isWell, references });
    else {
      const { green, red, yellow } = out.colors;
      for (const { key, reference, ok, message } of references) {
        const sign = !ok ? red(symbols.bad) : message === undefined ? green(symbols.good) : yellow(symbols.warn);
        out.line(`${sign} ${visible(`${key} = ${reference}${message === undefined ? '' : `: ${message}.`}`)}`);
      }
      if (references.length === 0) out.line('The configuration has no references.');
    }
    return isWell ? EXIT.ok : EXIT.usage;
  },
});
