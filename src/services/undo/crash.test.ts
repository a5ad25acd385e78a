import { expect, test } from 'vitest';
import { look } from '../../../test/e2e/undo/look.ts';
import { openRecordedHouse, undoParts } from '../../../test/e2e/undo/recorded-house.ts';
import { dyingStore } from '../../../test/support/dying-store.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { OWNER } from '../../access/caller.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import { createUndo } from './undo.ts';

const LIST = [
  ['FA_create_file', ['a', 'new']],
  ['FA_remove_file', ['b']],
  ['FA_rename_file', ['c', 'd']],
  ['FA_create_dir', ['e']],
];
/** Longer than any lease or lock. */
const LATER_MS = 3_600_000;

/** Undoes a run in a process that dies at a call of the store, and goes on in another; tells whether it died. */
const surviveDeath = async (calls: number, side: 'before' | 'after'): Promise<boolean> => {
  using dir = tempDir({ 'w/a': 'old', 'w/b': 'old too', 'w/c': 'third' });
  let later = 0;
  const store = memoryStore({ now: () => Date.now() + later });
  await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state'), store });
  const before = look(dir.at('w'));
  const { run_id } = await house.run(LIST);

  const dying = dyingStore(store, calls, side);
  const doomed = createUndo({ ...undoParts, store: dying.store, worker: 'doomed' });
  const undone = doomed.undo(run_id, OWNER).then(({ finished }) => finished);
  const isDead = await Promise.race([dying.died.then(() => true), undone.then(() => false)]);

  later = LATER_MS;
  const next = createUndo({ ...undoParts, store });
  await next.start();
  await next.close();
  if (isDead && (await store.undo.list(run_id)).some(({ state }) => state !== 'undone')) await house.undoRun(run_id);
  const where = `${calls} calls, ${side}`;
  expect(look(dir.at('w')), where).toEqual(before);
  expect((await store.runs({ sources: ['undo'], states: ['running', 'queued', 'indeterminate', 'dead'] })).items, where).toEqual([]);
  return isDead;
};

test.each(['before', 'after'] as const)('a process that undoes may be killed %s any call of the store', async (side) => {
  let calls = 0;
  while (await surviveDeath(calls, side)) calls += 1;
  expect(calls).toBeGreaterThan(10); // each step is at least one
});
