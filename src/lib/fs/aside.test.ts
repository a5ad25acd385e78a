import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommitOptions, openAside } from './aside.ts';
import { openDirectory } from './handles.ts';

const QUICK: CommitOptions = { durable: false, mode: undefined };

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-aside-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (name: string): string => join(root, name);
const modeOf = (name: string): number => statSync(at(name)).mode & 0o7777;

async function replace(name: string, text: string, options: CommitOptions = QUICK): Promise<void> {
  await using aside = await openAside(root);
  await aside.handle.writeFile(text);
  await aside.commit(name, options);
}

describe('a file written aside', () => {
  test.each([true, false])('appears whole under its name, durable: %s', async (durable) => {
    await replace('f', 'text', { ...QUICK, durable });
    expect(readFileSync(at('f'), 'utf8')).toBe('text');
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('is private and has a name that nobody can guess until it is committed', async () => {
    await using first = await openAside(root);
    await using second = await openAside(root);
    expect(basename(first.address)).toMatch(/^\.factotum-[0-9a-f]{32}\.part$/);
    expect(first.address).not.toBe(second.address);
    expect(modeOf(basename(first.address))).toBe(0o600);
  });

  test('takes streams and writes at positions', async () => {
    await using aside = await openAside(root);
    await pipeline(['stream', 'ed'], new PassThrough(), (chunks) => writeFile(aside.handle, chunks));
    await aside.handle.write('S', 0);
    await aside.commit('f', QUICK);
    expect(readFileSync(at('f'), 'utf8')).toBe('Streamed');
  });

  test('is removed when it is left without a commit, and discarding twice is fine', async () => {
    const aside = await openAside(root);
    await aside.discard();
    await aside.discard();
    {
      await using _left = await openAside(root);
    }
    expect(readdirSync(root)).toEqual([]);
  });

  test('stays when it is discarded after the commit', async () => {
    const aside = await openAside(root);
    await aside.commit('f', QUICK);
    await aside.discard();
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('replaces a link instead of following it', async () => {
    writeFileSync(at('real'), 'old');
    chmodSync(at('real'), 0o604);
    symlinkSync('real', at('l'));
    await replace('l', 'new', { ...QUICK, mode: 0o640 });
    expect(readFileSync(at('real'), 'utf8')).toBe('old');
    expect(readFileSync(at('l'), 'utf8')).toBe('new');
    expect(() => readlinkSync(at('l'))).toThrow('EINVAL');
  });

  test('lands in the directory that was opened, although its path became a link', async () => {
    mkdirSync(at('base/t'), { recursive: true });
    mkdirSync(at('outside'));
    using directory = openDirectory(at('base'), ['t']);
    await using aside = await openAside(directory.address());
    renameSync(at('base/t'), at('base/moved'));
    symlinkSync(at('outside'), at('base/t'));
    await aside.commit('f', { ...QUICK, durable: true });
    expect(readdirSync(at('base/moved'))).toEqual(['f']);
    expect(readdirSync(at('outside'))).toEqual([]);
  });
});

describe('mode, owner and times', () => {
  test('a new file gets what the umask leaves', async () => {
    await replace('f', '');
    expect(modeOf('f')).toBe(0o666 & ~process.umask());
  });

  test('a replaced file keeps its mode, but not the bits that lend rights', async () => {
    writeFileSync(at('f'), 'old');
    chmodSync(at('f'), 0o4751);
    await replace('f', 'new');
    expect(modeOf('f')).toBe(0o751);
  });

  test('a mode that is given holds for new and replaced files, whatever the umask', async () => {
    await replace('f', 'old', { ...QUICK, mode: 0o666 });
    expect(modeOf('f')).toBe(0o666);
    await replace('f', 'new', { ...QUICK, mode: 0o600 });
    expect(modeOf('f')).toBe(0o600);
  });

  test.skipIf(process.getuid?.() !== 0)('a replaced file keeps its owner (needs root)', async () => {
    writeFileSync(at('f'), 'old');
    chownSync(at('f'), 12_345, 23_456);
    await replace('f', 'new');
    expect(statSync(at('f'))).toMatchObject({ uid: 12_345, gid: 23_456 });
  });

  test('times are set to the microsecond, also before 1970', async () => {
    await replace('f', '', { ...QUICK, times: { atimeMs: -86_400_000, mtimeMs: 1_700_000_000_123.456 } });
    const { atimeMs, mtimeMs } = statSync(at('f'));
    expect(atimeMs).toBe(-86_400_000);
    expect(mtimeMs).toBeCloseTo(1_700_000_000_123.456, 2);
  });
});

describe('exclusive', () => {
  test('takes a free name', async () => {
    await replace('f', 'text', { ...QUICK, exclusive: true, durable: true });
    expect(readdirSync(root)).toEqual(['f']);
    expect(readFileSync(at('f'), 'utf8')).toBe('text');
  });

  test('leaves a taken name alone', async () => {
    writeFileSync(at('f'), 'old');
    await expect(replace('f', 'new', { ...QUICK, exclusive: true })).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(at('f'), 'utf8')).toBe('old');
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('lets exactly one of many writers win', async () => {
    const writers = Array.from({ length: 20 }, (_, id) => replace('f', `${id}`, { ...QUICK, exclusive: true }));
    const outcomes = await Promise.allSettled(writers);
    const winners = outcomes.flatMap(({ status }, id) => (status === 'fulfilled' ? [`${id}`] : []));
    expect(winners).toEqual([readFileSync(at('f'), 'utf8')]);
    expect(readdirSync(root)).toEqual(['f']);
  });
});
