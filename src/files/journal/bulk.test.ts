import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { look } from '../../../test/e2e/undo/look.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { BulkChanges } from '../../core/journal.ts';
import { keptName } from '../../lib/tree/kept-name.ts';
import { discardKept } from './discard.ts';
import { changesIn, type JournalEntry } from './inverse.ts';
import { openJournal } from './journal.ts';
import { createKeeper } from './keep.ts';
import { createReverter } from './revert.ts';
import { placeByHandles } from './undo-files.ts';

const openRoom = ({ maxBytes = 1e9, now = Date.now } = {}) => {
  const dir: TempDir = tempDir({ 'w/old': 'old', 'w/gone': 'gone', 'w/d/x': 'x', 's/old': 'new', 's/made': 'made' });
  symlinkSync('old', dir.at('w/link'));
  const entries: JournalEntry[] = [];
  const keeper = createKeeper({ runId: 'r1', stateDirectory: dir.at('state'), limits: { maxBytes, maxFiles: 1e6 } });
  const journal = openJournal({ keeper, append: (more) => void entries.push(...more), now });
  const lookOf = (relative: string) => ({ relative, file: lstatSync(dir.at(`s/${relative}`)) });
  const changes: BulkChanges = {
    root: dir.at('w'),
    arrivals: [lookOf('old'), lookOf('made'), { relative: 'link' }, { relative: 'tree' }],
    removed: ['gone'],
    marked: ['d'],
  };
  return {
    dir,
    entries,
    changes,
    journal,
    /** What the threads do, one step after the other. */
    stepsOf: (keepAt: string): readonly (() => void)[] => [
      () => linkSync(dir.at('w/old'), keepAt + keptName('old')),
      () => renameSync(dir.at('s/old'), dir.at('w/old')),
      () => renameSync(dir.at('s/made'), dir.at('w/made')),
      () => symlinkSync('elsewhere', dir.at('w/new-link')),
      () => renameSync(dir.at('w/new-link'), dir.at('w/link')),
      () => mkdirSync(dir.at('w/tree')),
      () => writeFileSync(dir.at('w/tree/half'), 'half'),
      () => renameSync(dir.at('w/gone'), keepAt + keptName('gone')),
      () => chmodSync(dir.at('w/d'), 0o700),
    ],
    async undo() {
      const revert = createReverter({ place: placeByHandles, files: openOwner(dir.at('w')), signal });
      const refusals: string[] = [];
      for (const { change, left } of changesIn(entries).toReversed()) {
        const outcome = await revert({ change, left });
        if (!outcome.isUndone) refusals.push(`${change.path.replace(`${dir.path}/`, '')}: ${outcome.reason}`);
      }
      return refusals;
    },
    async [Symbol.asyncDispose]() {
      await discardKept('r1', entries);
      dir[Symbol.dispose]();
    },
  };
};

const STEPS = 9;

describe('bulk work', () => {
  test.each(Array.from({ length: STEPS + 1 }, (_, at) => at))('that ended suddenly after %i steps is taken back', async (count) => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    const bulk = await room.journal.beforeBulk(room.changes);
    for (const step of room.stepsOf(bulk?.keepAt ?? '').slice(0, count)) step();
    expect(await room.undo()).toEqual([]);
    expect(look(room.dir.at('w')).filter((line) => !line.startsWith('new-link'))).toEqual(before);
    expect(await room.undo()).toEqual([]);
    await bulk?.done();
  });

  test('that has ended is taken back, but for what was changed since', async () => {
    await using room = openRoom();
    const bulk = await room.journal.beforeBulk(room.changes);
    for (const step of room.stepsOf(bulk?.keepAt ?? '')) step();
    await bulk?.done();
    room.dir.write('w/old', 'somebody else');
    room.dir.write('w/tree/more', 'somebody else');
    expect(await room.undo()).toEqual(['w/tree: it was changed since', 'w/old: it was changed since']);
    expect([room.dir.read('w/gone'), room.dir.read('w/old')]).toEqual(['gone', 'somebody else']);
  });

  test('that took long and ended suddenly is known by its signs of life', async () => {
    const longAgo = () => Date.now() - 60_000;
    await using room = openRoom({ now: longAgo });
    const bulk = await room.journal.beforeBulk(room.changes);
    for (const step of room.stepsOf(bulk?.keepAt ?? '')) step();
    expect(await room.undo()).toContain('w/tree: it was changed since');
    const first = room.entries[0]?.index ?? 0;
    room.entries.push({ index: first, inverse: { alive: Date.now(), bulk: first }, bytes: 0 });
    expect(await room.undo()).toEqual([]);
    await bulk?.done();
  });

  test.each([
    ['too large to be kept', { maxBytes: 5 }, () => {}],
    ['to replace a directory', {}, (dir: TempDir) => mkdirSync(dir.at('w/made'))],
  ])('is told change by change where it is %s', async (_, options, prepare) => {
    await using room = openRoom(options);
    prepare(room.dir);
    expect(await room.journal.beforeBulk(room.changes)).toBeUndefined();
    expect(room.entries).toEqual([]);
  });
});
