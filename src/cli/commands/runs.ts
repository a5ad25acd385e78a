import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { History, RunState } from '../../app/command-line/history.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { demandRun, openHistoryOf } from '../history-option.ts';
import { addExamples, addJsonOption, addQuietOption, choiceOption } from '../parser.ts';
import { showRecord, showRuns } from '../show/show-history.ts';
import { showJson, showRun } from '../show/show-run.ts';
import { showUndo } from '../show/show-undo.ts';
import { watchForInterrupt } from '../terminal/interrupt.ts';

interface RunsFlags {
  readonly status?: RunState;
  readonly action?: string;
  readonly caller?: string;
  readonly text?: string;
  readonly since?: number;
  readonly limit: number;
  readonly from?: number | string;
}

const STATES: readonly RunState[] = ['queued', 'running', 'ok', 'failed', 'cancelled', 'dead', 'indeterminate'];

/** `factotum runs`. */
export const runs = defineCommand({
  name: 'runs',
  describe(parser, cli) {
    parser
      .description('Lists runs, newest first; shows, resumes, cancels or undoes one; deletes what is older than the configuration keeps.')
      .addArgument(new Argument('[what]', 'One of list, show, resume, cancel, undo, prune; list by default.').choices(Object.keys(PARTS)))
      .argument('[run]', 'The id of the run, for show, resume, cancel and undo.')
      .addOption(choiceOption('--status <status>', 'Only runs that stand so.', STATES))
      .option('--action <name>', 'Only runs with this action.')
      .option('--caller <name>', 'Only runs of this caller.')
      .option('--text <words>', 'Only runs whose list or name has these words.')
      .option('--since <time>', 'Only runs from this time on, as 2026-01-31T12:00:00Z.', moment)
      .option('--limit <n>', 'How many to list; 20 by default.', limit, 20)
      .option('--from <command>', 'Where to resume: the index of a command or the id of a node.', place);
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the answer as JSON.');
    addQuietOption(parser, cli, 'Print only what went wrong.');
    addExamples(parser, [
      ['factotum runs --status failed', 'what went wrong lately'],
      ['factotum runs show RUN', 'every command of one run'],
      ['factotum runs resume RUN', 'run what has not ended well'],
    ]);
  },
  async run(cli, parser) {
    const [what = 'list', runId] = parser.args;
    const part = PARTS[what] ?? list;
    if (runId === undefined && NEEDS_RUN.has(what)) throw usageFault(`RUN is missing: which one to ${what}?`, `${parser.name()} --help`);
    await using history = await openHistoryOf(cli, parser);
    return await part(cli, history, { runId: runId ?? '', flags: parser.opts<RunsFlags>(), parser });
  },
});

interface Asked {
  readonly runId: string;
  readonly flags: RunsFlags;
  readonly parser: Command;
}

type Part = (cli: Cli, history: History, asked: Asked) => Promise<number>;

const list: Part = async (cli, { store }, { flags: { status, action, caller, text, since, limit: most } }) => {
  const page = await store.runs({
    limit: most,
    ...(status !== undefined && { states: [status] }),
    ...(action !== undefined && { action }),
    ...(caller !== undefined && { caller }),
    ...(text !== undefined && { text }),
    ...(since !== undefined && { since }),
  });
  showRuns(cli, page.items);
  return EXIT.ok;
};

const show: Part = async (cli, { store }, { runId }) => {
  showRecord(cli, await demandRun(store, runId));
  return EXIT.ok;
};

const resume: Part = async (cli, history, { runId, flags: { from } }) => {
  await demandRun(history.store, runId);
  using interrupt = watchForInterrupt(cli.err);
  const result = await history.resume(runId, { signal: interrupt.signal, ...(from !== undefined && { from }) });
  return showRun(cli, { result, wasInterrupted: interrupt.signal.aborted }, () => undefined);
};

const CANCELLED = {
  cancelled: 'It will not run.',
  requested: 'It is told to stop; what cannot stop is waited for.',
  finished: 'It was over already.',
} as const;

const cancel: Part = async (cli, { store }, { runId }) => {
  await demandRun(store, runId);
  const outcome = await store.cancel(runId);
  if (cli.wants.json) showJson(cli, { run_id: runId, outcome });
  else cli.out.line(CANCELLED[outcome]);
  return EXIT.ok;
};

const undo: Part = async (cli, history, { runId }) => {
  await demandRun(history.store, runId);
  return showUndo(cli, await history.undo(runId));
};

const prune: Part = async (cli, history) => {
  const pruned = await history.prune();
  if (cli.wants.json) showJson(cli, pruned);
  else {
    cli.out.line(`${pruned.runs} runs deleted; ${pruned.undo + pruned.orphans} runs can no longer be undone.`);
    if (pruned.temporary > 0)
      cli.out.line(`${pruned.temporary} temporary ${pruned.temporary === 1 ? 'file' : 'files'} of killed processes removed.`);
  }
  return EXIT.ok;
};

const PARTS: Readonly<Record<string, Part>> = { list, show, resume, cancel, undo, prune };
const NEEDS_RUN: ReadonlySet<string> = new Set(['show', 'resume', 'cancel', 'undo']);

const moment = (text: string): number => {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Write a time as 2026-01-31T12:00:00Z.');
  return ms;
};

const limit = (text: string): number => {
  const amount = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (amount < 1 || amount > 1000) throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
  return amount;
};

const place = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);
