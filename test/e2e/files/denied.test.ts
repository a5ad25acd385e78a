import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { bundle } from './bundle.ts';

test('a move that the system denies names the side that it was denied for', async () => {
  using script = await bundle(new URL('./moving-child.ts', import.meta.url));
  using dir = tempDir({ 'open/f': '1', 'locked/f': '2' });
  chmodSync(dir.path, 0o755);
  chmodSync(dir.at('open'), 0o777);
  chmodSync(dir.at('locked'), 0o555);
  const errorOf = (from: string, to: string) =>
    JSON.parse(execFileSync(process.execPath, [script.path, dir.path, from, to], { encoding: 'utf8' }));
  const denied = (name: string) => expect.objectContaining({ context: { path: dir.at(name), code: 'EACCES' } });
  expect(errorOf('locked/f', 'open/new')).toEqual(denied('locked/f'));
  expect(errorOf('locked/f', 'open/f')).toEqual(denied('locked/f'));
  expect(errorOf('open/f', 'locked/new')).toEqual(denied('locked/new'));
  expect(errorOf('open/f', 'locked/f')).toEqual(denied('locked/f'));
  expect([dir.read('open/f'), dir.read('locked/f')]).toEqual(['1', '2']);
});
