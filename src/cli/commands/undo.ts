import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { openHistoryOf } from '../history-option.ts';
import { addExamples, addJsonOption, addQuietOption } from '../parser.ts';
import { showUndo } from '../show/show-undo.ts';

/** `factotum undo`. */
export const undo = defineCommand({
  name: 'undo',
  describe(parser, cli) {
    parser
      .description('Takes back what a run changed on this machine. What somebody has changed since is left alone and named.')
      .argument('<run>', 'The id of the run.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the result as JSON.');
    addQuietOption(parser, cli, 'Print only what cannot be undone.');
    addExamples(parser, [
      ['factotum runs', 'find the run'],
      ['factotum undo 0199e2c1-7b1c-7000-8000-000000000000', 'take its changes back, the latest first'],
    ]);
  },
  async run(cli, parser) {
    const [runId = ''] = parser.args;
    await using history = await openHistoryOf(cli, parser);
    return showUndo(cli, await history.undo(runId));
  },
});
