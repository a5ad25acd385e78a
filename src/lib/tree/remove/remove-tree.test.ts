import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import type { Grant } from '../../../core/files.ts';
import { discardBelow } from './discard-below.ts';
import { removeTree } from './remove-tree.ts';

const grantOf = (root: string): Grant => ({ root, access: 'remove', byHandles: false, dry: false, counters: new SharedArrayBuffer(16) });
const { signal } = new AbortController();
const FILES = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`t/${n % 5}/${n % 13}/${n}`, '']));

describe.each([
  ['on one thread', { patienceMs: Number.POSITIVE_INFINITY }],
  ['on all threads', { patienceMs: 0 }],
])('removing %s', (_how, { patienceMs }) => {
  test('takes everything but the root, and enters no link', async () => {
    using dir = tempDir({ ...FILES, 'outside/keep': 'k' });
    symlinkSync('../../outside', dir.at('t/1/out'));
    expect(await removeTree({ grant: grantOf(dir.at('t')), signal, patienceMs })).toEqual([]);
    expect([readdirSync(dir.at('t')), dir.read('outside/keep')]).toEqual([[], 'k']);
  });

  test('takes only the parts that are named', async () => {
    using dir = tempDir(FILES);
    const parts = [
      { relative: '', steps: ['1/', '2/'] },
      { relative: '3/', steps: ['0/'] },
      { relative: '4/4/', steps: ['4'] },
    ];
    expect(await removeTree({ grant: grantOf(dir.at('t')), parts, signal, patienceMs })).toEqual([]);
    expect(readdirSync(dir.at('t'))).toEqual(['0', '3', '4']);
    expect([existsSync(dir.at('t/3/0')), existsSync(dir.at('t/3/1')), existsSync(dir.at('t/4/4'))]).toEqual([false, true, true]);
    expect(readdirSync(dir.at('t/4/4'))).not.toContain('4');
  });
});

test('what is gone already is no fault', async () => {
  using dir = tempDir({ 't/a': '' });
  const parts = [{ relative: '', steps: ['a', 'gone', 'nowhere/'] }];
  expect(await removeTree({ grant: grantOf(dir.at('t')), parts, signal })).toEqual([]);
});

test('what cannot go is told and stays, with the directories above it', async () => {
  using dir = tempDir({ 't/d/a': '' });
  // A file that is called a directory cannot be entered.
  const parts = [{ relative: 'd/', steps: ['a/'] }];
  const faults = await removeTree({ grant: grantOf(dir.at('t')), parts, signal });
  expect(faults.map(({ relative }) => relative)).toEqual(['d/a']);
  expect(readdirSync(dir.at('t/d'))).toEqual(['a']);
});

test('a tree of ours is discarded whatever its modes', () => {
  using dir = tempDir({ 't/part/d/a': '', 't/keep': 'k' });
  discardBelow(dir.at('t'), 'part/');
  expect(readdirSync(dir.at('t'))).toEqual(['keep']);
});
