import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('FA_get_dir_files_as_list finds files in any case and passes over links', async () => {
  await using house = openHouse({ files: { 'd/a.json': '', 'd/n/B.JSON': '', 'd/c.txt': '' } });
  symlinkSync('a.json', house.dir.at('d/l.json'));
  const { results } = await house.run([['FA_get_dir_files_as_list', ['d']]]);
  expect(results[0]?.value).toEqual([house.dir.at('d/a.json'), house.dir.at('d/n/B.JSON')]);
});

test('FA_get_dir_files_as_list says that there is no directory', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_get_dir_files_as_list', ['none']]]);
  expect(results[0]).toMatchObject({
    value: [],
    notes: [{ kind: 'missing', message: `No directory is at ${house.dir.at('none')}, so nothing was searched; check the path.` }],
  });
});

test('FA_get_dir_files_as_list takes extensions of several parts', async () => {
  await using house = openHouse({
    files: { 'd/a.tar.gz': '', 'd/b.TAR.GZ': '', 'd/c.gz': '', 'd/.tar.gz': '', 'd/star.gz': '', 'd/e.tar.zst': '' },
  });
  const { results } = await house.run([
    ['FA_get_dir_files_as_list', ['d', 'tar.gz']],
    ['FA_get_dir_files_as_list', ['d', '.tar.zst']],
  ]);
  expect(results.map(({ value }) => value)).toEqual([
    [house.dir.at('d/a.tar.gz'), house.dir.at('d/b.TAR.GZ')],
    [house.dir.at('d/e.tar.zst')],
  ]);
});
