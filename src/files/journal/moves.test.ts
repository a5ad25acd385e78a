import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, openOwner, otherDevice, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { portraitOf } from '../../../test/support/tree-portrait.ts';
import type { Budget } from '../../core/quota.ts';
import { changesIn, type JournalEntry } from './inverse.ts';
import { openJournal } from './journal.ts';
import { createKeeper } from './keep.ts';
import { createReverter } from './revert.ts';
import { identityAt, stampAt } from './stamp.ts';
import { placeByHandles } from './undo-files.ts';

const openRoom = (budget?: Budget) => {
  const dir = tempDir({ 'w/f': '1', 'w/d/x': '22', 'w/d/e/y': '333', 'w/d/z': '4' });
  const entries: JournalEntry[] = [];
  const keeper = createKeeper({ runId: 'r1', stateDirectory: dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 1e6 } });
  const journal = openJournal({ keeper, append: (more) => void entries.push(...more), now: Date.now });
  const there = otherDevice() ?? tempDir();
  const revert = createReverter({ place: placeByHandles, files: openOwner(dir.at('w')), signal });
  return {
    dir,
    there: there.path,
    entries,
    port: openOwner(dir.at('w'), { budget, ...journal }),
    revert,
    async undo() {
      const refusals: string[] = [];
      for (const recorded of changesIn(entries).toReversed()) {
        const outcome = await revert(recorded);
        if (!outcome.isUndone) refusals.push(outcome.reason);
      }
      return refusals;
    },
    async [Symbol.asyncDispose]() {
      await journal.close();
      dir[Symbol.dispose]();
      there[Symbol.dispose]();
    },
  };
};

using probe = otherDevice();
describe.skipIf(probe === undefined)('moves to another device (needs /dev/shm on one)', () => {
  test('are written down with the copy before it has its name, renames without', async () => {
    await using room = openRoom();
    const { port, there, entries } = room;
    await port.move('f', 'g', { signal });
    await port.move('g', join(there, 'g'), { signal });
    await port.move('d', join(there, 'd'), { signal });
    const lefts = changesIn(entries).map(({ left }) => left);
    expect(lefts).toEqual([undefined, stampAt(join(there, 'g')), stampAt(join(there, 'd'))]);
    expect(lefts[1]).toMatch(/^file /);
  });

  test('that ended halfway come back whole, once nothing else is in the way', async () => {
    let isFirst = true;
    const spend = () => {
      if (isFirst) writeFileSync(room.dir.at('w/d/late'), 'late');
      isFirst = false;
    };
    await using room = openRoom({ spend });
    const { dir, port, there, undo } = room;
    const before = portraitOf(dir.at('w'), ['d/e', 'd/x', 'd/z']);
    expect(await failure(port.move('d', join(there, 'd'), { signal }))).toBe('FileAccessException');
    expect([readdirSync(dir.at('w/d')), readdirSync(join(there, 'd')).sort()]).toEqual([['late'], ['e', 'x', 'z']]);
    // Both stay as they are, so that nothing is lost.
    expect(await undo()).toEqual(['something else stands there now']);
    expect([dir.read('w/d/late'), readFileSync(join(there, 'd/x'), 'utf8')]).toEqual(['late', '22']);
    rmSync(dir.at('w/d/late'));
    expect(await undo()).toEqual([]);
    expect([portraitOf(dir.at('w'), ['d/e', 'd/x', 'd/z']), readdirSync(there)]).toEqual([before, []]);
  });

  test('that ended halfway leave what was edited meanwhile', async () => {
    let count = 0;
    const spend = () => {
      count += 1;
      if (count === 3) writeFileSync(room.dir.at('w/d/x'), 'edited');
    };
    await using room = openRoom({ spend });
    const { dir, port, there, undo } = room;
    expect(await failure(port.move('d', join(there, 'd'), { signal }))).toBe('FileAccessException');
    expect(await undo()).toEqual(['something else stands there now']);
    expect([dir.read('w/d/x'), readFileSync(join(there, 'd/x'), 'utf8')]).toEqual(['edited', '22']);
  });

  test('are not taken for halves by a later file that has got the number of the moved one', async () => {
    await using room = openRoom();
    const { dir, there, revert } = room;
    const [from, path] = [dir.at('w/f'), join(there, 'f')];
    writeFileSync(path, 'the only one');
    const identity = identityAt(from) ?? '';
    const at = lstatSync(from).birthtimeMs - 1_000;
    const change = { undo: 'move_back', path, from, identity, stamp: stampAt(path) ?? '', at } as const;
    expect(await revert({ change, left: undefined })).toMatchObject({ isUndone: false });
    expect([readFileSync(path, 'utf8'), existsSync(from)]).toEqual(['the only one', true]);
  });

  test('of a tree that never began leave what stands there', async () => {
    await using room = openRoom();
    const { dir, port, there, undo } = room;
    mkdirSync(join(there, 'd/full'), { recursive: true });
    expect(await failure(port.move('d', join(there, 'd'), { signal }))).toBe('PathExistsException');
    expect(await undo()).toEqual([]);
    expect([dir.read('w/d/x'), existsSync(join(there, 'd/full'))]).toEqual(['22', true]);
  });
});
