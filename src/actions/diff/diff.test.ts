import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('FA_apply_patch makes one file from the other with what FA_diff_files tells', async () => {
  await using house = openHouse({ files: { a: 'x\r\ny\r\nz', b: 'x\r\nY\r\nz\n' } });
  const { results } = await house.run([
    ['FA_diff_files', ['a', 'b']],
    ['FA_apply_patch', ['a', '${results[0].value}']],
    ['FA_diff_files', ['a', 'b']],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(results[2]?.value).toBe('');
});

test('mode, link and encoding of a patched file stay', async () => {
  await using house = openHouse({ files: { real: Buffer.from('caf\xe9\n', 'latin1') } });
  chmodSync(house.dir.at('real'), 0o640);
  symlinkSync('real', house.dir.at('link'));
  const { results } = await house.run([['FA_apply_patch', { target: 'link', patch: '@@ -1 +1 @@\n-café\n+CAFÉ\n', encoding: 'latin-1' }]]);
  expect(results[0]).toMatchObject({ status: 'ok', value: true });
  expect(readFileSync(house.dir.at('real')).toString('latin1')).toBe('CAF\xc9\n');
  expect(statSync(house.dir.at('real')).mode & 0o777).toBe(0o640);
  expect(lstatSync(house.dir.at('link')).isSymbolicLink()).toBe(true);
});

test('a patch that does not fit fails in a dry run too', async () => {
  await using house = openHouse({ files: { a: 'one\n' } });
  const refused = await house.run({ actions: [['FA_apply_patch', ['a', '@@ -1 +1 @@\n-two\n+2\n']]], dry_run: true });
  expect(refused.results[0]?.error?.type).toBe('DiffException');
  const planned = await house.run({ actions: [['FA_apply_patch', ['a', '@@ -1 +1 @@\n-one\n+1\n']]], dry_run: true });
  expect(planned.results[0]?.plan?.effects.map(({ kind, bytes }) => [kind, bytes])).toEqual([
    ['read', 4],
    ['overwrite', 2],
  ]);
  expect(house.dir.read('a')).toBe('one\n');
});

test('what is no text is refused by the offset of its first bad byte', async () => {
  await using house = openHouse({ files: { a: Buffer.from([0x61, 0xff]), b: 'x' } });
  const { results } = await house.run([['FA_diff_files', ['a', 'b']]]);
  expect(results[0]?.error).toMatchObject({ type: 'DiffException', context: { argument: 'left' } });
  expect(results[0]?.error?.message).toContain('offset 1');
});
