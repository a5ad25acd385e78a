import { existsSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse } from '../../support/house.ts';

/** A house whose guest may only work below `root`; a secret lies beside it. */
const open = () => {
  const house = openHouse({ files: { 'secret.txt': 'secret', 'root/a/b/keep.txt': '', 'root/near.txt': 'near' } });
  const caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.at('root')] }) };
  return { house, run: (list: unknown) => house.factotum.run(list, { caller }) };
};

const moves = [['FA_rename_dir', (from: string, to: string) => ['FA_rename_dir', [from, to]]]] as const;

test.each(moves)('%s of a directory refuses to let a link inside lead out, planned and done', async (_, move) => {
  const { house, run } = open();
  await using _house = house;
  mkdirSync(house.dir.at('root/a/b/deep'));
  symlinkSync('../../../secret.txt', house.dir.at('root/a/b/deep/link')); // root/secret.txt, which there is not
  const list = [move('root/a/b/deep', 'root/deep')]; // there it would be the secret
  for (const dry_run of [true, false]) {
    const { results } = await run({ actions: list, dry_run });
    expect(results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'roots' } });
  }
  expect([existsSync(house.dir.at('root/deep')), existsSync(house.dir.at('root/a/b/deep'))]).toEqual([false, true]);
});

test('links that stay inside move with their directory, and the owner moves what he likes', async () => {
  const { house, run } = open();
  await using _house = house;
  symlinkSync('keep.txt', house.dir.at('root/a/b/own'));
  symlinkSync('../../near.txt', house.dir.at('root/a/b/near'));
  symlinkSync('/nowhere/else', house.dir.at('root/a/b/fixed'));
  expect((await run([['FA_rename_dir', ['root/a/b', 'root/a/c']]])).ok).toBe(true);
  expect(
    (
      await run([
        ['FA_create_dir', ['root/x']],
        ['FA_rename_dir', ['root/a/c', 'root/x/c']],
      ])
    ).ok,
  ).toBe(true);
  expect(readlinkSync(house.dir.at('root/x/c/own'))).toBe('keep.txt');
  symlinkSync('../../secret.txt', house.dir.at('root/x/c/out'));
  expect((await house.run([['FA_rename_dir', ['root/x/c', 'root/c']]])).ok).toBe(true);
});

test('a link whose way nobody can foretell is refused', async () => {
  const { house, run } = open();
  await using _house = house;
  symlinkSync('keep.txt/../../x', house.dir.at('root/a/b/winding'));
  const { results } = await run([['FA_rename_dir', ['root/a/b', 'root/b']]]);
  expect(results[0]?.error?.type).toBe('PolicyException');
});
