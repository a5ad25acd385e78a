import { cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { openDirectory } from '../../lib/fs/handles.ts';
import type { JournalEntry } from './inverse.ts';
import { openJournal } from './journal.ts';
import { createKeeper } from './keep.ts';
import { removeUntouched } from './remove-untouched.ts';
import { leftTreeAt } from './stamp.ts';
import { undoFiles } from './undo-files.ts';

const OLD = new Date('2020-01-01');

/** Copies a tree of 30 files, lets somebody meddle with the copy, and undoes it twice; answers what was refused each time. */
const undoneAfter = async (dir: TempDir, meddle: (at: (name: string) => string) => void): Promise<(string | undefined)[]> => {
  for (let each = 0; each < 30; each += 1) {
    dir.write(`s/${each % 3}/${each}`, String(each));
    utimesSync(dir.at(`s/${each % 3}/${each}`), OLD, OLD);
  }
  const entries: JournalEntry[] = [];
  const keeper = createKeeper({ runId: 'r1', stateDirectory: dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 1e6 } });
  const journal = openJournal({ keeper, append: (more) => void entries.push(...more), now: Date.now });
  await openOwner(dir.path, journal).copyTree('s', 'c', { signal, keepMetadata: true });
  await journal.close();
  meddle((name) => dir.at(`c/${name}`));
  const undo = async () => {
    const stored = entries.map((entry, number) => ({ ...entry, number, state: 'open' }));
    const steps = undoFiles.stepsIn(stored, {}, { signal, windows: [], onLost: () => {} });
    return (await Promise.all(steps.map((step) => step.revert())))[0];
  };
  return [await undo(), await undo()];
};

const leftIn = (dir: TempDir): readonly string[] =>
  existsSync(dir.at('c')) ? readdirSync(dir.at('c'), { recursive: true, encoding: 'utf8' }).sort() : [];

const stays = (names: string) => `it was changed since: ${names}; the rest of it is undone`;

test('what was edited or added stays and is named, what was removed is no matter, everything else goes', async () => {
  using dir = tempDir({});
  const refusals = await undoneAfter(dir, (at) => {
    writeFileSync(at('2/5'), 'mine');
    utimesSync(at('2/5'), OLD, OLD); // size and time are no proof
    rmSync(at('0/6'));
    writeFileSync(at('mine'), 'mine');
  });
  expect(refusals).toEqual([stays('2/5, mine stay'), stays('2/5, mine stay')]);
  expect(leftIn(dir)).toEqual(['2', '2/5', 'mine']);
});

test('what was edited in the step of the clock in which the tree was made stays, however its times are set', async () => {
  using dir = tempDir({ 's/a': 'mine', 's/b': 'them' });
  for (const name of ['s/a', 's/b']) utimesSync(dir.at(name), OLD, OLD);
  cpSync(dir.at('s'), dir.at('c'), { recursive: true, preserveTimestamps: true });
  const { tree } = await leftTreeAt(dir.at('c'));
  if (tree === undefined) throw new Error('the tree is not known');
  writeFileSync(dir.at('c/a'), 'edit');
  utimesSync(dir.at('c/a'), OLD, OLD);
  // The clock has not moved since.
  const { ctimeMs } = lstatSync(dir.at('c/a'));
  using root = openDirectory(dir.at('c'), []);
  expect(await removeUntouched(root, { ...tree, ctimeMs }, { signal, giveWay: () => undefined })).toEqual(['a']);
  expect(leftIn(dir)).toEqual(['a']);
});

test('a tree in which only something is missing goes whole', async () => {
  using dir = tempDir({});
  expect(await undoneAfter(dir, (at) => rmSync(at('0'), { recursive: true }))).toEqual([undefined, undefined]);
  expect(leftIn(dir)).toEqual([]);
});

test.each<[string, (dir: TempDir, at: (name: string) => string) => void, string, readonly string[]]>([
  [
    'a directory that was moved there, with files older than the run',
    (dir, at) => renameSync(dir.at('photos'), at('1/photos')),
    stays('1/photos stays'),
    ['1', '1/photos', '1/photos/p'],
  ],
  ['a file that was moved there', (dir, at) => renameSync(dir.at('photos/p'), at('p')), stays('p stays'), ['p']],
  [
    'another directory that stands in its place',
    (dir) => {
      rmSync(dir.at('c'), { recursive: true });
      renameSync(dir.at('photos'), dir.at('c'));
    },
    'it was changed since',
    ['p'],
  ],
])('keeps %s', async (_, meddle, refusal, left) => {
  using dir = tempDir({ 'photos/p': 'mine' });
  utimesSync(dir.at('photos/p'), OLD, OLD);
  expect(await undoneAfter(dir, (at) => meddle(dir, at))).toEqual([refusal, refusal]);
  expect(leftIn(dir)).toEqual(left);
});
