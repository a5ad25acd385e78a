import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';

const asked = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const counted = <F extends (...args: never[]) => unknown>(name: string, call: F): F =>
    ((...args: Parameters<F>) => {
      asked.push(name);
      return call(...args);
    }) as F; // the same call, counted
  return {
    ...real,
    lstatSync: counted('lstat', real.lstatSync as never),
    fstatSync: counted('fstat', real.fstatSync as never),
    statSync: counted('stat', real.statSync as never),
    realpathSync: counted('realpath', real.realpathSync as never),
  };
});

test('copying one file looks at source and target as seldom as it is safe to', async () => {
  using dir = tempDir({ 'a.txt': 'hi' });
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  const copy = (to: string) => factotum.run([['FA_copy_file', { file_path: 'a.txt', target_path: to }]]);
  await copy('warm.txt'); // code is loaded, and left-overs in the directory are looked for, once
  asked.length = 0;
  expect(await copy('b.txt')).toMatchObject({ ok: true });
  expect(readFileSync(dir.at('b.txt'), 'utf8')).toBe('hi');
  // The source when it is found and when it is opened; the target as a directory, as a conflict, before the first byte and before its name is taken.
  expect(asked.filter((name) => name === 'lstat')).toHaveLength(6);
  // Both files by their handles, the source once more when it was read.
  expect(asked.filter((name) => name === 'fstat')).toHaveLength(3);
  expect(asked).toHaveLength(9);
});
