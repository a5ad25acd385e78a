import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('sees files, directories, links and what is behind them', async () => {
    using dir = tempDir({ f: 'text', 'd/x': '' });
    symlinkSync('f', dir.at('l'));
    const port = open(dir.path);
    expect(await port.stat('f')).toMatchObject({ path: dir.at('f'), name: 'f', kind: 'file', size: 4 });
    expect(await port.stat('l')).toMatchObject({ path: dir.at('l'), name: 'l', kind: 'file', size: 4 });
    expect((await port.stat('l'))?.identity).toBe((await port.stat('f'))?.identity);
    expect((await port.stat('l', { followLinks: false }))?.kind).toBe('link');
    expect((await port.stat('d'))?.kind).toBe('dir');
    expect((await port.stat('.'))?.kind).toBe('dir');
    expect(await port.readLink('l')).toBe('f');
  });

  test('sees nothing where nothing is: missing, below a file, behind a dangling link', async () => {
    using dir = tempDir({ f: '' });
    symlinkSync('nowhere', dir.at('l'));
    const port = open(dir.path);
    for (const path of ['x', 'x/y', 'f/x', 'f/x/y', 'l', 'l/x']) expect(await port.stat(path)).toBeUndefined();
    for (const path of ['x', 'x/y', 'f/x', 'l']) expect(await failure(port.read(path))).toBe('FileNotExistsException');
    for (const path of ['x', 'f', 'f/x', 'l']) expect(await failure(port.list(path))).toBe('DirNotExistsException');
    expect(await failure(port.readLink('f'))).toBe('FileAccessException');
    expect(await failure(port.readLink('x'))).toBe('FileNotExistsException');
  });

  test('reads whole files, parts, and files of the system that tell no size', async () => {
    using dir = tempDir({ f: '0123456789', empty: '' });
    const port = open(dir.path);
    expect(String(await port.read('f'))).toBe('0123456789');
    expect(String(await port.read('f', { offset: 3, limit: 4 }))).toBe('3456');
    expect(String(await port.read('f', { offset: 20 }))).toBe('');
    expect(String(await port.read('empty'))).toBe('');
    expect(String(await openOwner(dir.path).read('/proc/self/status'))).toContain(`Pid:\t${process.pid}`);
  });

  test('refuses to take a huge file into memory', async () => {
    using dir = tempDir({ f: '' });
    truncateSync(dir.at('f'), 65 * 1024 * 1024);
    expect(await failure(open(dir.path).read('f'))).toBe('FileAccessException');
    expect((await open(dir.path).read('f', { offset: 10, limit: 5 })).byteLength).toBe(5);
  });

  test('streams a large file in chunks and reads at any place', async () => {
    using dir = tempDir();
    const bytes = Buffer.from(Array.from({ length: 1_000_003 }, (_, at) => at % 251));
    dir.write('f', bytes);
    await using reader = await open(dir.path).open('f');
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.stream({ chunkBytes: 100_000 })) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    const some: Uint8Array[] = [];
    for await (const chunk of reader.stream({ start: 500_000, end: 500_010 })) some.push(chunk);
    expect(Buffer.concat(some)).toEqual(bytes.subarray(500_000, 500_010));
    const into = Buffer.alloc(10);
    expect(await reader.readAt(into, 999_998)).toBe(5);
    expect(into.subarray(0, 5)).toEqual(bytes.subarray(999_998));
  });

  test('never waits at a pipe and opens no device', async () => {
    using dir = tempDir();
    execFileSync('mkfifo', [dir.at('pipe')]);
    symlinkSync('/dev/zero', dir.at('zero'));
    const port = open(dir.path);
    expect(await port.stat('pipe')).toMatchObject({ kind: 'other' });
    expect(await failure(port.open('pipe'))).toBe('FileAccessException');
    expect(await failure(port.read('pipe'))).toBe('FileAccessException');
    expect(await failure(openOwner(dir.path).read('zero'))).toBe('FileAccessException');
  });

  test('reports a name that is not UTF-8 instead of acting on a wrong one', async () => {
    using dir = tempDir({ 'd/ok': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${dir.at('d')}/`), Buffer.from([0xff])]), '');
    expect(await failure(open(dir.path).list('d'))).toBe('FileAccessException');
    await expect(open(dir.path).list('d')).rejects.toThrow(`${dir.at('d')}/\\xff goes through`);
    expect(await failure(open(dir.path).stat('d/\ud800'))).toBe('ArgumentException');
  });

  test('says which path cannot be read', async () => {
    using dir = tempDir({ 'd/f': '' });
    symlinkSync('l', dir.at('l'));
    const port = open(dir.path);
    await expect(port.stat('l')).rejects.toMatchObject({ type: 'FileAccessException', context: { path: dir.at('l'), code: 'ELOOP' } });
    await expect(port.stat(`d/${'x'.repeat(256)}`)).rejects.toMatchObject({ context: { code: 'ENAMETOOLONG' } });
    await expect(port.read('d')).rejects.toMatchObject({ type: 'FileNotExistsException', context: { path: dir.at('d'), code: 'EISDIR' } });
  });
});

test('a fault while reading names the file, not its descriptor', async () => {
  using dir = tempDir();
  // Reading the memory of a process at a place that is not there fails while the file is open.
  await using reader = await openOwner(dir.path).open('/proc/self/mem');
  await expect(reader.readAt(Buffer.alloc(10), 0)).rejects.toMatchObject({
    type: 'FileAccessException',
    context: { path: '/proc/self/mem' },
  });
  await expect(reader.stream()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ context: { path: '/proc/self/mem' } });
});

test('a reader that was closed reads nothing, whoever has its number now', async () => {
  using dir = tempDir({ f: 'mine', secret: 'not mine' });
  const reader = await openOwner(dir.path).open('f');
  await reader[Symbol.asyncDispose]();
  const other = openSync(dir.at('secret'), 'r');
  const into = Buffer.alloc(8);
  await expect(reader.readAt(into, 0)).rejects.toMatchObject({ type: 'FileAccessException' });
  expect(into).toEqual(Buffer.alloc(8));
  closeSync(other);
});

test.skipIf(process.getuid?.() !== 0)('a directory that cannot be listed is a typed error (needs root to become nobody)', async () => {
  using dir = tempDir({ 'd/f': '' });
  mkdirSync(dir.at('d/locked'), { mode: 0o700 });
  chmodSync(dir.path, 0o777);
  chmodSync(dir.at('d'), 0o777);
  const port = openOwner(dir.path);
  process.seteuid?.(65534);
  try {
    await expect(port.list('d/locked')).rejects.toMatchObject({
      type: 'FileAccessException',
      context: { path: dir.at('d/locked'), code: 'EACCES' },
    });
    await expect(port.removeTree('d', { signal })).rejects.toMatchObject({
      type: 'FileAccessException',
      context: { path: dir.at('d/locked') },
    });
    await expect(port.copyTree('d', 'e', { signal, keepMetadata: true })).rejects.toMatchObject({ context: { path: dir.at('d/locked') } });
  } finally {
    process.seteuid?.(0);
  }
  expect(leftovers(dir.path)).toEqual([]);
});
