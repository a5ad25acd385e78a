import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../../test/e2e/files/ports.ts';
import { openRecordedHouse } from '../../../../test/e2e/undo/recorded-house.ts';
import { openHouse } from '../../../../test/support/house.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import type { FilePort } from '../../../core/files.ts';
import type { LostAttribute } from '../../../core/journal.ts';

/** What the file system does with the modes and owners that it is given. */
const system = vi.hoisted(() => ({ chmod: 'done' as 'done' | 'refused' | 'ignored' | 'opened', isChownRefused: false }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const refuse = () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  };
  return {
    ...fs,
    fchmodSync: (fd: number, mode: number) => {
      if (system.chmod === 'refused') refuse();
      if (system.chmod !== 'ignored') fs.fchmodSync(fd, system.chmod === 'opened' ? 0o666 : mode);
    },
    fchownSync: (fd: number, uid: number, gid: number) => {
      if (system.isChownRefused) refuse();
      fs.fchownSync(fd, uid, gid);
    },
    // Without the demand for shared blocks, which few file systems have.
    copyFileSync: (from: string, to: string) => fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL),
    // Whose a file is only the superuser can change: every file that is not ours to write is somebody else's.
    lstatSync: (path: string, options?: { readonly bigint?: boolean; readonly throwIfNoEntry?: boolean }) => {
      const stats = fs.lstatSync(path, options as { readonly throwIfNoEntry: true }); // whatever is asked for is handed on
      if (!system.isChownRefused || stats === undefined || options?.bigint === true) return stats;
      return Object.assign(stats, { uid: stats.uid + 1, gid: stats.gid + 1 });
    },
  };
});

/** Modes of new files are what is looked at here; whoever runs this may have another mask. */
process.umask(0o022);

beforeEach(() => {
  system.chmod = 'done';
  system.isChownRefused = false;
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The port of a command and what it was told. */
const forCommand = (port: FilePort): { readonly files: FilePort; readonly lost: LostAttribute[] } => {
  const lost: LostAttribute[] = [];
  const files = port.forCommand?.({ change() {}, attribute: (each) => void lost.push(each) });
  if (files === undefined) throw new Error('the port has nothing to tell');
  return { files, lost };
};

const modeOf = (path: string): number => statSync(path).mode & 0o777;

const edit = (files: FilePort, path: string): Promise<unknown> =>
  files.edit(
    path,
    async (_, target) => {
      await target.write(Buffer.from('new'));
      return { value: undefined, isChanged: true };
    },
    { signal },
  );

const write = (files: FilePort, path: string): Promise<unknown> => files.write(path, Buffer.from('new'), { signal });

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('for %s', (_who, open) => {
  describe.each([
    ['an edit', edit],
    ['a write', write],
  ])('%s', (_what, change) => {
    test('that keeps mode and owner tells nothing', async () => {
      using dir = tempDir({ f: 'old' });
      chmodSync(dir.at('f'), 0o664);
      const { files, lost } = forCommand(open(dir.path));
      await change(files, 'f');
      expect([lost, modeOf(dir.at('f')), dir.read('f')]).toEqual([[], 0o664, 'new']);
    });

    test.each(['refused', 'ignored'] as const)('tells that a mode was %s', async (how) => {
      using dir = tempDir({ f: 'old' });
      chmodSync(dir.at('f'), 0o664);
      system.chmod = how;
      vi.stubEnv('PATH', dir.at('no-programs')); // those that carry attributes over meet the real file system, which takes modes
      const { files, lost } = forCommand(open(dir.path));
      await change(files, 'f');
      expect([lost, modeOf(dir.at('f')), dir.read('f')]).toEqual([[{ path: dir.at('f'), what: 'mode' }], 0o600, 'new']);
    });

    test('tells that the owner was refused, and lets another group do no more than everybody', async () => {
      using dir = tempDir({ f: 'old' });
      chmodSync(dir.at('f'), 0o664);
      system.isChownRefused = true;
      const { files, lost } = forCommand(open(dir.path));
      await change(files, 'f');
      const path = dir.at('f');
      expect([lost, modeOf(path)]).toEqual([
        [
          { path, what: 'owner' },
          { path, what: 'mode' },
        ],
        0o644,
      ]);
    });

    test('fails where others could do more with the new file than with the old one', async () => {
      using dir = tempDir({ f: 'old' });
      chmodSync(dir.at('f'), 0o600);
      system.chmod = 'opened';
      const { files, lost } = forCommand(open(dir.path));
      expect(await failure(change(files, 'f'))).toBe('FileAccessException');
      expect([lost, modeOf(dir.at('f')), dir.read('f'), leftovers(dir.path)]).toEqual([[], 0o600, 'old', []]);
    });
  });
});

test('a new file whose mode is refused is told of; one that got another one is as its file system has it', async () => {
  using dir = tempDir();
  const { files, lost } = forCommand(openOwner(dir.path));
  system.chmod = 'opened';
  await write(files, 'a');
  expect(lost).toEqual([]);
  system.chmod = 'refused';
  await write(files, 'b');
  expect(lost).toEqual([{ path: dir.at('b'), what: 'mode' }]);
});

test.runIf(process.getuid?.() === 0)('the superuser gives a file back to whom it belongs', async () => {
  using dir = tempDir({ f: 'old' });
  chownSync(dir.at('f'), 1234, 2345);
  const { files, lost } = forCommand(openOwner(dir.path));
  await edit(files, 'f');
  expect([lost, statSync(dir.at('f')).uid, statSync(dir.at('f')).gid]).toEqual([[], 1234, 2345]);
});

describe('work on many files whose owners are refused', () => {
  test.each([
    ['the owner', openOwner],
    ['a caller with a policy', openGuarded],
  ])('tells each for %s, as that on single ones does', async (_who, open) => {
    using dir = tempDir({ 's/a': '1', 's/d/b': '2', 's/new': '3', 't/a': 'old', 't/d/b': 'old' });
    system.isChownRefused = true;
    const { files, lost } = forCommand(open(dir.path));
    await files.copyTree('s', 't', { keepMetadata: true, signal });
    expect(lost).toEqual(['t/a', 't/d/b'].map((path) => ({ path: dir.at(path), what: 'owner' })));
    expect(dir.read('t/d/b')).toBe('2');
  });

  test('is told by a sync, the first by name and all by number', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `f${String(at).padStart(2, '0')}`);
    await using house = openHouse({
      files: Object.fromEntries(
        names.flatMap((name) => [
          [`s/${name}`, 'new!'],
          [`t/${name}`, 'old'],
        ]),
      ),
    });
    system.isChownRefused = true;
    const { results } = await house.run([['FA_sync_dir', { src: 's', dst: 't' }]]);
    const paths = names.slice(0, 10).map((name) => house.dir.at(`t/${name}`));
    expect(results[0]).toMatchObject({ status: 'ok', notes: [{ kind: 'attributes_lost', lost: [{ what: 'owner', count: 12, paths }] }] });
    const copied = await house.run([['FA_copy_dir', ['s', 't']]]);
    expect(copied.results[0]).toMatchObject({
      status: 'ok',
      notes: [{ kind: 'attributes_lost', lost: [{ what: 'owner', count: 12, paths }] }],
    });
  });
});

test('a file that shares the space of another one tells what it does not keep of the one it replaces', async () => {
  using dir = tempDir({ f: 'same', g: 'same' });
  chmodSync(dir.at('g'), 0o664);
  const { files, lost } = forCommand(openOwner(dir.path));
  system.isChownRefused = true;
  await files.share('g', 'f', { how: 'reflink', signal });
  expect(lost).toEqual([
    { path: dir.at('g'), what: 'owner' },
    { path: dir.at('g'), what: 'mode' },
  ]);
});

describe('an empty directory that a move has replaced', () => {
  const scene = async () => {
    const dir = tempDir({ 'w/d/a': '1' });
    mkdirSync(dir.at('w/t'));
    if (process.getuid?.() === 0) chownSync(dir.at('w/t'), 1234, 2345);
    const { uid, gid } = statSync(dir.at('w/t'));
    const house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
    const { run_id, results } = await house.run([['FA_rename_dir', ['d', 't']]]);
    expect(results).toMatchObject([{ status: 'ok' }]);
    return { dir, house, run_id, owner: [uid, gid] };
  };

  test('belongs to whom it did when that is undone', async () => {
    const { dir, house, run_id, owner } = await scene();
    using _dir = dir;
    await using _house = house;
    expect(await house.undoRun(run_id)).toMatchObject({ status: 'ok' });
    expect([statSync(dir.at('w/t')).uid, statSync(dir.at('w/t')).gid]).toEqual(owner);
    expect(dir.read('w/d/a')).toBe('1');
  });

  test('is told of where it cannot be given back', async () => {
    system.isChownRefused = true;
    const { dir, house, run_id } = await scene();
    using _dir = dir;
    await using _house = house;
    const undone = await house.undoRun(run_id);
    expect(undone).toMatchObject({ status: 'ok' });
    expect(undone.results.flatMap(({ notes = [] }) => notes)).toMatchObject([
      { kind: 'attributes_lost', lost: [{ what: 'owner', count: 1, paths: [dir.at('w/t')] }] },
    ]);
  });
});
