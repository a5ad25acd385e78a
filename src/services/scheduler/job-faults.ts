import { CronException, SchedulerException } from '../../core/errors.ts';
import type { NewSchedule } from '../../core/ports/scheduler.ts';

const refused = (name: string, message: string): SchedulerException => new SchedulerException(message, { context: { name } });
const quoted = (name: string): string => JSON.stringify(name);

/** Refuses a name that could not be written in a line. */
export const demandName = (name: string): void => {
  if (!/^[^\p{Cc}]{1,256}$/u.test(name)) throw refused(name, 'A job needs a name of 1 to 256 characters on one line.');
};

// What is wrong with a job, each with its remedy.

export const unknownJob = (name: string) => refused(name, `No job is called ${quoted(name)}; FA_schedule_list shows all.`);

export const doubleJob = (name: string) =>
  refused(name, `A job is called ${quoted(name)} already; remove that one or choose another name.`);

export const noList = (name: string) =>
  refused(name, `The job ${quoted(name)} has no list of commands; give an array, or an object with \`actions\` or \`nodes\`.`);

export const configuredJob = (name: string) =>
  refused(name, `The job ${quoted(name)} stands in the configuration; take it out there, or pause it.`);

export const switchedOff = (name: string) =>
  refused(name, `The job ${quoted(name)} is switched off in the configuration; set \`enabled\` there.`);

export const neverFires = ({ name, cron }: NewSchedule) =>
  new CronException(`The times of the job ${quoted(name)} never come: no date fits ${quoted(cron)}.`, {
    context: { name, expression: cron },
  });
