import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { FilePort } from '../../core/files.ts';
import type { Change } from '../../core/journal.ts';
import { openBudget } from '../../core/quota.ts';

const KEEP = { signal, keepMetadata: true };
const bytes = Buffer.from('x');

const ARRIVALS: readonly [string, (port: FilePort, to: string) => Promise<unknown>][] = [
  ['write', (port, to) => port.write(to, bytes, { signal })],
  ['copy', (port, to) => port.copy('f', to, KEEP)],
  ['move', (port, to) => port.move('f', to, { signal })],
  ['move of a directory', (port, to) => port.move('d', to, { signal })],
  ['makeLink', (port, to) => port.makeLink(to, 'x')],
  ['copyTree', (port, to) => port.copyTree('d', to, KEEP)],
];

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  describe.each(ARRIVALS)('%s', (_name, arrive) => {
    test('makes the directories that are missing above, each told of before it is made', async () => {
      using dir = tempDir({ f: '1', 'd/x': '2' });
      const told: string[] = [];
      const before = (change: Change) => {
        if (change.kind !== 'make_dir') return;
        expect(existsSync(change.path)).toBe(false);
        told.push(change.path);
      };
      await arrive(open(dir.path, { before }), 'new/deep/there');
      expect(readdirSync(dir.at('new/deep'))).toEqual(['there']);
      expect(told).toEqual([dir.at('new'), dir.at('new/deep')]);
    });

    test('makes them where a link to nowhere leads', async () => {
      using dir = tempDir({ f: '1', 'd/x': '2' });
      symlinkSync('to/come', dir.at('later'));
      await arrive(open(dir.path), 'later/on/there');
      expect(readdirSync(dir.at('to/come/on'))).toEqual(['there']);
      expect(readlinkSync(dir.at('later'))).toBe('to/come');
    });

    test('refuses a file on the way', async () => {
      using dir = tempDir({ f: '1', 'd/x': '2', g: '' });
      expect(await failure(arrive(open(dir.path), 'g/deep/there'))).toBe('PathExistsException');
    });

    test('leaves none of them behind when the journal refuses', async () => {
      using dir = tempDir({ f: '1', 'd/x': '2' });
      const before = ({ kind }: Change) => {
        if (kind !== 'make_dir') throw new Error('no');
      };
      expect(await failure(arrive(open(dir.path, { before }), 'new/deep/there'))).toBe('InternalException');
      expect(readdirSync(dir.path).sort()).toEqual(['d', 'f']);
    });
  });

  test('leaves none of them behind when the bytes are too many', async () => {
    using dir = tempDir({ f: '1234', 'd/x': '1234' });
    const port = open(dir.path, { budget: openBudget(2, undefined) });
    expect(await failure(port.copy('f', 'new/deep/f', KEEP))).toBe('QuotaExceededException');
    expect(await failure(port.copyTree('d', 'new/deep/d', KEEP))).toBe('QuotaExceededException');
    expect(await failure(port.write('new/deep/w', Buffer.from('1234'), { signal }))).toBe('QuotaExceededException');
    expect(existsSync(dir.at('new'))).toBe(false);
  });

  test('takes them back when a writer is given up, and leaves them when others use them', async () => {
    using dir = tempDir();
    const port = open(dir.path);
    {
      await using writer = await port.create('new/deep/w', { signal });
      await writer.write(bytes);
      expect(existsSync(dir.at('new/deep'))).toBe(true);
    }
    expect(readdirSync(dir.path)).toEqual([]);
    {
      await using writer = await port.create('new/deep/w', { signal });
      await writer.write(bytes);
      writeFileSync(dir.at('new/theirs'), '');
    }
    expect(readdirSync(dir.path, { recursive: true })).toEqual(['new', 'new/theirs']);
  });

  test('makes them once more when somebody takes them away in between', async () => {
    using dir = tempDir({ f: '1' });
    const others = Array.from({ length: 8 }, (_each, at) => {
      const port = open(dir.path, at % 2 === 0 ? { budget: openBudget(0.5, undefined) } : {});
      return failure(port.copy('f', `new/deep/${at}`, KEEP));
    });
    expect(await Promise.all(others)).toEqual(others.map((_each, at) => (at % 2 === 0 ? 'QuotaExceededException' : { value: undefined })));
    expect(readdirSync(dir.at('new/deep')).sort()).toEqual(['1', '3', '5', '7']);
    expect(leftovers(dir.path)).toEqual([]);
  });
});

test('a policy is asked for every directory before the first is made', async () => {
  using dir = tempDir({ 'root/f': '1' });
  mkdirSync(dir.at('outside'));
  symlinkSync('../outside', dir.at('root/l'));
  const port = openGuarded(dir.at('root'), { readOnly: [dir.at('root/a/ro')] });
  for (const to of ['a/ro/b/f', 'l/b/f', '../b/f']) expect(await failure(port.copy('f', to, KEEP))).toBe('PolicyException');
  expect([existsSync(dir.at('root/a')), readdirSync(dir.at('outside')), readdirSync(dir.path).sort()]).toEqual([
    false,
    [],
    ['outside', 'root'],
  ]);
});
