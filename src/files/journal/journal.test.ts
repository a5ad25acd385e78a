import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOwner, otherDevice, signal } from '../../../test/e2e/files/ports.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { PathTraversalException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { keptAsideName } from '../../lib/fs/own-names.ts';
import { entryOf } from '../entry.ts';
import { discardKept } from './discard.ts';
import { changesIn, type JournalEntry } from './inverse.ts';
import { openJournal } from './journal.ts';
import { copyWhole, createKeeper, type Keeper } from './keep.ts';
import { createReverter } from './revert.ts';
import { placeByHandles } from './undo-files.ts';

const FILES = { 'w/f': '1', 'w/g': '22', 'w/d/x': '3', 'w/d/e/y': '4', 'w/s/x': '55', 'w/s/n/z': '6' };

interface Room extends AsyncDisposable {
  readonly dir: TempDir;
  readonly entries: JournalEntry[];
  readonly port: FilePort;
  readonly lost: string[];
  close(): Promise<void>;
  /** Undoes everything; answers what was refused, as `path: reason`. */
  undo(): Promise<string[]>;
}

const openRoom = (maxBytes = 1e9): Room => {
  const dir = tempDir(FILES);
  symlinkSync('f', dir.at('w/l'));
  chmodSync(dir.at('w/g'), 0o640);
  const entries: JournalEntry[] = [];
  const lost: string[] = [];
  const keeper = createKeeper({ runId: 'r1', stateDirectory: dir.at('state'), limits: { maxBytes, maxFiles: 1e6 } });
  const journal = openJournal({
    keeper,
    append: (more) => void entries.push(...more),
    now: Date.now,
  });
  const told = journal.forCommand(({ path }) => void lost.push(path));
  const undo = async () => {
    const revert = createReverter({ place: placeByHandles, files: openOwner(dir.at('w')), signal });
    const refusals: string[] = [];
    for (const { change, left } of changesIn(entries).toReversed()) {
      const outcome = await revert({ change, left });
      if (!outcome.isUndone) refusals.push(`${change.path.replace(`${dir.path}/`, '')}: ${outcome.reason}`);
    }
    return refusals;
  };
  return {
    dir,
    entries,
    lost,
    port: openOwner(dir.at('w'), told),
    close: journal.close,
    undo,
    async [Symbol.asyncDispose]() {
      await journal.close();
      await discardKept('r1', entries);
      dir[Symbol.dispose]();
    },
  };
};

/** Everything below a directory that undoing must bring back. */
const look = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name);
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) return `${name}/ ${mode}`;
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${mode} ${Math.round(stats.mtimeMs)} ${readFileSync(path, 'latin1')}`;
    });

const edited = (port: FilePort) =>
  port.edit(
    'g',
    async (_, target) => {
      await target.write(Buffer.from('edited'));
      return { value: true, isChanged: true };
    },
    { signal },
  );

const CALLS: readonly (readonly [string, (port: FilePort) => Promise<unknown>])[] = [
  ['a new file', (port) => port.write('new', Buffer.from('x'), { signal })],
  ['a file that must be new', (port) => port.write('new', Buffer.from('x'), { signal, exclusive: true })],
  ['a replaced file', (port) => port.write('f', Buffer.from('longer'), { signal })],
  ['a copy onto a file', (port) => port.copy('f', 'g', { signal, keepMetadata: true })],
  ['a move', (port) => port.move('f', 'd/f', { signal })],
  ['a move onto something', (port) => port.move('f', 'g', { signal })],
  ['a move that must not replace', (port) => port.move('f', 'h', { signal, exclusive: true })],
  ['a moved link', (port) => port.move('l', 'd/l', { signal })],
  ['a moved tree', (port) => port.move('d', 's/d', { signal })],
  ['a removal', (port) => port.remove('g')],
  ['a removed link', (port) => port.remove('l')],
  ['directories', (port) => port.makeDir('a/b/c', { parents: true })],
  ['a link', (port) => port.makeLink('m', 'x')],
  ['a mode', (port) => port.setMode('g', 0o600)],
  ['a time', (port) => port.setTimes('g', { mtimeMs: 1_000_000 })],
  ['a removed tree', (port) => port.removeTree('d', { signal })],
  ['a new tree', (port) => port.copyTree('d', 'new', { signal, keepMetadata: true })],
  ['a merged tree', (port) => port.copyTree('s', 'd', { signal, keepMetadata: true })],
  ['a record behind half a line', (port) => port.append('g', () => ({ record: Buffer.from('x\n'), end: Buffer.from('\n') }), { signal })],
  ['a new file with a record', (port) => port.append('new', () => ({ record: Buffer.from('x\n') }), { signal })],
  ['an edited file', edited],
  ['a file that shares the space of another', (port) => port.share('g', 'f', { signal, how: 'hardlink' })],
];

const ALL = async (port: FilePort) => {
  await port.copyTree('d', 'new', { signal, keepMetadata: true });
  await port.write('new/x', Buffer.from('changed in the new tree'), { signal });
  await port.remove('new/e/y');
  await port.write('f', Buffer.from('once'), { signal });
  await port.write('f', Buffer.from('twice'), { signal });
  for (const record of ['1\n', '2\n']) await port.append('f', () => ({ record: Buffer.from(record), end: Buffer.from('\n') }), { signal });
  for (const record of ['1\n', '2\n']) await port.append('log', () => ({ record: Buffer.from(record) }), { signal });
  await port.move('f', 'g', { signal });
  await port.move('g', 'new/g', { signal });
  await port.removeTree('d', { signal });
  await port.makeDir('d');
  await port.move('s', 'd', { signal });
  await port.setMode('d/x', 0o600);
};

describe('the journal', () => {
  test.each([...CALLS, ['many changes of the same files', ALL] as const])('takes back %s', async (_, call) => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    await call(room.port);
    await room.close();
    expect(look(room.dir.at('w'))).not.toEqual(before);
    expect(await room.undo()).toEqual([]);
    expect(look(room.dir.at('w'))).toEqual(before);
    expect(await room.undo()).toEqual(await room.undo());
  });

  test.each([...CALLS, ['many changes of the same files', ALL] as const])(
    'takes back %s, though the process ended before its last words',
    async (_, call) => {
      await using room = openRoom();
      const before = look(room.dir.at('w'));
      await call(room.port);
      expect(await room.undo()).toEqual([]);
      expect(look(room.dir.at('w'))).toEqual(before);
    },
  );

  test('has nothing to take back where the change did not happen', async () => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    const crash = new Error('killed here');
    const halted = openOwner(room.dir.at('w'), {
      async before(change) {
        const journal = openJournal({
          keeper: createKeeper({ runId: 'r1', stateDirectory: room.dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 1e6 } }),
          append: (more) => void room.entries.push(...more),
          now: Date.now,
        });
        await journal.before(change);
        throw crash;
      },
    });
    for (const [, call] of CALLS) {
      await expect(call(halted)).rejects.toThrow();
      expect(await room.undo()).toEqual([]);
      expect(look(room.dir.at('w'))).toEqual(before);
      await discardKept('r1', room.entries);
      room.entries.length = 0;
    }
  });

  const MEDDLING: readonly (readonly [string, (port: FilePort) => Promise<unknown>, (dir: TempDir) => void, string])[] = [
    ['a new file that was edited', CALLS[0]?.[1] as Call, (dir) => dir.write('w/new', 'mine'), 'w/new: it was changed since'],
    ['a replaced file that was edited', CALLS[2]?.[1] as Call, (dir) => dir.write('w/f', 'mine'), 'w/f: it was changed since'],
    [
      'a file to which others have appended since',
      (port) => port.append('g', () => ({ record: Buffer.from('ours\n') }), { signal }),
      (dir) => appendFileSync(dir.at('w/g'), 'theirs\n'),
      'w/g: something was appended or changed since',
    ],
    [
      'a file of which a part of the record is gone',
      (port) => port.append('g', () => ({ record: Buffer.from('ours\n') }), { signal }),
      (dir) => truncateSync(dir.at('w/g'), 4),
      'w/g: only a part of what was appended is there',
    ],
    [
      'a removed file whose name is taken',
      (port) => port.remove('g'),
      (dir) => dir.write('w/g', 'mine'),
      'w/g: something else stands there now',
    ],
    [
      'a new tree in which something was added',
      (port) => port.copyTree('d', 'new', { signal, keepMetadata: true }),
      (dir) => dir.write('w/new/e/mine', 'mine'),
      'w/new: it was changed since',
    ],
    [
      'a new directory that is used',
      (port) => port.makeDir('a'),
      (dir) => dir.write('w/a/mine', 'mine'),
      'w/a: there is something in it that came since',
    ],
    [
      'a moved file that was edited',
      (port) => port.move('f', 'h', { signal }),
      (dir) => dir.write('w/h', 'mine'),
      'w/h: it was changed since',
    ],
    [
      'a file whose mode was changed again',
      (port) => port.setMode('g', 0o600),
      (dir) => chmodSync(dir.at('w/g'), 0o644),
      'w/g: it was changed since',
    ],
  ];
  type Call = (port: FilePort) => Promise<unknown>;

  test.each(MEDDLING)('refuses %s, by name', async (_, call, meddle, refusal) => {
    await using room = openRoom();
    await call(room.port);
    await room.close();
    meddle(room.dir);
    const changed = look(room.dir.at('w'));
    expect(await room.undo()).toEqual([refusal]);
    expect(look(room.dir.at('w'))).toEqual(changed);
  });

  test('refuses what was touched later where the last words are missing', async () => {
    await using room = openRoom();
    const port = openOwner(room.dir.at('w'), {
      async before(change) {
        const journal = openJournal({
          keeper: createKeeper({ runId: 'r1', stateDirectory: room.dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 1e6 } }),
          append: (more) => void room.entries.push(...more),
          now: () => Date.now() - 10_000,
        });
        await journal.before(change);
      },
    });
    await port.copyTree('d', 'new', { signal, keepMetadata: true });
    expect(await room.undo()).toEqual(['w/new: it was changed since']);
  });

  test('takes back what two processes did for one run, the second after the first was killed', async () => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    await room.port.write('f', Buffer.from('first'), { signal });
    const journal = openJournal({
      keeper: createKeeper({ runId: 'r1', stateDirectory: room.dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 1e6 } }),
      append: (more) => void room.entries.push(...more),
      now: () => Date.now() + 1,
    });
    const port = openOwner(room.dir.at('w'), journal);
    await port.write('f', Buffer.from('second'), { signal });
    await port.copyTree('d', 'new', { signal, keepMetadata: true });
    await journal.close();
    expect(await room.undo()).toEqual([]);
    expect(look(room.dir.at('w'))).toEqual(before);
  });

  test('refuses a path on which a link was put since, and follows it nowhere', async () => {
    await using room = openRoom();
    await room.port.remove('d/x');
    await room.close();
    renameSync(room.dir.at('w/d'), room.dir.at('w/moved'));
    symlinkSync('s', room.dir.at('w/d'));
    const changed = look(room.dir.at('w'));
    expect(await room.undo()).toEqual(['w/d/x: a link leads elsewhere now']);
    expect(() => placeByHandles(room.dir.at('w/d/x'), { access: 'write', followLinks: false })).toThrow(PathTraversalException);
    expect(look(room.dir.at('w'))).toEqual(changed);
  });

  test('does what exceeds its budget and says that it cannot be undone', async () => {
    await using room = openRoom(1);
    await room.port.remove('f');
    await room.port.remove('g');
    await room.close();
    expect(room.lost).toEqual([room.dir.at('w/g')]);
    expect(await room.undo()).toEqual(['w/g: it would exceed the bytes that a run may keep ([store] undo_bytes)']);
    expect(room.dir.read('w/f')).toBe('1');
  });

  test('keeps nothing for a change that was never made', async () => {
    await using room = openRoom();
    const journal = openJournal({
      keeper: createKeeper({ runId: 'r1', stateDirectory: room.dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 10 } }),
      append: () => {},
      now: Date.now,
    });
    const path = room.dir.at('w/g');
    await journal.before({ kind: 'delete', path, entry: entryOf(path, lstatSync(path)) });
    expect(lstatSync(path).nlink).toBe(2);
    await journal.close();
    expect([lstatSync(path).nlink, readdirSync(room.dir.at('state'))]).toEqual([1, []]);
  });

  test('lets files be deleted where its own device is full, keeps nothing of them and tells', async () => {
    await using room = openRoom();
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const keeper = createKeeper({ runId: 'r1', stateDirectory: room.dir.at('state'), limits: { maxBytes: 1e9, maxFiles: 10 } });
    const append = () => {
      throw full;
    };
    const lost: string[] = [];
    const journal = openJournal({ keeper, append, now: Date.now }).forCommand(({ path, reason }) => lost.push(`${path}: ${reason}`));
    const port = openOwner(room.dir.at('w'), journal);
    await port.remove('g');
    await port.removeTree('d', { signal });
    await expect(port.write('f', Buffer.from('new'), { signal })).rejects.toMatchObject({ context: { code: 'ENOSPC' } });
    expect(lost).toEqual(['w/g', 'w/d'].map((name) => `${room.dir.at(name)}: its device has too little room left to keep it`));
    expect([room.dir.read('w/g'), room.dir.read('w/d/x'), room.dir.read('w/f')]).toEqual([undefined, undefined, '1']);
    keeper.close();
    expect(readdirSync(room.dir.at('state'))).toEqual([]);
  });

  test('keeps old files out of sight and for their owner alone', async () => {
    await using room = openRoom();
    await room.port.remove('g');
    await room.close();
    expect(readdirSync(room.dir.path).sort()).toEqual(['state', 'w']);
    expect(lstatSync(room.dir.at(`state/${keptAsideName(room.dir.at('state'))}`)).mode & 0o777).toBe(0o700);
    await discardKept('r1', room.entries);
    expect(readdirSync(room.dir.at('state'))).toEqual([]);
  });
});

/** What is kept as a copy, as where the system refuses second names. */
const keepCopyAt = (directory: string): Keeper => ({
  limits: { maxBytes: 1e9, maxFiles: 1e6 },
  async keep(entry, index) {
    const at = join(directory, String(index));
    await copyWhole(entry, at);
    const { dev, ino } = lstatSync(at);
    return { at, identity: `${dev}:${ino}` };
  },
  placeFor: () => 'only files are copied',
  roomFor: () => 'nothing gets a second name',
  placeBelow: () => undefined,
  expect: () => {},
  giveUp: () => {},
  close: () => {},
});

using probe = otherDevice();
describe.skipIf(probe === undefined)('between devices (needs /dev/shm on one)', () => {
  test('a copy that is kept elsewhere comes back', async () => {
    await using room = openRoom();
    using there = otherDevice();
    if (there === undefined) return;
    const before = look(room.dir.at('w'));
    const journal = openJournal({ keeper: keepCopyAt(there.path), append: (more) => void room.entries.push(...more), now: Date.now });
    const port = openOwner(room.dir.at('w'), journal);
    await port.write('g', Buffer.from('once'), { signal });
    await port.write('g', Buffer.from('twice'), { signal });
    await port.remove('g');
    await journal.close();
    expect(await room.undo()).toEqual([]);
    expect(look(room.dir.at('w'))).toEqual(before);
    expect(readdirSync(there.path)).toEqual([]);
  });

  test('moves come back, and old files stay on their device', async () => {
    await using room = openRoom();
    using there = otherDevice();
    if (there === undefined) return;
    mkdirSync(join(there.path, 'd'));
    writeFileSync(join(there.path, 'old'), 'old');
    utimesSync(join(there.path, 'old'), 1_000, 1_000);
    const before = [look(room.dir.at('w')), look(there.path)];
    await room.port.move('d', join(there.path, 'd'), { signal });
    await room.port.move('f', join(there.path, 'old'), { signal });
    await room.close();
    expect(await room.undo()).toEqual([]);
    expect([look(room.dir.at('w')), look(there.path)]).toEqual(before);
  });
});
