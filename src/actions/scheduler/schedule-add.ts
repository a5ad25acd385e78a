import { defineAction } from '../../core/action.ts';
import { type Bound, flag, integer, number, oneOf, steps, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { Json } from '../../core/errors.ts';
import { type NewSchedule, SCHEDULE_NAMES } from '../../core/ports/scheduler.ts';
import { demandScheduler, snapshot } from './snapshot.ts';

const args = {
  name: text('What the job is called; no other may have the name.'),
  cron_expression: text('When it runs: minute, hour, day of month, month, weekday.'),
  action_list: steps('The commands; references inside may use ${schedule.name} and ${schedule.tick}.', {
    names: ['schedule'],
    areKept: true,
  }),
  allow_overlap: flag('Run although the last run still goes on; `overlap` says more.', { default: false }),
  time_zone: text('The time zone of the expression, such as Europe/Vienna; null: that of the machine.', { default: null }),
  overlap: oneOf(
    'What happens when it is due while it still runs; null: `parallel` or `skip`, as `allow_overlap` says.',
    ['skip', 'queue_one', 'cancel_previous', 'parallel'],
    { default: null },
  ),
  catch_up: oneOf('Which missed times are made up for after a pause.', ['none', 'latest', 'all'], { default: 'none' }),
  catch_up_window_s: number('How many seconds back missed times count.', { default: 86_400, min: 0 }),
  catch_up_max: integer('How many missed times are made up for at most.', { default: 10, min: 0 }),
  jitter_s: number('A start is moved by up to this many seconds, so that many jobs do not start at once.', { default: 0, min: 0 }),
  deadline_s: number('A run that has not started this many seconds after its time is dropped and reported.', { default: null, above: 0 }),
  max_duration_s: number('A run that takes more seconds is cancelled and reported.', { default: null, above: 0 }),
  expect_every_s: number('Reported when no run has succeeded for this many seconds.', { default: null, above: 0 }),
};

const jobOf = (given: Bound<typeof args>): NewSchedule => ({
  name: given.name,
  cron: given.cron_expression,
  actions: given.action_list as Json, // it came in as JSON and arrives as written
  timeZone: given.time_zone,
  rules: {
    overlap: given.overlap ?? (given.allow_overlap ? 'parallel' : 'skip'),
    catchUp: given.catch_up,
    catchUpWindowS: given.catch_up_window_s,
    catchUpMax: given.catch_up_max,
    jitterS: given.jitter_s,
    deadlineS: given.deadline_s,
    maxDurationS: given.max_duration_s,
    expectEveryS: given.expect_every_s,
  },
});

/** Everything that can be wrong with a job, in a dry run too. */
const prepare = async ({ services, validateSteps }: Context, given: Bound<typeof args>): Promise<NewSchedule> => {
  const job = jobOf(given);
  await demandScheduler(services).check(job);
  await validateSteps(given.action_list, SCHEDULE_NAMES);
  return job;
};

/** Stores a job. */
export const scheduleAdd = defineAction({
  name: 'FA_schedule_add',
  summary: 'Stores a list that runs again and again at set times.',
  args,
  returns: snapshot,
  examples: [
    {
      about: 'Every working day at half past six.',
      args: {
        name: 'backup',
        cron_expression: '30 6 * * mon-fri',
        action_list: [['FA_zip_dir', { dir_we_want_to_zip: 'data', zip_name: 'backup-${date:%F}' }]],
        time_zone: 'Europe/Vienna',
      },
    },
  ],
  plan: prepare,
  run: async (ctx, given) => demandScheduler(ctx.services).add(await prepare(ctx, given), ctx),
});
