import { lstatSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { entryOf } from '../entry.ts';
import { createKeeper } from './keep.ts';
import { createRunJournals } from './run-journals.ts';

const openRoom = (maxFiles: number) => {
  const dir = tempDir({ a: 'first', b: 'second', c: 'third' });
  const stateDirectory = dir.at('state');
  const journals = createRunJournals({ stateDirectory, maxBytes: 1_000, maxFiles, now: () => 1, append() {} });
  const entry = (name: string) => entryOf(dir.at(name), lstatSync(dir.at(name)));
  /** As a thread does that gets the run. */
  const openThread = (runId: string) => createKeeper({ runId, ...structuredClone(journals.apart(runId)) });
  return { dir, journals, entry, openThread, [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

test('a run that changes threads keeps no more than one that does not', async () => {
  using room = openRoom(2);
  expect(await room.openThread('r1').keep(room.entry('a'), 1)).toBeTypeOf('object');
  expect(await room.openThread('r1').keep(room.entry('b'), 2)).toBeTypeOf('object');
  expect(await room.openThread('r1').keep(room.entry('c'), 3)).toBe(UNDO_REASONS.tooMany);
  expect(await room.openThread('r2').keep(room.entry('c'), 4)).toBeTypeOf('object');
});

test('what a run keeps where requests are answered counts too', async () => {
  using room = openRoom(1);
  const lost: string[] = [];
  expect(await room.openThread('r1').keep(room.entry('a'), 1)).toBeTypeOf('object');
  const journal = room.journals.of('r1').forCommand?.(({ reason }) => void lost.push(reason));
  await journal?.before({ kind: 'delete', path: room.dir.at('b'), entry: room.entry('b') });
  expect(lost).toEqual([UNDO_REASONS.tooMany]);
  await room.journals.close('r1');
});
