import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EVIL_CASES, type EvilCase, evilArchive } from '../../../../test/support/archives/corpus.ts';
import { namesIn, treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../../../test/support/house.ts';
import type { Outcome } from '../../../core/result.ts';

const SECRET = { 'outside/secret.txt': 'secret' };

/** Calls the action that extracts this format by name. */
const byName = ({ format }: EvilCase, source: string, target: string): [string, Record<string, unknown>] =>
  format === 'zip' ? ['FA_unzip_all', { zip_file_path: source, extract_path: target }] : ['FA_extract_tar', { source, target_dir: target }];

const byContent = (_: EvilCase, source: string, target: string): [string, Record<string, unknown>] => [
  'FA_extract_archive',
  { source, target },
];

const prepare = (house: TestHouse, each: EvilCase) => {
  house.dir.write('archive', evilArchive(each.id, house.dir.at('R')));
  mkdirSync(house.dir.at('R'));
  for (const item of each.pre ?? []) {
    if ('file' in item) writeFileSync(house.dir.at(`R/${item.file}`), item.text);
    else symlinkSync(item.to.replace('$O', house.dir.at('outside')), house.dir.at(`R/${item.link}`));
  }
};

const call = async (house: TestHouse, [name, args]: [string, Record<string, unknown>], each: EvilCase): Promise<Outcome | undefined> => {
  const { results } = await house.run([[name, { ...args, ...each.options, ...each.limits }]]);
  return results[0];
};

const isOf = (type: string | undefined, wanted: string | undefined): boolean =>
  type === wanted || (wanted === 'ArchiveException' && type === 'TarException');

const expectRefusal = (outcome: Outcome | undefined, wanted: string | undefined) => {
  expect(outcome?.status, JSON.stringify(outcome)).toBe('failed');
  expect(isOf(outcome?.error?.type, wanted), `${outcome?.error?.type}: ${outcome?.error?.message}`).toBe(true);
};

describe.each([
  ['by name', byName],
  ['by content', byContent],
])('a hostile or odd archive that is extracted %s', (way, request) => {
  test.each(EVIL_CASES.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_, __, each) => {
    // A tar called .zip is one for the action that goes by content only.
    const expected = each.id === 'wrong-ext' && way === 'by name' ? { ok: false, error: 'ArchiveException', written: [] } : each.expect;
    await using house = openHouse({ files: SECRET });
    prepare(house, each);
    const before = treeOf(house.dir.path);
    const outcome = await call(house, request(each, 'archive', 'R'), each);
    if (expected.ok) {
      expect(outcome?.error).toBeUndefined();
      expect(namesIn(house.dir.at('R'))).toEqual([...expected.written].sort());
      for (const [name, mode] of Object.entries(each.expect.modes ?? {}))
        expect((lstatSync(house.dir.at(`R/${name}`)).mode & 0o7777).toString(8)).toBe(Number.parseInt(mode, 8).toString(8));
      if (each.expect.owner === 'caller') expect(lstatSync(house.dir.at('R/o')).uid).toBe(process.getuid?.());
      expect(house.dir.read('outside/secret.txt')).toBe('secret');
    } else {
      expectRefusal(outcome, expected.error);
      expect(treeOf(house.dir.path)).toEqual(before);
    }
  });
});

describe('a hostile or odd archive whose target does not exist yet', () => {
  const cases = EVIL_CASES.filter(({ pre }) => pre === undefined);

  test.each(cases.filter(({ expect: { ok } }) => !ok).map((each) => [each.id, each] as const))(
    '%s leaves nothing at all',
    async (_, each) => {
      await using house = openHouse({ files: { ...SECRET, archive: evilArchive(each.id, '/R') } });
      const before = treeOf(house.dir.path);
      expectRefusal(await call(house, byContent(each, 'archive', 'deep/down/R'), each), each.expect.error);
      expect(treeOf(house.dir.path)).toEqual(before);
    },
  );

  test.each(cases.filter(({ expect: { ok } }) => ok).map((each) => [each.id, each] as const))(
    '%s makes it with its parents',
    async (_, each) => {
      await using house = openHouse({ files: { archive: evilArchive(each.id, '/R') } });
      expect((await call(house, byContent(each, 'archive', 'deep/down/R'), each))?.error).toBeUndefined();
      expect(namesIn(house.dir.at('deep/down/R'))).toEqual([...each.expect.written].sort());
      expect(namesIn(house.dir.at('deep'))).toEqual(['down/', 'down/R/', ...each.expect.written.map((name) => `down/R/${name}`)].sort());
    },
  );
});

describe('a dry run', () => {
  test.each(EVIL_CASES.map((each) => [each.id, each] as const))('of %s ends as the real one would and changes nothing', async (_, each) => {
    await using house = openHouse({ files: SECRET });
    prepare(house, each);
    const before = treeOf(house.dir.path);
    const [name, args] = byContent(each, 'archive', 'R');
    const { results } = await house.run({ actions: [[name, { ...args, ...each.options, ...each.limits }]], dry_run: true });
    // What only counting bytes or comparing check sums can find is found by the real run.
    const isFoundLater = ['bomb-lie', 'zip-crc'].includes(each.id);
    expect(results[0]?.status, JSON.stringify(results[0]?.error)).toBe(each.expect.ok || isFoundLater ? 'planned' : 'failed');
    const created =
      results[0]?.plan?.effects.filter(({ kind }) => kind === 'create').map(({ target }) => target.slice(house.dir.at('R').length + 1)) ??
      [];
    if (each.expect.ok) expect(created.sort()).toEqual(each.expect.written.map((path) => path.replace(/\/$/, '')).sort());
    expect(treeOf(house.dir.path)).toEqual(before);
  });
});

test('listing shows a hostile name instead of failing at it', async () => {
  await using house = openHouse({ files: { 'up.zip': evilArchive('up-zip', '/R'), 'up.tar': evilArchive('up-tar', '/R') } });
  const { results } = await house.run([
    ['FA_list_archive', ['up.zip']],
    ['FA_list_archive', ['up.tar']],
    ['FA_zip_file_info', ['up.zip']],
  ]);
  expect(results.map(({ value }) => value)).toEqual(Array.from({ length: 3 }, () => ['ok.txt', '../evil.txt']));
});

test('listing keeps the limits', async () => {
  await using house = openHouse({ files: { 'many.zip': evilArchive('bomb-count', '/R'), 'bomb.tgz': evilArchive('bomb-gz', '/R') } });
  const { results } = await house.run([
    ['FA_list_archive', ['many.zip']],
    ['FA_list_archive', ['bomb.tgz']],
  ]);
  expect(results.map(({ error }) => error?.type)).toEqual(['QuotaExceededException', 'QuotaExceededException']);
});
