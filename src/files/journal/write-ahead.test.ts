import { appendFileSync, readdirSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canMount, smallDisk } from '../../../test/e2e/store/small-disk.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { ownDirectoryName } from '../../lib/fs/own-names.ts';
import type { JournalEntry } from './inverse.ts';
import { createWriteAhead } from './write-ahead.ts';

const JOURNALS = ownDirectoryName('journals');
const entry = (index: number): JournalEntry => ({ index, inverse: { undo: 'remove', path: `/f${index}`, at: 1 }, bytes: 0 });
const entries = (count: number) => Array.from({ length: count }, (_, at) => entry(at));

const openRoom = (path?: string) => {
  const own: TempDir = tempDir();
  const dir = path === undefined ? own : { ...own, path, at: (name: string) => join(path, name) };
  const stored: [string, number][] = [];
  const state = { isFull: false };
  const store = async (runId: string, more: readonly JournalEntry[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.isFull) throw new Error('full');
    stored.push(...more.map(({ index }): [string, number] => [runId, index]));
  };
  const open = () => createWriteAhead({ stateDirectory: dir.path, store });
  return { dir, stored, state, open, ahead: open(), files: () => readdirSync(dir.at(JOURNALS)), [Symbol.dispose]: own[Symbol.dispose] };
};

/** The files look as if a process had left them that is gone. */
const killOwner = ({ dir, files }: ReturnType<typeof openRoom>): void => {
  for (const name of files())
    renameSync(dir.at(`${JOURNALS}/${name}`), dir.at(`${JOURNALS}/${name.replace(/-[0-9]+-([0-9a-f]{32})/, '-1-$1')}`));
};

describe('entries on their way to the store', () => {
  test('wait in a file, and are handed over together', async () => {
    using room = openRoom();
    for (const each of entries(3)) expect(room.ahead.append('r', [each])).toBeUndefined();
    expect([room.files().length, room.stored]).toEqual([1, []]);
    await room.ahead.flush('r');
    expect([room.files(), room.stored]).toEqual([[], [0, 1, 2].map((at) => ['r', at])]);
  });

  test('keep their order, whether few or many come at a time', async () => {
    using room = openRoom();
    const work: (void | Promise<void>)[] = [];
    const all = entries(2_600);
    for (let at = 0; at < all.length; ) {
      const count = [1, 99, 100, 500][at % 4] ?? 1;
      work.push(room.ahead.append('r', all.slice(at, at + count)));
      at += count;
    }
    await Promise.all(work);
    await room.ahead.flush('r');
    expect(room.stored.map(([, index]) => index)).toEqual(all.map(({ index }) => index));
    expect(room.files()).toEqual([]);
  });

  test('are taken in after their process was killed, but for a line that was not written to its end', async () => {
    using room = openRoom();
    room.ahead.append('0199e2c1-7b1c-7000-8000-000000000000', entries(3));
    await room.open().takeIn();
    expect(room.stored).toEqual([]); // their process lives
    killOwner(room);
    truncateSync(room.dir.at(`${JOURNALS}/${room.files()[0]}`), JSON.stringify(entry(0)).length * 2 + 5);
    await room.open().takeIn();
    expect(room.stored.map(([, index]) => index)).toEqual([0, 1]);
    expect(room.stored[0]?.[0]).toBe('0199e2c1-7b1c-7000-8000-000000000000');
    expect(room.files()).toEqual([]);
  });

  test.skipIf(!canMount)('lose only what a full disk did not take', async () => {
    using disk = smallDisk();
    using room = openRoom(disk?.path);
    room.ahead.append('0199e2c1-7b1c-7000-8000-000000000000', [entry(0)]);
    disk?.fill();
    const long = { ...entry(1), inverse: 'x'.repeat(8_000) };
    expect(() => room.ahead.append('0199e2c1-7b1c-7000-8000-000000000000', [long])).toThrow('ENOSPC');
    disk?.free();
    room.ahead.append('0199e2c1-7b1c-7000-8000-000000000000', [entry(2)]);
    killOwner(room);
    await room.open().takeIn();
    expect(room.stored.map(([, index]) => index)).toEqual([0, 2]);
  });

  test('with holes, as a power cut leaves them, stop nobody from starting', async () => {
    using room = openRoom();
    room.ahead.append('r', [entry(0)]);
    const file = room.dir.at(`${JOURNALS}/${room.files()[0]}`);
    appendFileSync(file, `\0\0\0\n${JSON.stringify(entry(2))}\n`);
    killOwner(room);
    await room.open().takeIn();
    expect(room.stored.map(([, index]) => index)).toEqual([0, 2]);
  });

  test('are tried again when the store has failed, and seen by whoever undoes', async () => {
    using room = openRoom();
    room.ahead.append('r', entries(2));
    room.state.isFull = true;
    await expect(room.ahead.flush('r')).rejects.toThrow('full');
    room.state.isFull = false;
    room.ahead.append('r', [entry(2)]);
    const list = room.ahead.seenThrough(async () => room.stored.map(([, index]) => index));
    expect(await list('r')).toEqual([0, 1, 2]);
    expect(room.files()).toEqual([]);
  });

  test('stay where they are when the store fails', async () => {
    using room = openRoom();
    room.ahead.append('r', entries(2));
    room.state.isFull = true;
    await expect(room.ahead.flush('r')).rejects.toThrow('full');
    room.state.isFull = false;
    killOwner(room);
    await room.open().takeIn();
    expect(room.stored).toHaveLength(2);
  });

  test('are none where nothing was ever written', async () => {
    using room = openRoom();
    await room.ahead.takeIn();
    await room.ahead.flush('r');
    expect(room.stored).toEqual([]);
  });
});
