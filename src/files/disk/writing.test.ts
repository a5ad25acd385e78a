import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { CancelledException } from '../../core/errors.ts';
import { openBudget } from '../../core/quota.ts';

const MIB = 1024 * 1024;
const bytes = (text: string) => Buffer.from(text);

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('writes new files and replaces old ones, mode and all', async () => {
    using dir = tempDir({ old: 'old' });
    chmodSync(dir.at('old'), 0o640);
    const port = open(dir.path);
    await port.write('old', bytes('new'), { signal });
    await port.write('fresh', bytes(''), { signal });
    await port.write('given', bytes('x'), { signal, mode: 0o600, mtimeMs: 1_234_567 });
    expect([dir.read('old'), dir.read('fresh')]).toEqual(['new', '']);
    expect(['old', 'fresh', 'given'].map((name) => statSync(dir.at(name)).mode & 0o7777)).toEqual([0o640, 0o666 & ~process.umask(), 0o600]);
    expect(statSync(dir.at('given')).mtimeMs).toBe(1_234_567);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('writes through a link to where it ends, dangling or not, and keeps the link', async () => {
    using dir = tempDir({ 'd/f': 'old' });
    symlinkSync('d/f', dir.at('l'));
    symlinkSync('d/new', dir.at('m'));
    const port = open(dir.path);
    await port.write('l', bytes('1'), { signal });
    await port.write('m', bytes('2'), { signal });
    expect([dir.read('d/f'), dir.read('d/new'), lstatSync(dir.at('l')).isSymbolicLink()]).toEqual(['1', '2', true]);
  });

  test('shows nothing before the end, and nothing at all without it', async () => {
    using dir = tempDir({ f: 'old' });
    const port = open(dir.path);
    {
      await using writer = await port.create('f', { signal });
      await writer.write(bytes('ne'));
      await writer.write(bytes('w'));
      expect(dir.read('f')).toBe('old');
      expect(leftovers(dir.path)).toHaveLength(1);
      expect(lstatSync(leftovers(dir.path)[0] ?? '').mode & 0o777).toBe(0o600);
      await writer.commit();
      expect(dir.read('f')).toBe('new');
    }
    {
      await using writer = await port.create('f', { signal });
      await writer.write(bytes('never'));
    }
    expect([dir.read('f'), leftovers(dir.path)]).toEqual(['new', []]);
  });

  test('writes at any place, in any order, and large chunks whole', async () => {
    using dir = tempDir();
    const large = Buffer.alloc(3 * MIB + 7, 'l');
    {
      await using writer = await open(dir.path).create('f', { signal });
      await writer.writeAt(bytes('end'), 5);
      await writer.writeAt(bytes('start'), 0);
      await Promise.all([writer.write(large), writer.write(bytes('!'))]);
      await writer.commit();
    }
    expect(readFileSync(dir.at('f')).equals(Buffer.concat([bytes('startend'), large, bytes('!')]))).toBe(true);
  });

  test('refuses what cannot be written, with the right name for it', async () => {
    using dir = tempDir({ f: 'old', 'd/x': '' });
    execFileSync('mkfifo', [dir.at('pipe')]);
    const port = open(dir.path);
    const write = (path: string, exclusive = false) => failure(port.write(path, bytes('x'), { signal, exclusive }));
    expect(await write('d')).toBe('FileAccessException');
    expect(await write('pipe')).toBe('FileAccessException');
    expect(await write('f/x')).toBe('PathExistsException');
    expect(await write('f', true)).toBe('PathExistsException');
    expect(await write('new', true)).toEqual({ value: undefined });
    await expect(port.write('no/such/f', bytes(''), { signal, needsDirectory: true })).rejects.toMatchObject({
      type: 'DirNotExistsException',
      context: { path: dir.at('no/such') },
    });
    expect([dir.read('f'), leftovers(dir.path)]).toEqual(['old', []]);
  });

  test('lets only one of two take a name exclusively', async () => {
    using dir = tempDir();
    const port = open(dir.path);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, at) => failure(port.write('f', bytes(`${at}`), { signal, exclusive: true }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'PathExistsException')).toHaveLength(7);
    expect(outcomes[Number(dir.read('f'))]).toEqual({ value: undefined });
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('leaves a whole file when many write it at once', async () => {
    using dir = tempDir();
    const port = open(dir.path);
    await Promise.all(
      Array.from({ length: 16 }, (_, at) => port.write('f', Buffer.alloc(600_000, `${at % 10}`), { signal, durable: false })),
    );
    expect(dir.read('f')).toMatch(/^(\d)\1{599999}$/);
  });

  test('takes names of 255 bytes', async () => {
    using dir = tempDir();
    const name = `${'é'.repeat(127)}x`;
    await open(dir.path).write(name, bytes('1'), { signal });
    await open(dir.path).copy(name, 'y'.repeat(255), { signal, keepMetadata: true });
    expect(dir.read('y'.repeat(255))).toBe('1');
    expect(await failure(open(dir.path).write('z'.repeat(256), bytes(''), { signal }))).toBe('FileAccessException');
  });

  test('copies content, mode and time, or content alone', async () => {
    using dir = tempDir({ f: 'text' });
    chmodSync(dir.at('f'), 0o4750);
    utimesSync(dir.at('f'), 1000, 2000);
    const port = open(dir.path);
    await port.copy('f', 'kept', { signal, keepMetadata: true });
    await port.copy('f', 'bare', { signal, keepMetadata: false });
    const [kept, bare] = [statSync(dir.at('kept')), statSync(dir.at('bare'))];
    expect([dir.read('kept'), kept.mode & 0o7777, kept.mtimeMs]).toEqual(['text', 0o750, 2_000_000]);
    expect([dir.read('bare'), bare.mode & 0o7777, bare.mtimeMs > 2_000_000]).toEqual(['text', 0o666 & ~process.umask(), true]);
  });

  test('copies large files and tells how far it is', async () => {
    using dir = tempDir({ f: Buffer.alloc(3 * MIB + 1, 'x') });
    let told = 0;
    const onBytes = (count: number) => {
      told += count;
    };
    await open(dir.path).copy('f', 'g', { signal, keepMetadata: true, onBytes });
    expect(told).toBe(3 * MIB + 1);
    expect(readFileSync(dir.at('g')).equals(readFileSync(dir.at('f')))).toBe(true);
  });

  test('copies a file onto itself or another name of it and leaves it whole', async () => {
    using dir = tempDir({ f: 'text' });
    linkSync(dir.at('f'), dir.at('same'));
    symlinkSync('f', dir.at('l'));
    const port = open(dir.path);
    for (const target of ['f', 'same', 'l']) await port.copy('f', target, { signal, keepMetadata: true });
    expect(['f', 'same', 'l'].map(dir.read)).toEqual(['text', 'text', 'text']);
  });

  test('refuses a file that is written to while it is copied, where that is asked for', async () => {
    using dir = tempDir({ log: Buffer.alloc(2 * MIB, 'l'), target: 'old' });
    const options = { signal, keepMetadata: true, isSettled: true };
    const copying = open(dir.path).copy('log', 'target', { ...options, onBytes: () => appendFileSync(dir.at('log'), 'more') });
    await expect(copying).rejects.toMatchObject({ type: 'FileAccessException', retryable: true, context: { path: dir.at('log') } });
    expect([dir.read('target'), leftovers(dir.path)]).toEqual(['old', []]);
    await open(dir.path).copy('log', 'target', options);
    expect(dir.read('target')).toBe(dir.read('log'));
  });

  test('copies what a growing file held, and refuses one that shrinks', async () => {
    using dir = tempDir({ log: Buffer.alloc(2 * MIB, 'l'), shrinking: Buffer.alloc(2 * MIB, 's'), target: 'old' });
    const port = open(dir.path);
    await port.copy('log', 'copy', { signal, keepMetadata: true, onBytes: () => appendFileSync(dir.at('log'), 'more') });
    expect(statSync(dir.at('copy')).size).toBe(2 * MIB);
    const copying = port.copy('shrinking', 'target', { signal, keepMetadata: true, onBytes: () => truncateSync(dir.at('shrinking'), 10) });
    await expect(copying).rejects.toMatchObject({ type: 'FileAccessException', retryable: true, context: { path: dir.at('shrinking') } });
    expect([dir.read('target'), leftovers(dir.path)]).toEqual(['old', []]);
  });

  test('stops when cancelled and leaves the old file', async () => {
    using dir = tempDir({ f: Buffer.alloc(3 * MIB), target: 'old' });
    const port = open(dir.path);
    const stop = new AbortController();
    const copying = port.copy('f', 'target', { signal: stop.signal, keepMetadata: true, onBytes: () => stop.abort() });
    expect(await failure(copying)).toBe('CancelledException');
    expect(await failure(port.write('target', bytes('x'), { signal: AbortSignal.abort() }))).toBe('CancelledException');
    const typed = new CancelledException('Enough.');
    await expect(port.write('target', bytes('x'), { signal: AbortSignal.abort(typed) })).rejects.toBe(typed);
    expect([dir.read('target'), leftovers(dir.path)]).toEqual(['old', []]);
  });

  test('stops at the last moment before the name is taken', async () => {
    using dir = tempDir({ f: 'old' });
    const stop = new AbortController();
    await using writer = await open(dir.path).create('f', { signal: stop.signal });
    await writer.write(bytes('new'));
    stop.abort();
    expect(await failure(writer.commit())).toBe('CancelledException');
    expect(dir.read('f')).toBe('old');
  });

  test('counts bytes while they flow and leaves nothing behind when they are too many', async () => {
    using dir = tempDir({ big: Buffer.alloc(2 * MIB), f: 'old' });
    const port = open(dir.path, { budget: openBudget(MIB, undefined) });
    let copied = 0;
    const onBytes = (count: number) => {
      copied += count;
    };
    expect(await failure(port.copy('big', 'f', { signal, keepMetadata: true, onBytes }))).toBe('QuotaExceededException');
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThanOrEqual(MIB);
    {
      await using writer = await port.create('f', { signal });
      expect(await failure(writer.write(Buffer.alloc(2 * MIB)))).toBe('QuotaExceededException');
    }
    expect([dir.read('f'), leftovers(dir.path)]).toEqual(['old', []]);
  });

  test('reaches paths of 4095 bytes', async () => {
    using dir = tempDir();
    let deep = dir.path;
    while (deep.length < 4095 - 200) deep += `/${'n'.repeat(199)}`;
    deep += `/${'x'.repeat(4095 - deep.length - 3)}`;
    mkdirSync(deep, { recursive: true });
    const port = open(dir.path);
    await port.write(`${deep}/f`, bytes('deep'), { signal });
    await port.copy(`${deep}/f`, `${deep}/g`, { signal, keepMetadata: true });
    await port.move(`${deep}/g`, `${deep}/h`, { signal });
    expect(String(await port.read(`${deep}/h`))).toBe('deep');
    expect(readdirSync(deep)).toEqual(['f', 'h']);
    expect(await failure(port.write(`${deep}/too/long`, bytes(''), { signal }))).toBe('FileAccessException');
  });
});

describe('a replaced file', () => {
  test('gives its owner to the new one and its special rights to nobody', async () => {
    using dir = tempDir({ f: 'old' });
    if (process.getuid?.() === 0) chownSync(dir.at('f'), 1234, 1234);
    chmodSync(dir.at('f'), 0o6755);
    const before = statSync(dir.at('f'));
    await openOwner(dir.path).write('f', bytes('new'), { signal });
    const after = statSync(dir.at('f'));
    expect([after.uid, after.gid, after.mode & 0o7777]).toEqual([before.uid, before.gid, 0o755]);
  });

  test.each([
    ['a directory', mkdirSync, 'FileAccessException'],
    ['a link', (path: string) => symlinkSync('secret', path), 'PathTraversalException'],
  ])('that became %s meanwhile stays', async (_, put, type) => {
    using dir = tempDir({ secret: 'secret' });
    await using writer = await openOwner(dir.path).create('f', { signal });
    put(dir.at('f'));
    expect(await failure(writer.commit())).toBe(type);
    expect([dir.read('secret'), lstatSync(dir.at('f')).isFile()]).toEqual(['secret', false]);
  });
});

/** Some file systems, such as those in memory, have no such end. */
const canBeThatLong = (path: string, length: number): boolean => {
  try {
    truncateSync(path, length);
    return true;
  } catch {
    return false;
  }
};

test('a fault while writing names the file, not its temporary name', async ({ skip }) => {
  using dir = tempDir({ sparse: '' });
  const tooFar = 2 ** 50;
  if (canBeThatLong(dir.at('sparse'), tooFar)) skip('needs a file system that has an end before that');
  await using writer = await openOwner(dir.path).create('f', { signal });
  await expect(writer.writeAt(bytes('x'), tooFar)).rejects.toMatchObject({
    type: 'FileAccessException',
    context: { path: dir.at('f'), code: 'EFBIG' },
  });
});

const unreadable = '/proc/self/mem'; // opens, and fails at the first byte
test.skipIf(!existsSync(unreadable))('names the source of a copy when its device fails (needs /proc)', async () => {
  using dir = tempDir();
  const copying = openOwner(dir.path).copy(unreadable, 'copy', { signal, keepMetadata: false });
  await expect(copying).rejects.toMatchObject({ type: 'FileAccessException', context: { path: unreadable, code: 'EIO' } });
});
