import { lstatSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildTar } from '../../../../test/support/archives/build-tar.ts';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { namesIn, treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../../../test/support/house.ts';
import { createPolicy } from '../../../access/policy.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const ENTRIES = [
  { type: 'file', name: 'a.txt', data: 'one' },
  { type: 'file', name: 'd/b.txt', data: 'two' },
];

describe('a caller with a root', () => {
  const callerOf = (house: TestHouse) => ({ name: 'limited', remote: true, policy: createPolicy({ readWrite: [house.dir.at('root')] }) });
  const files = {
    'root/o.tar': buildTar(ENTRIES, KITCHEN),
    'root/o.zip': buildZip(ENTRIES, KITCHEN),
    'root/s/x.txt': 'x',
    'outside/y.txt': 'y',
  };

  test.each([
    ['the root itself', 'root'],
    ['a directory that is there', 'root/s'],
    ['one that is not', 'root/deep/down'],
  ])('extracts into %s', async (_, target) => {
    await using house = openHouse({ files });
    const caller = callerOf(house);
    for (const [name, source] of [
      ['FA_extract_tar', 'root/o.tar'],
      ['FA_extract_archive', 'root/o.zip'],
    ] as const) {
      const { results } = await house.factotum.run([[name, [source, target]]], { caller });
      expect(results[0]?.error).toBeUndefined();
    }
    expect(house.dir.read(`${target}/d/b.txt`)).toBe('two');
    expect(namesIn(house.dir.path).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('packs what is inside', async () => {
    await using house = openHouse({ files });
    const { results } = await house.factotum.run(
      [
        ['FA_zip_dir', ['root/s', 'root/s.zip']],
        ['FA_create_tar', ['root/s', 'root/s.tgz']],
        ['FA_list_archive', ['root/s.zip']],
      ],
      { caller: callerOf(house) },
    );
    expect(results.map(({ error, status }) => error ?? status)).toEqual(['ok', 'ok', 'ok']);
    expect(results[2]?.value).toEqual(['x.txt']);
  });

  test.each([
    ['extract outside', ['FA_extract_tar', ['root/o.tar', 'outside']]],
    ['pack from outside', ['FA_zip_dir', ['outside', 'root/o2.zip']]],
    ['pack to outside', ['FA_create_tar', ['root/s', 'outside/o.tgz']]],
  ])('may not %s', async (_, command) => {
    await using house = openHouse({ files });
    const before = treeOf(house.dir.path);
    const { results } = await house.factotum.run([command], { caller: callerOf(house) });
    expect(results[0]?.error?.type).toBe('PolicyException');
    expect(treeOf(house.dir.path)).toEqual(before);
  });
});

test('a byte quota of the list is kept, and nothing stays', async () => {
  await using house = openHouse({ files: { 'o.tar': buildTar([{ type: 'file', name: 'a', fill: ['x', 50_000] }], KITCHEN) } });
  const { results } = await house.run({ actions: [['FA_extract_tar', ['o.tar', 'x']]], quota: { max_bytes: 10_000 } });
  expect(results[0]?.error?.type).toBe('QuotaExceededException');
  expect(namesIn(house.dir.path)).toEqual(['o.tar']);
});

test('an extraction that is cancelled leaves nothing', async () => {
  const entries = Array.from({ length: 2000 }, (_, at) => ({ type: 'file', name: `f${at}`, data: 'content' }));
  await using house = openHouse({ files: { 'o.zip': buildZip(entries, KITCHEN) } });
  const controller = new AbortController();
  const { progress } = house.factotum;
  progress.onChange(() => {
    if ((progress.list()[0]?.transferred ?? 0) > 0) controller.abort();
  });
  const { results } = await house.run([['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x' }]], { signal: controller.signal });
  expect(results[0]?.status).toBe('cancelled');
  expect(namesIn(house.dir.path)).toEqual(['o.zip']);
});

test('a new directory is open to others only when it is whole', async () => {
  await using house = openHouse({ files: { 'o.tar': buildTar(ENTRIES, KITCHEN) } });
  await house.run([['FA_extract_tar', ['o.tar', 'x']]]);
  const [target, other] = [lstatSync(house.dir.at('x')), lstatSync(house.dir.path)];
  expect(target.mode & 0o777).toBe(0o777 & ~process.umask());
  expect(target.uid).toBe(other.uid);
});
