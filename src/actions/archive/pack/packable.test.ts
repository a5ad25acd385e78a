import { describe, expect, test } from 'vitest';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

const ODD = { 's/a\\b.txt': 'one', 's/d\\e/f': 'two', 's/plain': 'three' };

describe.skipIf(process.platform === 'win32')('names with a backslash, which is a letter here', () => {
  test.each([
    ['FA_zip_dir', ['s', 'o.zip'], ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x' }], 'x'],
    ['FA_zip_dir', ['s', 'o.zip'], ['FA_extract_archive', ['o.zip', 'x']], 'x'],
    ['FA_create_tar', ['s', 'o.tgz'], ['FA_extract_tar', ['o.tgz', 'x']], 'x/s'],
    ['FA_create_tar', ['s', 'o.tar', null], ['FA_extract_archive', ['o.tar', 'x']], 'x/s'],
  ])('that %s took in come out again', async (name, args, extracting, place) => {
    await using house = openHouse({ files: ODD });
    const { results } = await house.run([[name, args], extracting]);
    expect(results.map(({ error, status }) => error ?? status)).toEqual(['ok', 'ok']);
    expect(treeOf(house.dir.at(place))).toEqual(treeOf(house.dir.at('s')));
  });

  test.skipIf(!hasTool('7z'))('come out of a 7z archive (needs 7z)', async () => {
    await using house = openHouse({ files: ODD });
    tool('7z', ['a', 'o.7z', 's'], { cwd: house.dir.path });
    const { results } = await house.run([['FA_extract_archive', ['o.7z', 'x']]]);
    expect(results[0]?.error).toBeUndefined();
    expect(treeOf(house.dir.at('x/s'))).toEqual(treeOf(house.dir.at('s')));
  });
});

describe.skipIf(process.platform === 'win32')('a name that no archive may give back', () => {
  test.each([
    ['FA_zip_dir', ['s', 'o.zip'], ['\\lead', 'C:drive', 'up\\..\\x']],
    // Below the name of the directory the others are harmless.
    ['FA_create_tar', ['s', 'o.tgz'], ['up\\..\\x']],
  ])('is left out by %s, which fails and names it', async (name, args, names) => {
    for (const bad of names) {
      await using house = openHouse({ files: { [`s/${bad}`]: 'x', 's/good': 'y' } });
      const [result] = (await house.run([[name, args]])).results;
      expect(result?.status).toBe('failed');
      expect(result?.error?.message).toContain(bad);
      const { results } = await house.run([['FA_extract_archive', [args[1], 'x']]]);
      expect(results[0]?.error).toBeUndefined();
    }
  });

  test('is refused by FA_zip_file', async () => {
    await using house = openHouse({ files: { 'C:drive': 'x' } });
    const [result] = (await house.run([['FA_zip_file', ['o.zip', house.dir.at('C:drive')]]])).results;
    expect(result?.error).toMatchObject({ type: 'ZipInputException' });
    expect(house.dir.read('o.zip')).toBeUndefined();
  });
});
