import { execFileSync } from 'node:child_process';
import {
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PathTraversalException } from '../../core/errors.ts';
import type { OpenDirectory } from './directory-handle.ts';
import { openDirectory } from './handles.ts';
import { openDirectoryByPath } from './handles-by-path.ts';

let parent: string;
let base: string;
let outside: string;

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-handles-')));
  base = join(parent, 'base');
  outside = join(parent, 'outside');
  mkdirSync(join(base, 'd/x'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(base, 'd/f'), 'inside');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(outside, 'f'), 'secret');
});
afterEach(() => rmSync(parent, { recursive: true }));

/** What a hostile neighbour does between check and use. */
function swapForLink(path: string): void {
  renameSync(path, `${path}-moved`);
  symlinkSync(outside, path);
}

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

const WAYS: readonly (readonly [string, OpenDirectory])[] = [
  ['by descriptor', openDirectory],
  ['by path', openDirectoryByPath],
];

describe.each(WAYS)('a directory held open %s', (_, open) => {
  test('is reached by its segments and leads to its entries', async () => {
    using directory = open(base, ['d']);
    expect(directory.realPath).toBe(join(base, 'd'));
    expect(fstatSync(directory.fd).isDirectory()).toBe(true);
    expect(readFileSync(directory.address('f'), 'utf8')).toBe('inside');
    expect(readdirSync(directory.address()).sort()).toEqual(['f', 'x']);
    await using file = await directory.openFile('f', constants.O_RDONLY);
    expect(await file.readFile('utf8')).toBe('inside');
  });

  test('makes directories and enters them', () => {
    using root = open(base, []);
    root.makeDir('new', 0o700);
    using made = root.enter('new');
    made.makeDir('deep');
    expect(made.realPath).toBe(join(base, 'new'));
    expect(existsSync(join(base, 'new/deep'))).toBe(true);
    expect(fstatSync(made.fd).mode & 0o777).toBe(0o700);
    expect(() => root.makeDir('new')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  });

  test('refuses a link or a file as a segment or as the root', () => {
    symlinkSync('d', join(base, 'l'));
    for (const segments of [['l'], ['l', 'x'], ['d', 'f'], ['d', 'f', 'g']]) {
      expect(() => open(base, segments)).toThrow(PathTraversalException);
    }
    expect(() => open(join(base, 'l'), [])).toThrow(PathTraversalException);
    expect(() => open(join(base, 'd/f'), [])).toThrow(PathTraversalException);
  });

  test('leaves a missing segment to the system', () => {
    expect(() => open(base, ['none'])).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => open(join(base, 'none'), [])).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test.each(['', '.', '..', 'a/b', '/', 'a\0b'])('refuses %j as a name', async (name) => {
    using directory = open(base, ['d']);
    expect(() => directory.address(name)).toThrow(PathTraversalException);
    expect(() => directory.enter(name)).toThrow(PathTraversalException);
    expect(() => directory.makeDir(name)).toThrow(PathTraversalException);
    await expect(directory.openFile(name, constants.O_RDONLY)).rejects.toThrow(PathTraversalException);
  });

  test('leaves no descriptor open, whether the walk succeeds or fails', () => {
    const before = openDescriptors();
    open(base, ['d', 'x'])[Symbol.dispose]();
    expect(() => open(base, ['d', 'none'])).toThrow('ENOENT');
    expect(() => open(base, ['d', 'f'])).toThrow(PathTraversalException);
    expect(openDescriptors()).toBe(before);
  });

  test('has no address after it is disposed, which may happen twice', () => {
    const directory = open(base, ['d']);
    directory[Symbol.dispose]();
    directory[Symbol.dispose]();
    expect(() => directory.address('f')).toThrow(expect.objectContaining({ code: 'EBADF' }));
  });

  test('does not open a link, for reading or for creating what it names', async () => {
    symlinkSync(join(outside, 'secret.txt'), join(base, 'd/link'));
    symlinkSync(join(outside, 'new'), join(base, 'd/dangling'));
    using directory = open(base, ['d']);
    await expect(directory.openFile('link', constants.O_RDONLY)).rejects.toThrow(PathTraversalException);
    await expect(directory.openFile('link', constants.O_WRONLY | constants.O_TRUNC)).rejects.toThrow(PathTraversalException);
    await expect(directory.openFile('dangling', constants.O_WRONLY | constants.O_CREAT)).rejects.toThrow(PathTraversalException);
    await expect(directory.openFile('none', constants.O_RDONLY)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(outside).sort()).toEqual(['f', 'secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  test('does not wait at a pipe that nobody writes to', async () => {
    execFileSync('mkfifo', [join(base, 'd/pipe')]);
    using directory = open(base, ['d']);
    await using pipe = await directory.openFile('pipe', constants.O_RDONLY);
    expect((await pipe.stat()).isFIFO()).toBe(true);
  });

  test('refuses to enter what became a link after it was listed', () => {
    using directory = open(base, ['d']);
    expect(readdirSync(directory.address())).toContain('x');
    swapForLink(join(base, 'd/x'));
    expect(() => directory.enter('x')).toThrow(PathTraversalException);
  });

  test('refuses a level that was swapped between its making and its entering', () => {
    using root = open(base, []);
    root.makeDir('new');
    swapForLink(join(base, 'new'));
    expect(() => root.enter('new')).toThrow(PathTraversalException);
  });
});

test('by descriptor, work goes on in the directory that was opened after its path became a link', async () => {
  using directory = openDirectory(base, ['d']);
  swapForLink(join(base, 'd'));
  await using read = await directory.openFile('f', constants.O_RDONLY);
  expect(await read.readFile('utf8')).toBe('inside');
  await using made = await directory.openFile('g', constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  await made.writeFile('new');
  directory.makeDir('y');
  renameSync(directory.address('g'), directory.address('h'));
  expect(readdirSync(join(base, 'd-moved')).sort()).toEqual(['f', 'h', 'x', 'y']);
  expect(readdirSync(outside).sort()).toEqual(['f', 'secret.txt']);
});

test('by path, a directory whose path became a link is refused', async () => {
  using directory = openDirectoryByPath(base, ['d']);
  swapForLink(join(base, 'd'));
  expect(() => directory.address('f')).toThrow(PathTraversalException);
  expect(() => directory.makeDir('y')).toThrow(PathTraversalException);
  await expect(directory.openFile('f', constants.O_RDONLY)).rejects.toThrow(PathTraversalException);
  expect(readdirSync(outside).sort()).toEqual(['f', 'secret.txt']);
});
