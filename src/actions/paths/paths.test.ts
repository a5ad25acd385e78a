import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('FA_safe_join resolves links and refuses what leaves the root', async () => {
  await using house = openHouse({ files: { 'box/real/a': '', 'outside/secret': '' } });
  symlinkSync('real', house.dir.at('box/in'));
  symlinkSync('../outside', house.dir.at('box/out'));
  const { results } = await house.run(['in/a', 'out/secret', 'x/../y', '/etc/passwd'].map((path) => ['FA_safe_join', ['box', path]]));
  expect(results[0]?.value).toBe(house.dir.at('box/real/a'));
  expect(results.slice(1).map(({ error }) => error?.type)).toEqual(Array.from({ length: 3 }, () => 'PathTraversalException'));
});

test('FA_is_within answers for everything and never fails', async () => {
  await using house = openHouse({ files: { 'box/a': '' } });
  const { results } = await house.run([
    ...['a', 'x/../a', '../a', ''].map((path) => ['FA_is_within', ['box', path]]),
    ['FA_is_within', ['nowhere', 'a']],
  ]);
  expect(results.map(({ value }) => value)).toEqual([true, true, false, false, false]);
});
