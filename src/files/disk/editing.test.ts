import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { openFailingCalls } from '../../../test/support/failing-calls.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Edited, EditTarget, FilePort, Reader } from '../../core/files.ts';
import { readWhole } from '../../lib/fs/edit-file.ts';
import { placeAnywhere } from '../place.ts';
import { createRealFiles } from '../real.ts';

type Change = (source: Reader, target: EditTarget) => Promise<Edited<string>>;

/** Puts a word behind what is there; `meddle` is called when the file was read, with the number of the try. */
const adding = (word: string, meddle: (tries: number) => void = () => {}): Change => {
  let tries = 0;
  return async (source, target) => {
    const before = String(await readWhole(source));
    tries += 1;
    meddle(tries);
    await target.write(Buffer.from(`${before}${word}`));
    return { value: before, isChanged: true };
  };
};

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('edits of one file come one after the other, through whatever path', async () => {
    using dir = tempDir({ f: '' });
    symlinkSync('f', dir.at('l'));
    const ports = [open(dir.path), open(dir.path), openOwner(dir.path)];
    await Promise.all(Array.from({ length: 30 }, (_, at) => (ports[at % 3] as FilePort).edit(at % 2 ? 'f' : 'l', adding('x'), { signal })));
    expect(dir.read('f')).toBe('x'.repeat(30));
    expect(leftovers(dir.path)).toEqual([]);
  });

  const MEDDLERS: readonly (readonly [string, (path: string) => void, string])[] = [
    ['appends', (path) => appendFileSync(path, 'theirs '), 'old theirs ours'],
    [
      'replaces it by another file',
      (path) => {
        writeFileSync(`${path}.new`, 'theirs ');
        renameSync(`${path}.new`, path);
      },
      'theirs ours',
    ],
    ['writes as many bytes', (path) => writeFileSync(path, 'odl '), 'odl ours'],
    [
      'writes as many bytes and sets the time back',
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, 'odl ');
        utimesSync(path, atime, mtime);
      },
      'odl ours',
    ],
    ['cuts it off', (path) => writeFileSync(path, ''), 'ours'],
  ];

  test.each(MEDDLERS)('somebody else who %s meanwhile is taken in', async (_, meddle, result) => {
    using dir = tempDir({ f: 'old ' });
    await open(dir.path).edit(
      'f',
      adding('ours', (tries) => tries === 1 && meddle(dir.at('f'))),
      { signal },
    );
    expect(dir.read('f')).toBe(result);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('a change that fails on half of what somebody was writing is made again', async () => {
    using dir = tempDir({ f: '{"n":' });
    const value = await open(dir.path).edit(
      'f',
      async (source) => {
        const text = String(await readWhole(source));
        if (!text.endsWith('}')) appendFileSync(dir.at('f'), '1}');
        return { value: JSON.parse(text), isChanged: false };
      },
      { signal },
    );
    expect(value).toEqual({ n: 1 });
  });

  test('a large file that was just written, and is written again, is taken in', async () => {
    const old = 'a'.repeat(2_000_000);
    using dir = tempDir({ f: old });
    const other = 'b'.repeat(2_000_000);
    await open(dir.path).edit(
      'f',
      adding('ours', (tries) => tries === 1 && writeFileSync(dir.at('f'), other)),
      { signal },
    );
    expect(dir.read('f')).toBe(`${other}ours`);
  });

  test('somebody who never rests is not overwritten but named', async () => {
    using dir = tempDir({ f: '' });
    const editing = open(dir.path).edit(
      'f',
      adding('ours', () => appendFileSync(dir.at('f'), 'theirs ')),
      { signal },
    );
    await expect(editing).rejects.toMatchObject({
      type: 'FileAccessException',
      retryable: true,
      message: expect.stringContaining('keeps changing'),
    });
    expect(dir.read('f')).toMatch(/^(theirs )+$/);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('nothing to change leaves the very same file', async () => {
    using dir = tempDir({ f: 'old' });
    const before = statSync(dir.at('f'));
    const value = await open(dir.path).edit('f', async () => ({ value: 7, isChanged: false }), { signal });
    expect([value, statSync(dir.at('f')).ino, dir.read('f')]).toEqual([7, before.ino, 'old']);
  });

  test('a failing change leaves the old file and no other', async () => {
    using dir = tempDir({ f: 'old' });
    const editing = open(dir.path).edit(
      'f',
      async (_, target) => {
        await target.write(Buffer.from('half'));
        throw new Error('broken');
      },
      { signal },
    );
    await expect(editing).rejects.toThrow();
    expect([dir.read('f'), leftovers(dir.path)]).toEqual(['old', []]);
  });

  test('mode and owner stay, the right to act as the owner does not', async () => {
    using dir = tempDir({ f: 'old' });
    if (process.getuid?.() === 0) chownSync(dir.at('f'), 1234, 4321);
    const { uid, gid } = statSync(dir.at('f'));
    chmodSync(dir.at('f'), 0o4750);
    await open(dir.path).edit('f', adding('x'), { signal });
    const after = statSync(dir.at('f'));
    expect([after.uid, after.gid, after.mode & 0o7777]).toEqual([uid, gid, 0o750]);
  });

  test('what is no file is refused as elsewhere', async () => {
    using dir = tempDir({ 'd/x': '' });
    const port = open(dir.path);
    expect(await failure(port.edit('missing', adding('x'), { signal }))).toBe('FileNotExistsException');
    expect(await failure(port.edit('d', adding('x'), { signal }))).toBe('FileNotExistsException');
    expect(await failure(port.edit('no/such', adding('x'), { signal }))).toBe('FileNotExistsException');
  });
});

test('a caller may not edit where it may only read', async () => {
  using dir = tempDir({ f: 'old' });
  const port = openGuarded(dir.path, { readWrite: [], readOnly: [dir.path] });
  await expect(port.edit('f', adding('x'), { signal })).rejects.toThrow();
  expect(dir.read('f')).toBe('old');
});

test('whoever waits for its turn stops at its signal, and the next one gets it', async () => {
  using dir = tempDir({ f: '' });
  const port = openOwner(dir.path);
  const stop = new AbortController();
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const first = port.edit(
    'f',
    async (source, target) => {
      await gate;
      return adding('1')(source, target);
    },
    { signal },
  );
  const second = port.edit('f', adding('2'), { signal: stop.signal });
  const third = port.edit('f', adding('3'), { signal });
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow();
  go();
  await Promise.all([first, third]);
  expect(dir.read('f')).toBe('13');
});

/** A port whose path is checked twice for each edit; the second time the old file has lost its name. */
const openMeddled = (cwd: string, afterRename: () => void): FilePort =>
  createRealFiles({
    cwd,
    policy: undefined,
    budget: undefined,
    place(absolute, options) {
      const spot = placeAnywhere(absolute, options);
      let checks = 0;
      return {
        ...spot,
        demandInPlace() {
          checks += 1;
          if (checks === 2) afterRename();
        },
      };
    },
  });

test('what is appended in the moment of the rename, to a file without a name, comes along', async () => {
  using dir = tempDir({ f: 'old ' });
  const writer = openSync(dir.at('f'), 'a');
  await openMeddled(dir.path, () => writeSync(writer, ' theirs')).edit('f', adding('ours'), { signal });
  closeSync(writer);
  expect(dir.read('f')).toBe('old ours theirs');
});

test('what is changed in the moment of the rename and cannot come along is told', async () => {
  using dir = tempDir({ f: 'old ' });
  const writer = openSync(dir.at('f'), 'r+');
  const editing = openMeddled(dir.path, () => writeSync(writer, 'OLD ', 0)).edit('f', adding('ours'), { signal });
  await expect(editing).rejects.toMatchObject({
    type: 'FileAccessException',
    message: expect.stringContaining('in the moment it was replaced'),
  });
  closeSync(writer);
});

/** Not every file system has attributes. */
const hasAttributes = (() => {
  using dir = tempDir({ a: '' });
  return spawnSync('setfattr', ['-n', 'user.note', '-v', 'x', dir.at('a')]).status === 0;
})();

test.runIf(hasAttributes)('attributes and access lists stay through many edits, also those that come in between', async () => {
  using dir = tempDir({ f: '' });
  const port = openOwner(dir.path);
  const names = () =>
    execFileSync('getfattr', ['--absolute-names', '-m', '-', dir.at('f')], { encoding: 'utf8' }).match(/^(user|system)\..*$/gm);
  await port.edit('f', adding('1'), { signal });
  expect(names()).toBeNull();
  execFileSync('setfattr', ['-n', 'user.note', '-v', 'kept', dir.at('f')]);
  await port.edit('f', adding('2'), { signal });
  execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('f')]);
  const list = execFileSync('getfacl', ['-c', '--absolute-names', dir.at('f')], { encoding: 'utf8' });
  await port.edit('f', adding('3'), { signal });
  await port.edit('f', adding('4'), { signal });
  expect([dir.read('f'), names()?.sort()]).toEqual(['1234', ['system.posix_acl_access', 'user.note']]);
  expect(execFileSync('getfacl', ['-c', '--absolute-names', dir.at('f')], { encoding: 'utf8' })).toBe(list);
});

test('what cannot be kept is told', async () => {
  using dir = tempDir({ f: '' });
  const before = process.env.PATH;
  process.env.PATH = dir.at('nowhere');
  const lost: string[] = [];
  try {
    await openOwner(dir.path).edit('f', adding('1'), { signal, onLost: (reason) => lost.push(reason) });
  } finally {
    process.env.PATH = before;
  }
  expect([dir.read('f'), lost]).toEqual(['1', [expect.stringContaining('getfattr')]]);
});

test('whichever call the device fails at, an edit is made once or not at all', async () => {
  using calls = await openFailingCalls();
  const editWith = async (at: number) => {
    using dir = tempDir({ f: 'a' });
    calls.begin({ code: 'ENOSPC', at, below: dir.path });
    const fault = await openOwner(dir.path)
      .edit('f', adding('x'), { signal })
      .then(
        () => 'none',
        () => 'failed',
      );
    return { ...calls.end(), fault, text: dir.read('f') };
  };
  const { count } = await editWith(Number.POSITIVE_INFINITY);
  expect(count).toBeGreaterThan(3);
  for (let at = 0; at < count; at += 1) {
    const { failed, fault, text } = await editWith(at);
    expect([failed, fault, text]).toEqual([failed, fault, fault === 'none' ? 'ax' : expect.stringMatching(/^ax?$/)]);
  }
});
