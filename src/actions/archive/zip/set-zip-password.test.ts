import { lstatSync, readFileSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

describe('FA_set_zip_password', () => {
  test('encrypts every member and keeps names, contents and times', async () => {
    await using house = openHouse({ files: { 's/a.txt': 'one', 's/n/文.txt': 'two '.repeat(100_000) } });
    utimesSync(house.dir.at('s/a.txt'), 1_700_000_000, 1_700_000_000);
    const { results } = await house.run([
      ['FA_zip_dir', ['s', 'o']],
      ['FA_set_zip_password', ['o.zip', 'pass word']],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'none' }],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'wrong', password: 'pass' }],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', password: 'pass word' }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'failed', 'failed', 'ok']);
    expect(treeOf(house.dir.at('x'))).toEqual(treeOf(house.dir.at('s')));
    expect(lstatSync(house.dir.at('x/a.txt')).mtimeMs).toBe(1_700_000_000_000);
  });

  test('may be set again, but not over another one', async () => {
    await using house = openHouse({ files: { 's/a.txt': 'one' } });
    const { results } = await house.run([
      ['FA_zip_dir', ['s', 'o']],
      ['FA_set_zip_password', ['o.zip', 'first']],
      ['FA_set_zip_password', ['o.zip', 'first']],
      ['FA_set_zip_password', ['o.zip', 'second']],
      ['FA_read_zip_file', ['o.zip', 'a.txt', 'first']],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'failed', 'ok']);
  });

  test('leaves an archive that it cannot read as it was', async () => {
    await using house = openHouse({ files: { 'o.zip': 'no archive' } });
    const { results } = await house.run([['FA_set_zip_password', ['o.zip', 'p']]]);
    expect(results[0]?.error?.type).toBe('ArchiveException');
    expect(readFileSync(house.dir.at('o.zip'), 'utf8')).toBe('no archive');
    expect([...treeOf(house.dir.path).keys()]).toEqual(['o.zip']);
  });

  test('leaves two archives in one file as they were, however lenient', async () => {
    const zipOf = (name: string) => buildZip([{ type: 'file', name, data: 'x' }], { root: '/R', archive: () => Buffer.alloc(0) });
    const joined = Buffer.concat([zipOf('first'), zipOf('second')]);
    await using house = openHouse({ files: { 'o.zip': joined } });
    for (const dry_run of [true, false]) {
      const { results } = await house.run({
        actions: [['FA_set_zip_password', { zip_file_path: 'o.zip', password: 'p', lenient: true }]],
        dry_run,
      });
      expect(results[0]?.error).toMatchObject({ type: 'ArchiveException', context: { reason: 'several_ends' } });
    }
    expect(readFileSync(house.dir.at('o.zip')).equals(joined)).toBe(true);
  });

  test('never shows the password', async () => {
    await using house = openHouse({ files: { 's/a': '1' }, logLevel: 'debug' });
    const result = await house.run({
      actions: [
        ['FA_zip_dir', ['s', 'o']],
        ['FA_set_zip_password', ['o.zip', 'hush-hush-word']],
        ['FA_read_zip_file', ['o.zip', 'a', 'hush-hush-wrong']],
      ],
    });
    const plan = await house.run({ actions: [['FA_set_zip_password', ['o.zip', 'hush-hush-word']]], dry_run: true });
    expect(JSON.stringify([result, plan, house.lines])).not.toContain('hush-hush');
  });
});
