import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../create.ts';
import type { RunOptions } from '../factotum.ts';

const removal = [['FA_remove_file', { file_path: 'a' }]];

test.each([
  ['the call', removal, { dryRun: true }],
  ['the list', { actions: removal, dry_run: true }, {}],
  ['the call against the list', { actions: removal, dry_run: false }, { dryRun: true }],
  ['the list against the call', { actions: removal, dry_run: true }, { dryRun: false }],
  ['the call of a graph', { nodes: [{ id: 'x', action: removal[0] }] }, { dryRun: true }],
])('only plans what %s wants planned', async (_, list, options: RunOptions) => {
  using room = tempDir({ a: 'x' });
  await using factotum = createInstance({ cwd: room.path, log: { level: 'silent' } });
  const { results } = await factotum.run(list, options);
  expect(results[0]?.status).toBe('planned');
  expect(existsSync(`${room.path}/a`)).toBe(true);
});

test('checks all first where the call says so', async () => {
  using room = tempDir({ a: 'x' });
  await using factotum = createInstance({ cwd: room.path });
  await expect(factotum.run([...removal, ['FA_nothing', {}]], { validateFirst: true })).rejects.toMatchObject({
    type: 'ValidationException',
  });
  expect(existsSync(`${room.path}/a`)).toBe(true);
});

test.each([{ dry_run: true }, { dryrun: true }])('refuses %o and runs nothing', async (options) => {
  using room = tempDir({ a: 'x' });
  await using factotum = createInstance({ cwd: room.path });
  // As a program without a compiler would call it.
  await expect(factotum.run(removal, options as RunOptions)).rejects.toThrow(
    /factotum\.run has no argument "dry_?run"; did you mean dryRun\?/,
  );
  expect(existsSync(`${room.path}/a`)).toBe(true);
});

test('refuses what is no list, whatever the call says of it', async () => {
  await using factotum = createInstance();
  await expect(factotum.run('FA_stat', { dryRun: true })).rejects.toMatchObject({ type: 'JsonActionException' });
});
