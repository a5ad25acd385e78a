import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('a damaged blob is noticed and not handed out', async () => {
  await using house = openHouse({ files: { [`s/ba/${ABC}`]: 'abd' } });
  const { results } = await house.run([
    ['FA_cas_read', ['s', ABC]],
    ['FA_cas_copy_to', ['s', ABC, 'out.txt']],
  ]);
  expect(results.map(({ error }) => error?.type)).toEqual(['CASException', 'CASException']);
  expect(house.dir.read('out.txt')).toBeUndefined();
});

test('a digest cannot lead out of the store', async () => {
  await using house = openHouse();
  for (const digest of ['../../etc/passwd', `../${ABC.slice(3)}`, ABC.toUpperCase(), '']) {
    const { results } = await house.run([['FA_cas_delete', ['s', digest]]]);
    expect(results[0]?.error?.type).toBe('CASException');
  }
});

test('foreign files in the store are no blobs', async () => {
  await using house = openHouse({ files: { 's/ba/notes.txt': 'x', 's/zz/x': 'x', [`s/ff/${ABC}`]: 'abc', [`s/ba/${ABC}`]: 'abc' } });
  const { results } = await house.run([
    ['FA_cas_list', ['s']],
    ['FA_cas_size', ['s']],
  ]);
  expect(results.map(({ value }) => value)).toEqual([[ABC], 1]);
});
