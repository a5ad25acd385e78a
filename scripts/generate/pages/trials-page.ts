import { readFileSync } from 'node:fs';
import type { Ready } from '../../../src/core/ready.ts';
import { LARGE_MEGABYTES } from '../../../test/support/torture.ts';
import { CORPORA, FUZZ_SECONDS, FUZZED, TRIAL_KINDS, TRIALS, type Trial, type TrialThing } from '../../../test/support/trials/declared.ts';
import { scenesOf, storeUsersOf } from '../../../test/support/trials/writing-actions.ts';
import { derivedFrom, table } from './markdown.ts';

type Counts = Readonly<Record<TrialThing, number>>;

/** The page of what was tried, from what the suites declare; they fail where they do anything else. */
export const trialsPage = (actions: readonly Ready[]): string => {
  const counts: Counts = {
    'example of an action that writes': scenesOf(actions).length,
    'action on a store': storeUsersOf(actions).length,
  };
  const writing = new Set(scenesOf(actions).map(({ name }) => name)).size + storeUsersOf(actions).length;
  const corpora = Object.entries(CORPORA).map(([name, what]) => ({ name, what, cases: casesOf(name) }));
  const cases = corpora.reduce((sum, each) => sum + each.cases, 0);
  return `${derivedFrom('test/support/trials/declared.ts')}

# What we tried

A promise about files is worth what was done to break it. This page lists what is done to factotum, how often, and what has to hold each time.
The numbers are those that the test suites go by: a suite that does more or less than it declares fails. \`npm test\` does a little of
everything on every change; \`npm run torture\` does the same for hours, with other seeds. Both columns say what the command does when it is run;
they are no record that it was run on this version.

${TRIAL_KINDS.map((kind) => section(kind, counts)).join('\n\n')}

The catalogue has ${writing} actions that write files; every one of them is in the tables above, because they are made from the catalogue.

## Sizes

Archives, conversions, encryption, splitting and text edits work on ${number(LARGE_MEGABYTES.usual)} MB in a process that may not have that much memory, and on
${number(LARGE_MEGABYTES.long)} MB in \`npm run torture\` (\`large-files.test.ts\` in \`test/e2e\`).

## Hostile inputs

${number(cases)} inputs are kept with the answers that are expected, in \`test/fixtures/corpus\`:

${table(
  ['inputs', 'what they are'],
  corpora.map(({ what, cases: count }) => [number(count), what]),
)}

Short lists that grow (loops inside loops, values inside values, files that run themselves) are sent by a limited caller while others go on
working (\`test/e2e/isolation\`).

## Changed examples

${number(Object.keys(FUZZED).length)} readers of what others send are given examples that were changed at random: a byte, a number, a word that means something to them, a piece
of another example. What counts as a failure is said by each reader's check; silence always does. The input is kept and tried in every run
from then on. \`npm test\` gives one of them ${FUZZ_SECONDS.usual} seconds, another one each day; \`npm run fuzz\` gives each ${FUZZ_SECONDS.asked} seconds, or as long as it is told
(\`test/fuzz\`).

${table(['reader', 'what it reads'], Object.entries(FUZZED))}

${FOUND}

${NOT_TRIED}
`;
};

const number = (value: number): string => value.toLocaleString('en-US');

const section = (kind: Trial['kind'], counts: Counts): string => {
  const rows = Object.values(TRIALS).filter((trial) => trial.kind === kind);
  return `## ${kind}

${table(
  ['what is done', 'what holds each time', 'in `npm test`', 'in `npm run torture`', 'where'],
  rows.map(({ what, proves, suite, per, usual, long }) => [
    what,
    proves,
    ...[usual, long].map((each) => timesOf(each, per === undefined ? 1 : counts[per])),
    `[${suite.replace(/^.*\/([^/]+\/[^/]+)\.test\.ts$/, '$1')}](../../${suite})`,
  ]),
)}`;
};

const timesOf = (each: number, things: number): string => (Number.isFinite(each) ? number(each * things) : 'each of them');

const casesOf = (name: string): number => {
  const { cases }: { readonly cases: readonly unknown[] } = JSON.parse(readFileSync(`test/fixtures/corpus/${name}.json`, 'utf8'));
  return cases.length;
};

const FOUND = `## What it found

Each of these was mended where it came from and has a test now.

| found by | what was wrong |
|---|---|
| several at once | edits in place of one table took a file that was replaced between two looks for another one, and lost the work of others |
| a call that fails | an edit whose directory could not be synced after the new file had its name was made a second time |
| a call that fails | extractions left their working directory when its mode could not be set |
| a call that fails | a snapshot that was kept was called failed because its claim on a number could not be removed |
| starts and stops | an answer that found no room on standard output was called an internal fault; a service ended because of its greeting |
| starts and stops | \`--version\` ended with a stack trace when nobody read it |
| starts and stops | a state directory that leads through a file was an untyped fault |`;

const NOT_TRIED = `## What was not tried

- Windows and macOS: nothing here was run there.
- File systems other than ext4 and tmpfs, such as vfat, NTFS, btrfs and network mounts.
- Power cuts: processes are killed, machines are not. What is synced to the device is taken to be there.
- Devices that answer with wrong bytes instead of an error.
- A clock of the machine that jumps under a running service.
- Clients on other machines.`;
