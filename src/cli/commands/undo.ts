import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { demandRun, openHistoryOf } from '../history-option.ts';
import { addExamples, addJsonOption, addQuietOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';
import { showUndo } from '../show/show-undo.ts';

/** `factotum undo`. */
export const undo = defineCommand({
  name: 'undo',
  describe(parser, cli) {
    parser
      .description('Takes back what a run changed on this machine. What somebody has changed since is left alone and named.')
      .argument('<run>', 'The id of the run.');
    parser.option('--forget', 'Do not undo it, now or ever: give back the space of the old files that are kept of it.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the result as JSON.');
    addQuietOption(parser, cli, 'Print only what cannot be undone.');
    addExamples(parser, [
      ['factotum runs', 'find the run'],
      ['factotum undo 0199e2c1-7b1c-7000-8000-000000000000', 'take its changes back, the latest first'],
      ['factotum undo --forget 0199e2c1-7b1c-7000-8000-000000000000', 'free what is kept of it'],
    ]);
  },
  async run(cli, parser) {
    const [runId = ''] = parser.args;
    await using history = await openHistoryOf(cli, parser);
    await demandRun(history.store, runId);
    if (!parser.opts<{ forget?: boolean }>().forget) return showUndo(cli, await history.undo(runId));
    await history.forget(runId);
    if (cli.wants.json) showJson(cli, { run_id: runId, forgotten: true });
    else if (!cli.wants.quiet) cli.out.line('It can no longer be undone; the space of what was kept of it is free.');
    return EXIT.ok;
  },
});
