import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { createInstance } from '../../../src/app/create.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { leftovers } from './ports.ts';

/** Swaps `d` between a directory and a link to outside, as fast as it can, until it is killed. */
const ATTACKER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  process.chdir(root);
  process.stdout.write('ready');
  for (;;) {
    renameSync('d', 'away');
    symlinkSync(outside, 'd');
    unlinkSync('d');
    renameSync('away', 'd');
  }
`;

test('rc-toggle: nothing appears outside while another process swaps a directory for a link', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'outside/secret.txt': 'secret' });
  const root = dir.at('base');
  mkdirSync(dir.at('base/d'), { recursive: true });
  const attacker = spawn(process.execPath, ['-e', ATTACKER, root, dir.at('outside')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(attacker.stdout, 'data');
  await using factotum = createInstance({ cwd: root, log: { level: 'silent' } });
  const caller = { name: 'limited', remote: true, policy: createPolicy({ readWrite: [root] }) };
  const statuses: string[] = [];
  for (let at = 0; at < 200; at += 1) {
    const { results } = await factotum.run([['FA_create_file', { file_path: `d/f${at}`, content: `content ${at}` }]], { caller });
    const [{ status, error } = { status: 'none', error: undefined }] = results;
    statuses.push(error?.type ?? status);
  }
  attacker.kill('SIGKILL');
  await once(attacker, 'exit');

  expect(readdirSync(dir.at('outside'))).toEqual(['secret.txt']);
  expect(dir.read('outside/secret.txt')).toBe('secret');
  expect(statuses.filter((status) => !EXPECTED.has(status))).toEqual([]);
  // What was reported done is there, whole; what was refused is not half there.
  const home = readdirSync(root).includes('away') ? 'base/away' : 'base/d';
  const done = statuses.flatMap((status, at) => (status === 'ok' ? [at] : []));
  expect(done.map((at) => dir.read(`${home}/f${at}`))).toEqual(done.map((at) => `content ${at}`));
  expect(leftovers(dir.path)).toEqual([]);
});

/** Inside, or refused: as a trick, by the rule that saw the link, or because for a moment there was no directory, link or end of it. */
const EXPECTED: ReadonlySet<string> = new Set([
  'ok',
  'PathTraversalException',
  'PolicyException',
  'DirNotExistsException',
  'FileNotExistsException',
  'FileAccessException',
]);
