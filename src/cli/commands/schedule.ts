import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { SchedulesOfUser } from '../../app/command-line/schedules.ts';
import type { ScheduleSnapshot } from '../../core/ports/scheduler.ts';
import { visible } from '../../lib/json/locate.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption, openConfig } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { showJson } from '../show/show-run.ts';
import { watchForInterrupt } from '../terminal/interrupt.ts';

interface ScheduleFlags {
  readonly count: number;
  readonly drain?: boolean;
}

const MOST_TIMES = 1000;

const countOf = (text: string): number => {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > MOST_TIMES)
    throw new InvalidArgumentError(`Give a number from 1 to ${MOST_TIMES}.`);
  return Number(text);
};

/** `factotum schedule`. */
export const schedule = defineCommand({
  name: 'schedule',
  describe(parser, cli) {
    parser
      .description('Lists the jobs that run at set times, tells when they run next, pauses or resumes them.')
      .addArgument(new Argument('[what]', 'One of list, next, pause, resume.').choices(Object.keys(PARTS)).default('list'))
      .argument('[job]', 'The name of the job.')
      .option('-n, --count <n>', 'How many times `next` tells.', countOf, 5)
      .option('--drain', 'With `pause`: return when no run of the job goes on.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the answer as JSON.');
    addExamples(parser, [
      ['factotum schedule', 'all jobs with their next times'],
      ['factotum schedule next backup -n 20', 'also a job that only stands in the configuration yet'],
      ['factotum schedule pause backup --drain', 'until `factotum schedule resume backup`'],
    ]);
  },
  async run(cli, parser) {
    const { config } = await openConfig(cli, parser);
    const { openSchedulesOfUser } = await import('../../app/command-line/schedules.ts');
    await using schedules = await openSchedulesOfUser(config, cli.env);
    await (PARTS[String(parser.processedArgs[0])] ?? list)(cli, schedules, parser);
    return EXIT.ok;
  },
});

type Part = (cli: Cli, schedules: SchedulesOfUser, parser: Command) => Promise<void>;

const jobOf = async (schedules: SchedulesOfUser, parser: Command): Promise<string> => {
  const [what = '', job] = parser.args;
  if (job === undefined) throw usageFault(`JOB is missing: factotum schedule ${what} JOB.`, 'factotum schedule --help');
  const names = (await schedules.list()).map(({ name }) => name);
  if (names.includes(job)) return job;
  throw usageFault(`No job is called ${JSON.stringify(job)}${didYouMean(job, names) || '; factotum schedule lists them.'}`);
};

const list: Part = async (cli, schedules) => {
  const jobs = await schedules.list();
  if (cli.wants.json) showJson(cli, jobs);
  else if (jobs.length === 0) cli.out.line('There are no jobs; add one to [[schedules]], or with FA_schedule_add.');
  else showJobs(cli, jobs);
};

const next: Part = async (cli, schedules, parser) => {
  const times = await schedules.next(await jobOf(schedules, parser), parser.opts<ScheduleFlags>().count);
  if (cli.wants.json) showJson(cli, times);
  else for (const time of times) cli.out.line(time);
};

const pause: Part = async (cli, schedules, parser) => {
  const name = await jobOf(schedules, parser);
  const paused = await schedules.pause(name);
  if (parser.opts<ScheduleFlags>().drain === true) {
    using interrupt = watchForInterrupt(cli.err);
    await schedules.drained(name, interrupt.signal);
  }
  showChange(cli, paused, 'is paused');
};

const resume: Part = async (cli, schedules, parser) => {
  const resumed = await schedules.resume(await jobOf(schedules, parser));
  showChange(cli, resumed, `runs next at ${resumed.next_run}`);
};

const PARTS: Readonly<Record<string, Part>> = { list, next, pause, resume };

const showChange = (cli: Cli, job: ScheduleSnapshot, what: string): void => {
  if (cli.wants.json) showJson(cli, job);
  else cli.out.line(`${cli.out.colors.green(cli.symbols.good)} ${visible(job.name)} ${what}.`);
};

const showJobs = ({ out }: Cli, jobs: readonly ScheduleSnapshot[]): void => {
  const { bold, cyan, dim } = out.colors;
  const rows = jobs.map(({ name, cron, time_zone, next_run, last_run, runs, skipped, running }) => [
    visible(name),
    visible(`${cron} (${time_zone})`),
    next_run ?? 'paused',
    running ? 'running' : (last_run ?? 'never'),
    `${runs} run${runs === 1 ? '' : 's'}${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  ]);
  const table = [['JOB', 'TIMES', 'NEXT', 'LAST', 'SO FAR'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const [at, row] of table.entries()) {
    const [name = '', ...others] = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const line = others.join('  ').trimEnd();
    out.line(at === 0 ? bold(`${name}  ${line}`) : `${cyan(name)}  ${dim(line)}`);
  }
};
