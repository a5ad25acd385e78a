import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { namesIn } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

const KITCHEN = { archive: () => Buffer.alloc(0), root: '' };

/** An archive whose only file has two names: that of the zip format, and that of Info-ZIP's extra field (0x7075). */
const twoNames = (own: string, unicode: string, { isMeant = true } = {}): Buffer => {
  const bytes = buildZip([{ type: 'file', name: own, data: 'x', extra_unicode_path: unicode }], KITCHEN);
  if (isMeant) return bytes;
  // The field counts only with the checksum of the other name, so that programs which rename entries switch it off.
  const checksumAt = bytes.indexOf(Buffer.from([0x75, 0x70])) + 5;
  bytes.writeUInt8((bytes[checksumAt] ?? 0) ^ 1, checksumAt);
  return bytes;
};

describe.each(['../evil.txt', '/evil.txt', 'a/../../evil.txt', 'C:\\evil.txt', ''])('an entry that is called %j', (evil) => {
  test.each([
    ['by its own name only', twoNames(evil, 'fine.txt')],
    ['by its second name only', twoNames('fine.txt', evil)],
    ['by a second name that does not count', twoNames('fine.txt', evil, { isMeant: false })],
  ])('%s is refused by every action that extracts', async (_how, archive) => {
    await using house = openHouse({ files: { 'a.zip': archive } });
    mkdirSync(house.dir.at('R'));
    const { results } = await house.run([
      ['FA_unzip_all', { zip_file_path: 'a.zip', extract_path: 'R' }],
      ['FA_extract_archive', { source: 'a.zip', target: 'R' }],
      ['FA_unzip_file', { zip_file_path: 'a.zip', extract_member: 'fine.txt', extract_path: 'R' }],
    ]);
    for (const { action, error } of results) expect(error?.type, String(action)).toMatch(/^(PathTraversal|Archive|Zip\w*)Exception$/);
    expect(namesIn(house.dir.path)).toEqual(['R/', 'a.zip']);
  });
});

test('two names that are both fine are no reason to refuse, and the second one counts', async () => {
  await using house = openHouse({ files: { 'a.zip': twoNames('fine.txt', 'schön.txt') } });
  const { results } = await house.run([['FA_extract_archive', { source: 'a.zip', target: 'R' }]]);
  expect(results[0]?.error).toBeUndefined();
  expect(namesIn(house.dir.at('R'))).toEqual(['schön.txt']);
});
