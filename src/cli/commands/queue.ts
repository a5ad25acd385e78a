import { Argument, type Command } from 'commander';
import type { History, Run, ShownRun } from '../../app/command-line/history.ts';
import { QueueException } from '../../core/errors.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { demandRun, noRun, openHistoryOf } from '../history-option.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { aboutLine, argumentsLine, showRecord, showRuns } from '../show/show-history.ts';
import { showJson } from '../show/show-run.ts';

/** What can be said of a command of which nobody knows whether it took effect. */
const VERDICTS = ['done', 'retry', 'fail'] as const;
type Verdict = (typeof VERDICTS)[number];

interface QueueFlags {
  readonly all?: true;
  readonly command?: string;
}

/** `factotum queue`. */
export const queue = defineCommand({
  name: 'queue',
  describe(parser, cli) {
    parser
      .description(
        'Lists what waits, runs or needs a verdict, and what was given up; has that tried again, or judges what a crash left open.',
      )
      .addArgument(new Argument('[what]', 'One of list, dead, redrive, judge; list by default.').choices(Object.keys(PARTS)))
      .argument('[run]', 'The id of the run, for redrive and judge.')
      .addArgument(new Argument('[verdict]', 'With `judge`: the command is done, is to be tried again, or has failed.').choices(VERDICTS))
      .option('--all', 'With `redrive`: everything that was given up.')
      .option('--command <n>', 'With `judge`: which command, where several wait; its index.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the answer as JSON.');
    addExamples(parser, [
      ['factotum queue', 'what there is to do'],
      ['factotum queue dead', 'what was given up, and why'],
      ['factotum queue redrive --all', 'try all of that again'],
      ['factotum queue judge RUN done', 'go on behind the command that was cut short'],
    ]);
  },
  async run(cli, parser) {
    const [what = 'list'] = parser.args;
    await using history = await openHistoryOf(cli, parser);
    await (PARTS[what] ?? list)(cli, history, parser);
    return EXIT.ok;
  },
});

type Part = (cli: Cli, history: History, parser: Command) => Promise<void>;

/** More are hardly looked through by eye. */
const MOST_SHOWN = 1000;

const list: Part = async (cli, { store }) =>
  showRuns(cli, (await store.runs({ states: ['queued', 'running', 'indeterminate'], limit: MOST_SHOWN })).items);

const dead: Part = async (cli, { store }) => {
  const { items } = await store.deadLetters({ limit: MOST_SHOWN });
  showRuns(cli, items, { withErrors: true });
};

const redrive: Part = async (cli, { store }, parser) => {
  const [, runId] = parser.args;
  const { all } = parser.opts<QueueFlags>();
  if ((runId === undefined) === (all === undefined)) throw usageFault('Name one run, or take --all.', 'factotum queue --help');
  const { isLeftByCommand } = await import('../../app/command-line/history.ts');
  const run = runId === undefined ? null : await demandRun(store, runId);
  if (run !== null && isLeftByCommand(run)) throw resumeInstead(run.runId);
  const queued = await store.redrive(
    runId === undefined ? (await allDead(store)).filter((each) => !isLeftByCommand(each)).map(idOf) : [runId],
  );
  if (runId !== undefined && queued.length === 0) throw notDead(runId);
  if (cli.wants.json) showJson(cli, queued);
  else cli.out.line(queued.length === 1 ? `Queued again as ${queued[0]}.` : `${queued.length} runs are queued again.`);
};

const idOf = ({ runId }: Run): string => runId;

const allDead = async (store: History['store']): Promise<readonly Run[]> => {
  const runs: Run[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.deadLetters({ limit: MOST_SHOWN, ...(cursor !== undefined && { cursor }) });
    runs.push(...page.items);
    cursor = page.cursor;
  }
  return runs;
};

const judge: Part = async (cli, { store }, parser) => {
  const [, runId, verdict] = parser.args;
  const run = runId === undefined ? null : await store.run(runId);
  if (run !== null && verdict === undefined && !cli.wants.json) showRecord(cli, run); // who is to judge has to know what
  if (runId === undefined || verdict === undefined)
    throw usageFault('RUN and VERDICT are needed: factotum queue judge RUN done|retry|fail.', 'factotum queue --help');
  if (run === null) throw noRun(runId);
  const index = commandIn(run, parser.opts<QueueFlags>().command);
  await store.verdict(runId, index, verdict as Verdict); // one of the choices
  const { isLeftByCommand } = await import('../../app/command-line/history.ts');
  const isOpen = (await store.run(runId))?.state === 'indeterminate';
  const isOurs = !isOpen && isLeftByCommand(run);
  if (isOurs) await store.cancel(runId); // no service goes on with it
  const judged = run.commands.find((command) => command.index === index);
  if (cli.wants.json) {
    const { action, arguments: given } = judged ?? {};
    showJson(cli, {
      run_id: runId,
      command: index,
      action,
      arguments: given,
      ...run.named,
      verdict,
      state: (await store.run(runId))?.state,
    });
    return;
  }
  if (judged !== undefined) cli.out.line(judgedLine(run, judged, verdict));
  if (isOpen) cli.out.line('Other commands of the run wait for a verdict too.');
  else cli.out.line(isOurs ? `Go on with factotum runs resume ${runId}.` : 'The run goes on.');
};

/** What was judged, so that a slip is seen. */
const judgedLine = ({ named }: ShownRun, command: ShownRun['commands'][number], verdict: string): string => {
  const about = Object.values(named).map((each) => ` for ${aboutLine(each)}`);
  const given = command.arguments === undefined ? '' : ` ${argumentsLine(command)}`;
  return `Command ${command.index} (${visible(command.action ?? '?')})${given}${about.join('')}: ${verdict}.`;
};

/** The command that waits for a verdict: the one that was named, or the only one. */
const commandIn = ({ runId, commands }: ShownRun, named: string | undefined): number => {
  const waiting = commands.filter(({ state }) => state === 'indeterminate').map(({ index }) => index);
  const wanted = named === undefined ? waiting : waiting.filter((index) => String(index) === named);
  const [index] = wanted;
  if (index !== undefined && wanted.length === 1) return index;
  if (waiting.length === 0) throw new QueueException(`No command of run ${runId} waits for a verdict; look at it with factotum runs show.`);
  throw usageFault(`Say which command with --command: ${waiting.join(', ')} wait for a verdict.`, 'factotum queue --help');
};

const PARTS: Readonly<Record<string, Part>> = { list, dead, redrive, judge };

const resumeInstead = (runId: string) =>
  new QueueException(`Run ${runId} was resumed at the command line and cut short; go on with factotum runs resume ${runId}.`, {
    context: { run_id: runId },
  });

const notDead = (runId: string) =>
  new QueueException(`Run ${runId} was not given up; factotum queue dead lists those that were.`, { context: { run_id: runId } });
