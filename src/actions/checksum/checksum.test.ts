import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createInstance } from '../../app/create.ts';
import { hashNames } from '../../lib/hash/hasher.ts';

const cwd = mkdtempSync(join(tmpdir(), 'factotum-checksum-'));
writeFileSync(join(cwd, 'abc'), 'abc');
const factotum = createInstance({ cwd, log: { level: 'silent' } });
afterAll(async () => {
  await factotum.close();
  rmSync(cwd, { recursive: true });
});

const only = async (command: unknown) => (await factotum.run([command])).results[0];

test.each([
  ['md5', '900150983cd24fb0d6963f7d28e17f72'],
  ['sha1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['SHA256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['sha3_256', '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'],
  ['blake3', '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85'],
  ['xxh3', '78af5f94892f3950'],
  ['crc32c', '364b3fb7'],
])('%s of "abc" is the published one', async (algorithm, value) => {
  expect(await only(['FA_file_checksum', { path: 'abc', algorithm }])).toMatchObject({ status: 'ok', value });
});

test('every digest that is offered works', async () => {
  const { results } = await factotum.run(hashNames().map((algorithm) => ['FA_file_checksum', { path: 'abc', algorithm }]));
  expect(results.filter(({ status }) => status !== 'ok').map(({ error }) => error)).toEqual([]);
});

test('a misspelt digest is answered with the nearest name', async () => {
  const outcome = await only(['FA_file_checksum', { path: 'abc', algorithm: 'sha265' }]);
  expect(outcome?.error).toMatchObject({ type: 'ArgumentException', message: expect.stringContaining('did you mean sha256?') });
});

test('an expected digest may name its algorithm', async () => {
  expect(await only(['FA_verify_checksum', ['abc', 'md5:900150983CD24FB0D6963F7D28E17F72']])).toMatchObject({ value: true });
  for (const algorithm of hashNames()) {
    const { value } = (await only(['FA_file_checksum', { path: 'abc', algorithm }])) ?? {};
    expect(await only(['FA_verify_checksum', ['abc', `${algorithm}:${value}`]])).toMatchObject({ value: true });
  }
});
