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
  /** How often in `npm run torture`; infinity where it comes to every one there is. */
  readonly long: number;
  /** Left out where these are all; else so often for each of these. */
  readonly per?: TrialThing;
}

/** In the order of the page. */
export const TRIAL_KINDS = ['Starts and stops', 'Kills', 'Devices that fail', 'Several at once'] as const;
type TrialKind = (typeof TRIAL_KINDS)[number];

/** What the catalogue of actions decides the number of. */
export type TrialThing = 'example of an action that writes' | 'action on a store';

const kill = (suite: string, about: Omit<Trial, 'kind' | 'suite'>): Trial => ({ kind: 'Kills', suite, ...about });
const device = (suite: string, about: Omit<Trial, 'kind' | 'suite'>): Trial => ({ kind: 'Devices that fail', suite, ...about });
const WRITERS = 'test/e2e/torture/concurrent-writers.test.ts';
const race = (about: Omit<Trial, 'kind' | 'suite'> & { readonly suite?: string }): Trial => ({
  kind: 'Several at once',
  suite: WRITERS,
  ...about,
});

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
  'killed-works': kill('test/e2e/torture/kills.test.ts', {
    what: 'a process that does one of sixteen kinds of writing work is killed at a random moment, some with their undoing on top',
    proves: 'every file is old or new, the next command removes what is left, the run can be undone',
    usual: 16,
    long: 400,
  }),
  'killed-copies-and-moves': kill('test/e2e/files/kill.test.ts', {
    what: 'a process that writes, copies, moves across devices and merges trees is killed',
    proves: 'old files or new ones, never halves',
    usual: 10,
    long: 200,
  }),
  'killed-archives': kill('test/e2e/archives/kill.test.ts', {
    what: 'a process that packs or extracts is killed',
    proves: 'the whole directory or none, the old archive or a new one that other programs find whole',
    usual: 30,
    long: 200,
  }),
  'killed-synchronisations': kill('test/e2e/sync/kill.test.ts', {
    what: 'a synchronisation of 6,000 files on several threads is killed',
    proves: 'whole files only, and the next one finishes the job',
    usual: 12,
    long: 12,
  }),
  'killed-runs-and-undoings': kill('test/e2e/undo/kill.test.ts', {
    what: 'a run is killed, and then its undoing',
    proves: 'undoing once more gives back what was there',
    usual: 12,
    long: 120,
  }),
  'killed-stores': kill('test/e2e/store/kill.test.ts', {
    what: 'a process that writes to the store is killed',
    proves: 'nothing acknowledged is lost, no effect is repeated, SQLite finds the file whole',
    usual: 20,
    long: 400,
  }),
  'killed-queue': kill('test/e2e/queue/kill.test.ts', {
    what: 'a process that works off the queue is killed',
    proves: 'nothing acknowledged is lost, nothing that may not be repeated is',
    usual: 10,
    long: 200,
  }),
  'killed-services': kill('test/e2e/service/kill.test.ts', {
    what: 'a service with clients, schedules, watchers and a queue is killed',
    proves: 'every answer still holds, each file and each minute was handed over once',
    usual: 30,
    long: 400,
  }),
  'killed-notifier': kill('test/e2e/notify/kill.test.ts', {
    what: 'a process is killed while it sends a notification',
    proves: 'it goes out after the next start, under the same id',
    usual: 1,
    long: 1,
  }),
  'killed-writers': kill(WRITERS, {
    what: 'one of three processes that append to one file and edit another is killed',
    proves: 'every record that was told is there, no half line, and nobody waits for the dead',
    usual: 3,
    long: 60,
  }),
  'full-device': device('test/e2e/torture/full-devices.test.ts', {
    what: 'a device has no room left, or a few blocks more each time',
    proves: 'what is called ok is on the disk, else every file is old or new and nothing is left behind',
    usual: 3,
    long: 40,
    per: 'example of an action that writes',
  }),
  'read-only-device': device('test/e2e/torture/full-devices.test.ts', {
    what: 'a device may only be read',
    proves: 'nothing is changed, and the error says why',
    usual: 1,
    long: 1,
    per: 'example of an action that writes',
  }),
  'failing-calls': device('test/e2e/torture/failing-calls.test.ts', {
    what: 'one call to the file system fails with EIO, ENOSPC or EROFS, a different one each time',
    proves: 'what is called ok is on the disk, else every file is old or new; an edit is never made twice',
    usual: 1,
    long: Number.POSITIVE_INFINITY,
    per: 'example of an action that writes',
  }),
  'full-device-of-a-store': device('test/e2e/torture/full-devices.test.ts', {
    what: 'a store that a caller names lies on a full device',
    proves: 'whatever is left of it, the next command uses it',
    usual: 1,
    long: 1,
    per: 'action on a store',
  }),
  'moves-across-devices': device('test/e2e/torture/cross-device-undo.test.ts', {
    what: 'a tree with links, pipes, owners, attributes, access lists and odd names moves to another device',
    proves: 'what `mv` keeps is kept, and undoing gives back what there was',
    usual: 2,
    long: 120,
  }),
  'chains-across-devices': device('test/e2e/torture/cross-device-undo.test.ts', {
    what: 'a chain of moves and renames within devices and across is undone; before half of them somebody touches a file',
    proves: 'everything is back, or what was touched is refused',
    usual: 2,
    long: 120,
  }),
  'records-of-many-writers': race({
    what: 'a record is appended to one file by six processes, eight HTTP clients, ten queued runs and a foreign program at once',
    proves: 'all are there, whole and in the order of their writer',
    usual: 1_600,
    long: 32_000,
  }),
  'edits-of-many-writers': race({
    what: 'one file is edited (JSON, YAML, text, patch) by processes, clients and a queued run at once',
    proves: 'no edit is lost',
    usual: 192,
    long: 3_840,
  }),
  'filters-of-many-writers': race({
    what: 'one table is filtered in place by five processes at once',
    proves: 'no filter is lost',
    usual: 8,
    long: 160,
  }),
  'archives-of-many-writers': race({
    what: 'four processes write an archive to one path at once',
    proves: 'one of them is there as a whole',
    usual: 12,
    long: 240,
  }),
  'edits-beside-a-foreign-program': race({
    what: 'a file is edited while another program appends to it',
    proves: 'nothing of either is lost',
    usual: 20,
    long: 400,
  }),
  'swapped-directories': race({
    suite: 'test/e2e/torture/swapped-store.test.ts',
    what: 'a limited caller uses a path while another thread swaps a directory on it for a link to the state of the owner',
    proves: 'it never gets there',
    usual: 400,
    long: 200_000,
  }),
} satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof DECLARED;
export const TRIALS: Readonly<Record<TrialName, Trial>> = DECLARED;

/** Readers of what others send that are given changed examples (`npm run fuzz`), and what they read. */
export const FUZZED: Readonly<Record<string, string>> = {
  list: 'lists and graphs of actions',
  substitution: 'references inside arguments',
  http: 'requests of the HTTP door',
  'http-answer': 'answers of HTTP servers, whole and cut into pieces of 1, 2, 3 and 17 bytes',
  'dav-answer': 'what WebDAV servers say of their files',
  framer: 'lists on a TCP connection, whole and cut into pieces of 1, 2, 7 and 64 bytes',
  mcp: 'messages of the MCP door',
  zip: 'zip files',
  tar: 'tar files',
  tgz: 'compressed tar files',
  rar: 'rar files',
  encrypted: 'encrypted files',
  yaml: 'YAML files, and edits of them',
  json: 'JSON files, and edits of them',
  csv: 'CSV files',
  patch: 'patches',
  toml: 'configuration files',
  globs: 'patterns for names',
  cron: 'times of schedules',
  urls: 'addresses that requests go to',
  'smb-answer': 'answers of SMB servers, signed as if they were right',
};

/** How many seconds a reader gets: one of them each day in `npm test`, each of them in `npm run fuzz`. */
export const FUZZ_SECONDS = { usual: 15, asked: 60 } as const;

/** Collections of hostile and odd inputs with the answers that are expected. */
export const CORPORA: Readonly<Record<string, string>> = {
  'action-lists-bad': 'broken, hostile and nearly right lists at every door',
  'archives-evil': 'archives that leave their directory, lie about sizes, hide entries or grow without end',
  cron: 'times of schedules: what is valid, and when they are due next',
  'csv-odd': 'odd CSV files: quoting, line ends, row lengths, encodings',
  globs: 'patterns and the paths that they match or do not',
  'http-loopback': 'requests to HTTP and TCP with wrong hosts, origins, methods, types, secrets and lengths',
  'json-set-evil': 'edits of JSON files that reach for prototypes, overflow or break the file',
  'path-traversal': 'paths and links that lead out of a directory',
  'secrets-masking': 'secrets as plain, encoded and escaped text',
  'ssrf-urls': 'addresses that lead to this machine or its neighbours under another name',
  substitution: 'references that go wrong, nest or reach for secrets',
  'templates-evil': 'templates that reach for what they were not given',
  'yaml-bombs': 'YAML files with growing aliases, depth, foreign tags and doubtful values',
};
