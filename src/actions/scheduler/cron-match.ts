import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { ArgumentException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { firesAt, matchesWall } from '../../lib/cron/next-fire.ts';
import { parseCron } from '../../lib/cron/parse-cron.ts';
import { machineZone, openTimeZone } from '../../lib/cron/time-zone.ts';

/** Tells whether an expression fires. */
export const cronMatch = defineAction({
  name: 'FA_cron_match',
  summary: 'Tells whether a cron expression fires at a minute.',
  args: {
    cron_expression: text('Minute, hour, day of month, month, weekday.'),
    moment: text('The minute, such as 2026-03-04T05:06 as clocks show it, or with Z or +01:00 as an instant.'),
    time_zone: text('The time zone in which an instant is looked at; null: that of the machine.', { default: null }),
  },
  returns: shapes.flag(),
  question: { no: 'it does not', isNo: (fires) => !fires },
  idempotent: true,
  examples: [
    { args: { cron_expression: '*/15 * * * *', moment: '2026-03-04T05:45:00' }, value: true },
    {
      about: 'Clocks in Berlin jump over half past two, so what is due then runs at three.',
      args: { cron_expression: '30 2 * * *', moment: '2026-03-29T01:00Z', time_zone: 'Europe/Berlin' },
      value: true,
    },
  ],
  run(_, { cron_expression, moment, time_zone }) {
    const cron = parseCron(cron_expression);
    const [, wall = '', offset] = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(moment) ?? [];
    const shown = Date.parse(`${wall.replace(' ', 'T')}Z`);
    // A date that does not exist is parsed as another one.
    if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(wall.replace(' ', 'T'))) {
      throw new ArgumentException(`${JSON.stringify(moment)} is no date and time; write it like 2026-03-04T05:06:00.`, {
        context: { argument: 'moment' },
      });
    }
    if (offset === undefined) return matchesWall(cron, shown);
    return firesAt(cron, openTimeZone(time_zone ?? machineZone()), shown - offsetMs(offset));
  },
});

const offsetMs = (offset: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
};
