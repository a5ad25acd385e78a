import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { openHouse } from '../../../test/support/house.ts';

type Args = Readonly<Record<string, unknown>>;

const replaceIn = async (content: string | Uint8Array, args: Args) => {
  await using house = openHouse({ files: { 'a.txt': content } });
  const { results } = await house.run([['FA_sed_replace', { file_path: 'a.txt', replacement: '', ...args }]]);
  return { outcome: results[0], text: readFileSync(house.dir.at('a.txt')) };
};

describe('what is replaced', () => {
  test.each<[about: string, content: string, args: Args, value: number, left: string]>([
    ['CRLF stays', 'a\r\nb\r\n', { pattern: 'b', replacement: 'c' }, 1, 'a\r\nc\r\n'],
    ['a missing last line end stays missing', 'a\nb', { pattern: 'b', replacement: 'c' }, 1, 'a\nc'],
    ['named groups', 'k=v', { pattern: '(?P<k>\\w)=(?P<v>\\w)', replacement: '\\g<v>:\\g<k>', regex: true }, 1, 'v:k'],
    ['the whole match', 'ab', { pattern: '.', replacement: '<\\g<0>>', regex: true }, 2, '<a><b>'],
    ['backslashes and control characters', 'a', { pattern: 'a', replacement: '\\\\1\\t\\.', regex: true }, 1, '\\1\t\\.'],
    ['a group that took no part is empty', 'ab', { pattern: '(a)|(b)', replacement: '[\\1\\2]', regex: true }, 2, '[a][b]'],
    ['^ and $ are the edges of the file', 'a\na\n', { pattern: '^a', replacement: 'b', regex: true }, 1, 'b\na\n'],
    ['(?m) makes them edges of lines', 'a\na\n', { pattern: '(?m)^a$', replacement: 'b', regex: true }, 2, 'b\nb\n'],
    ['a match may cross lines', 'a\n\n\nb', { pattern: '\\n+', replacement: '\\n', regex: true }, 1, 'a\nb'],
    ['empty matches count too', 'ab', { pattern: 'x*', replacement: '-', regex: true }, 3, '-a-b-'],
    ['count stops', 'aaaa', { pattern: 'a', replacement: 'b', regex: true, count: 3 }, 3, 'bbba'],
    ['a literal pattern is no expression', 'a.c abc', { pattern: 'a.c', replacement: '\\1' }, 1, '\\1 abc'],
    ['a byte order mark stays first', '\uFEFFab', { pattern: '^a', replacement: 'x', regex: true }, 1, '\uFEFFxb'],
    ['astral characters are one character', '😀', { pattern: '.', replacement: 'x', regex: true }, 1, 'x'],
  ])('%s', async (_about, content, args, value, left) => {
    const { outcome, text } = await replaceIn(content, args);
    expect(outcome).toMatchObject({ status: 'ok', value });
    expect(text.toString()).toBe(left);
  });

  test('other encodings stay what they were, byte order and mark included', async () => {
    const big = Buffer.from('\uFEFFab', 'utf16le').swap16();
    const { outcome, text } = await replaceIn(big, { pattern: 'b', replacement: 'é', encoding: 'utf-16' });
    expect(outcome).toMatchObject({ status: 'ok', value: 1 });
    expect(text.equals(Buffer.from('\uFEFFaé', 'utf16le').swap16())).toBe(true);
  });
});

describe('refusals leave the file as it was', () => {
  test.each<[about: string, content: string | Uint8Array, args: Args, message: string]>([
    ['an empty literal pattern', 'abc', { pattern: '' }, 'give a pattern'],
    ['look-ahead', 'abc', { pattern: 'a(?=b)', regex: true }, 'looking ahead or behind is not supported'],
    ['an unknown group', 'abc', { pattern: 'a', replacement: '\\2', regex: true }, '0 groups, not 2'],
    ['an unknown group name', 'abc', { pattern: 'a', replacement: '\\g<x>', regex: true }, 'no group called "x"'],
    ['an unknown escape', 'abc', { pattern: 'a', replacement: '\\q', regex: true }, '\\q means nothing'],
    ['bytes that are not in the encoding', Buffer.from([0x61, 0xff]), { pattern: 'a' }, 'offset 1'],
    ['a replacement without a place in the encoding', 'abc', { pattern: 'a', replacement: '€', encoding: 'latin-1' }, 'U+20AC'],
    ['a long line for an expression', 'a'.repeat(9 << 20), { pattern: 'b+', regex: true }, 'A line of it has more than'],
    [
      'a long text for an expression that may cross lines',
      'a\n'.repeat(5 << 20),
      { pattern: '[^b]+b', regex: true },
      'The file has more than',
    ],
  ])('%s', async (_about, content, args, message) => {
    const { outcome, text } = await replaceIn(content, args);
    expect(outcome?.error?.type).toBe('TextOpsException');
    expect(outcome?.error?.message).toContain(message);
    expect(text.equals(Buffer.from(content))).toBe(true);
  });
});

test('a pattern that makes other engines hang ends soon', async () => {
  const started = cpuMs();
  const { outcome } = await replaceIn(`${'a'.repeat(1_000_000)}!\n`, { pattern: '(a+)+$', regex: true });
  expect(outcome).toMatchObject({ status: 'ok', value: 0 });
  expect(cpuMs() - started).toBeLessThan(10_000);
});

test('a search can be cancelled between two matches', async () => {
  await using house = openHouse({ files: { 'a.txt': 'a'.repeat(200_000) } });
  const stop = new AbortController();
  const run = house.run([['FA_sed_replace', { file_path: 'a.txt', pattern: 'a*b|a', replacement: 'c', regex: true }]], {
    signal: stop.signal,
  });
  setImmediate(() => stop.abort());
  expect((await run).results[0]?.status).toBe('cancelled');
  expect(house.dir.read('a.txt')).toBe('a'.repeat(200_000));
});

test('nothing is written when nothing matches', async () => {
  await using house = openHouse({ files: { 'a.txt': 'abc' } });
  const before = statSync(house.dir.at('a.txt')).ino;
  const { results } = await house.run([['FA_sed_replace', ['a.txt', 'zz', 'y']]]);
  expect(results[0]).toMatchObject({ status: 'ok', value: 0 });
  expect(statSync(house.dir.at('a.txt')).ino).toBe(before);
});

test('mode and link stay', async () => {
  await using house = openHouse({ files: { 'real.txt': 'abc' } });
  chmodSync(house.dir.at('real.txt'), 0o751);
  symlinkSync('real.txt', house.dir.at('link.txt'));
  await house.run([['FA_sed_replace', ['link.txt', 'b', 'x']]]);
  expect(house.dir.read('real.txt')).toBe('axc');
  expect(statSync(house.dir.at('real.txt')).mode & 0o777).toBe(0o751);
  expect(lstatSync(house.dir.at('link.txt')).isSymbolicLink()).toBe(true);
});

test('a dry run tells whether the file would change', async () => {
  await using house = openHouse({ files: { 'a.txt': 'abc' } });
  const actions = [
    ['FA_sed_replace', ['a.txt', 'b', 'xyz']],
    ['FA_sed_replace', ['a.txt', 'zz', '']],
  ];
  const { results } = await house.run({ actions: actions.slice(0, 1), dry_run: true });
  expect(results[0]?.plan?.effects.map(({ kind, bytes }) => [kind, bytes])).toEqual([
    ['read', 3],
    ['overwrite', 5],
  ]);
  const untouched = await house.run({ actions: actions.slice(1), dry_run: true });
  expect(untouched.results[0]?.plan?.effects.map(({ kind }) => kind)).toEqual(['read']);
  expect(house.dir.read('a.txt')).toBe('abc');
});
