import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../../../test/support/house.ts';

const FILES = { 's/a.txt': 'one', 's/n/文.txt': 'two', 's/large.txt': 'large '.repeat(200_000) };

const create = async (house: TestHouse, args: Record<string, unknown>) => (await house.run([['FA_create_tar', args]])).results[0];

/** Programs that write what no library does. */
const WRITERS: Readonly<Record<string, string>> = { bz2: 'bzip2', xz: 'xz' };

describe('FA_create_tar', () => {
  for (const compression of [null, '', 'none', 'NONE', 'gz', 'GZ', 'bz2', 'xz', 'zst']) {
    const program = WRITERS[compression ?? ''];
    const isMissing = program !== undefined && !hasTool(program);
    test.skipIf(isMissing)(
      `packs with compression ${compression} what FA_extract_tar unpacks${program === undefined ? '' : ` (needs ${program})`}`,
      async () => {
        await using house = openHouse({ files: FILES });
        mkdirSync(house.dir.at('s/empty'));
        symlinkSync('n/文.txt', house.dir.at('s/link'));
        utimesSync(house.dir.at('s/a.txt'), 1_700_000_000, 1_700_000_000);
        expect(await create(house, { source: 's', target: 'o.tar', compression })).toMatchObject({
          status: 'ok',
          value: house.dir.at('o.tar'),
        });
        const { results } = await house.run([['FA_extract_tar', { source: 'o.tar', target_dir: 'x', links: 'inside' }]]);
        expect(results[0]?.value).toEqual(['s', 's/a.txt', 's/empty', 's/large.txt', 's/link', 's/n', 's/n/文.txt']);
        expect(treeOf(house.dir.at('x/s'))).toEqual(treeOf(house.dir.at('s')));
        expect(lstatSync(house.dir.at('x/s/a.txt')).mtimeMs).toBe(1_700_000_000_000);
      },
    );
  }

  test.each([
    ['FA_create_tar', 'o.tar', Date.UTC(1950, 5, 1, 12)],
    ['FA_create_tar', 'o.tar', -1500],
    ['FA_zip_dir', 'o.zip', Date.UTC(1950, 5, 1, 12)],
  ])('%s keeps a time before 1970 in %s: %i', async (action, target, mtimeMs) => {
    await using house = openHouse({ files: { 's/a.txt': 'one' } });
    for (const path of ['s/a.txt', 's']) utimesSync(house.dir.at(path), new Date(mtimeMs), new Date(mtimeMs));
    const done = await house.run([
      [action, ['s', target]],
      ['FA_extract_archive', { source: target, target: 'x' }],
    ]);
    expect(done.results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const [file] = readdirSync(house.dir.at('x'), { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('a.txt'));
    expect(lstatSync(house.dir.at(`x/${file}`)).mtimeMs).toBe(mtimeMs);
    if (action === 'FA_create_tar') expect(lstatSync(house.dir.at('x/s')).mtimeMs).toBe(mtimeMs);
  });

  test.skipIf(!hasTool('7z'))('a 7z archive keeps a time before 1970 (needs 7z)', async () => {
    await using house = openHouse({ files: { 'a.txt': 'one' } });
    const mtimeMs = Date.UTC(1950, 5, 1, 12);
    utimesSync(house.dir.at('a.txt'), new Date(mtimeMs), new Date(mtimeMs));
    tool('7z', ['a', 'o.7z', 'a.txt'], { cwd: house.dir.path });
    await house.run([['FA_extract_archive', { source: 'o.7z', target: 'x' }]]);
    expect(lstatSync(house.dir.at('x/a.txt')).mtimeMs).toBe(mtimeMs);
  });

  test('gives the same bytes again', async () => {
    await using house = openHouse({ files: FILES });
    await create(house, { source: 's', target: 'one.tgz' });
    await create(house, { source: 's', target: 'two.tgz' });
    expect(readFileSync(house.dir.at('one.tgz')).equals(readFileSync(house.dir.at('two.tgz')))).toBe(true);
  });

  test('does not pack the archive into itself', async () => {
    await using house = openHouse({ files: { 's/a': '1' } });
    await create(house, { source: 's', target: 's/o.tgz' });
    await create(house, { source: 's', target: 's/o.tgz' });
    expect((await house.run([['FA_list_archive', ['s/o.tgz']]])).results[0]?.value).toEqual(['s', 's/a']);
  });

  test.each([
    ['a source that is not there', { source: 'nope', target: 'o.tgz' }, 'TarException'],
    ['a compression that is not known', { source: 'a', target: 'o.tgz', compression: 'zip' }, 'TarException'],
    ['a file onto itself', { source: 'a', target: 'a' }, 'TarException'],
  ])('refuses %s and leaves everything as it was', async (_, args, type) => {
    await using house = openHouse({ files: { a: '1', 'o.tgz': 'old' } });
    const before = treeOf(house.dir.path);
    expect((await create(house, args))?.error?.type).toBe(type);
    const dry = await house.run({ actions: [['FA_create_tar', args]], dry_run: true });
    expect(dry.results[0]?.error?.type).toBe(type);
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('foretells what it reads and writes', async () => {
    await using house = openHouse({ files: { 's/a': '1' } });
    const { results } = await house.run({ actions: [['FA_create_tar', ['s', 'out/o.tgz']]], dry_run: true });
    expect(results[0]?.plan?.effects.map(({ kind, target }) => `${kind} ${target.slice(house.dir.path.length + 1)}`)).toEqual([
      'read s/a',
      'create out',
      'create out/o.tgz',
    ]);
  });

  test('says which program is missing', async () => {
    await using house = openHouse({ files: { a: '1' } });
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      expect((await create(house, { source: 'a', target: 'o.txz', compression: 'xz' }))?.error).toMatchObject({
        type: 'TarException',
        message: expect.stringContaining('needs the program xz'),
      });
    } finally {
      process.env.PATH = path;
    }
    expect([...treeOf(house.dir.path).keys()]).toEqual(['a']);
  });
});

describe('FA_extract_tar', () => {
  test.each([
    ['an archive that is not there', 'nope', 'TarException'],
    ['a directory', 'd', 'TarException'],
    ['a text', 'd/text', 'TarException'],
    ['a compressed text', 'd/text.gz', 'TarException'],
  ])('refuses %s', async (_, source, type) => {
    await using house = openHouse({
      files: {
        'd/text': 'no archive',
        'd/text.gz': Buffer.from('1f8b08000000000000034bcb4f070021651fef03000000'.replace(/\s/g, ''), 'hex'),
      },
    });
    const { results } = await house.run([['FA_extract_tar', [source, 'x']]]);
    expect(results[0]?.error?.type).toBe(type);
  });
});
