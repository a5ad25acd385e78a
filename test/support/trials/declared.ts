/** What is tried again and again, and how often; the page docs/explanation/what-we-tried.md is made of it. */
export interface Trial {
  /** The heading that it stands under. */
  readonly kind: TrialKind;
  /** What is done, once each time. */
  readonly what: string;
  /** What holds each time. */
  readonly proves: string;
  /** The test file. */
  readonly suite: string;
  /** How often in `npm test`. */
  readonly usual: number;
  /** How often in `npm run torture`. */
  readonly long: number;
}

type TrialKind = 'Starts and stops' | 'Kills' | 'Devices that fail' | 'Races' | 'Sizes';

const stop = (file: string, { usual = 2, long = 800, ...about }: Pick<Trial, 'what' | 'proves'> & Partial<Trial>): Trial => ({
  kind: 'Starts and stops',
  suite: `test/e2e/torture/stops/${file}.test.ts`,
  usual,
  long,
  ...about,
});

const DECLARED = {
  'taken-port': stop('start', {
    what: 'a service is started on a port that another program has',
    proves: 'exit code 2 and one message that names the port',
  }),
  'denied-port': stop('start', {
    what: 'a service is started on a port that the system keeps for the superuser',
    proves: 'exit code 2 and one message that names the port',
  }),
  'foreign-address': stop('start', {
    what: 'a service is started on an address of another machine',
    proves: 'exit code 2 and one message that names the address',
  }),
  'refused-address': stop('start', {
    what: 'a service is started where other machines could reach it, without saying so',
    proves: 'exit code 3, and nothing listens',
  }),
  'broken-configuration': stop('start', {
    what: 'a service, `mcp` or a list is started with a broken configuration',
    proves: 'exit code 2 and the line with a caret',
    long: 1200,
  }),
  'state-that-is-no-directory': stop('start', {
    what: 'a command is started whose state directory cannot be made',
    proves: 'a service ends with 1 and one message; a list runs and says that it is not recorded',
    usual: 3,
    long: 1200,
  }),
  'stopped-while-starting': stop('signals', {
    what: 'a service is stopped (SIGTERM, SIGINT) at a moment of its start',
    proves: 'it ends with 0 and one message, or had not begun',
  }),
  'hung-up-while-starting': stop('signals', {
    what: 'a service gets SIGHUP at a moment of its start, and is stopped later',
    proves: 'it starts all the same and ends with 0, or had not begun',
  }),
  'stopped-while-idle': stop('signals', {
    what: 'a service is stopped while its store takes in the runs of others',
    proves: 'exit code 0 and one message',
  }),
  'stopped-under-load': stop('signals', {
    what: 'a service is stopped while six clients send lists as fast as they can',
    proves: 'no list that was begun fails, exit code 0 and one message',
  }),
  'stopped-twice': stop('signals', {
    what: 'a service is stopped twice',
    proves: 'it is gone at once, with 130 or 0 and one message',
  }),
  'stopped-unheard': stop('signals', {
    what: 'whoever read the output of a service goes away, then it is stopped',
    proves: 'it goes on meanwhile and ends with 0',
  }),
  'store-of-another': stop('store', {
    what: 'a service is started on a store that another one serves',
    proves: 'exit code 1 and one message that names the other process',
  }),
  'locked-store': stop('store', {
    what: 'a service is started on a store that another program keeps locked; half of them are stopped meanwhile',
    proves: 'exit code 1 and one message, or 0 where it was stopped',
  }),
  'stopped-on-a-full-disk': stop('store', {
    what: 'the disk of the store becomes full, then the service is stopped',
    proves: 'exit code 0 and one message',
    usual: 1,
  }),
  'store-on-a-read-only-disk': stop('store', {
    what: 'a service is started on a store that it may not write',
    proves: 'exit code 1 and one message',
    usual: 1,
  }),
  'stopped-list': stop('lists', {
    what: 'a list or an action of the command line is stopped (SIGTERM, SIGINT, SIGHUP) while it works',
    proves: 'exit code 130, one message and the result of what was done',
    long: 400,
  }),
  'stopped-list-at-any-moment': stop('lists', {
    what: 'a list or an action of the command line is stopped at a random moment',
    proves: 'exit code 130 and one message, or it had not begun',
    long: 400,
  }),
  'unread-answer': stop('lists', {
    what: 'whoever reads the answer of a list goes away before it comes',
    proves: 'the exit code of the list',
    long: 400,
  }),
  'full-standard-output': stop('lists', {
    what: 'a command of the command line finds no room for its answer',
    proves: 'exit code 1 and one message that does not say to run it again',
    usual: 4,
    long: 1600,
  }),
  'service-without-standard-output': stop('lists', {
    what: 'a service finds no room for its first lines',
    proves: 'it serves, and ends with 0 when told',
    usual: 1,
    long: 400,
  }),
  'leaving-host': stop('lists', {
    what: 'the host of `factotum mcp` closes a pipe or sends a signal',
    proves: 'exit code 0',
    usual: 5,
    long: 1000,
  }),
} satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof DECLARED;
export const TRIALS: Readonly<Record<TrialName, Trial>> = DECLARED;
