import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { createPolicy } from '../../access/policy.ts';

const KEY = { hex: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f' };

describe('FA_encrypt_file and FA_decrypt_file', () => {
  test('bring a file of several chunks back', async () => {
    const content = Buffer.from(Array.from({ length: 5_000_000 }, (_, at) => (at * 17) & 0xff));
    await using house = openHouse({ files: { a: content } });
    const { results } = await house.run([
      ['FA_generate_key'],
      ['FA_encrypt_file', { source: 'a', target: 'e', key: '${results[0].value}' }],
      ['FA_decrypt_file', { source: 'e', target: 'b', key: '${results[0].value}' }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(results[1]?.value).toEqual({ plaintext_bytes: 5_000_000, ciphertext_bytes: 5_000_000 + 25 + 5 * 16 });
    expect(readFileSync(house.dir.at('b')).equals(content)).toBe(true);
  });

  test('take keys in all their forms, one made from a password too', async () => {
    await using house = openHouse({ files: { a: 'text' } });
    const bytes = Buffer.from(KEY.hex, 'hex');
    const { results } = await house.run([
      ['FA_encrypt_file', ['a', 'e', KEY]],
      ['FA_decrypt_file', ['e', 'b', { base64: bytes.toString('base64') }]],
      ['FA_key_from_password', { password: 'correct horse', salt: { base64: 'AAAAAAAAAAAAAAAAAAAAAA==' }, iterations: 1000, bits: 128 }],
      ['FA_encrypt_file', ['a', 'e2', '${results[2].value}']],
      ['FA_decrypt_file', ['e2', 'b2', '${results[2].value}']],
    ]);
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('ok'));
    expect([house.dir.read('b'), house.dir.read('b2')]).toEqual(['text', 'text']);
  });

  test('work in place and keep the mode', async () => {
    await using house = openHouse({ files: { a: 'text' } });
    chmodSync(house.dir.at('a'), 0o640);
    await house.run([['FA_encrypt_file', ['a', 'a', KEY]]]);
    expect(statSync(house.dir.at('a')).size).toBe(45);
    await house.run([['FA_decrypt_file', ['a', 'a', KEY]]]);
    expect(house.dir.read('a')).toBe('text');
    expect(statSync(house.dir.at('a')).mode & 0o777).toBe(0o640);
  });

  test('two files of the same content and key have nothing in common', async () => {
    await using house = openHouse({ files: { a: 'x'.repeat(1000) } });
    await house.run([
      ['FA_encrypt_file', ['a', 'e1', KEY]],
      ['FA_encrypt_file', ['a', 'e2', KEY]],
    ]);
    const [first, second] = ['e1', 'e2'].map((name) => readFileSync(house.dir.at(name)).subarray(13).toString('hex'));
    expect(first).not.toBe(second);
    expect(first?.slice(24, 88)).not.toBe(second?.slice(24, 88));
  });

  test('a file that changed far inside leaves the old target and no traces', async () => {
    await using house = openHouse({ files: { a: 'z'.repeat(3_000_000), b: 'old' } });
    await house.run([['FA_encrypt_file', ['a', 'e', KEY]]]);
    const sealed = readFileSync(house.dir.at('e'));
    sealed[2_500_000] = (sealed[2_500_000] ?? 0) ^ 1;
    house.dir.write('e', sealed);
    const { results } = await house.run([['FA_decrypt_file', ['e', 'b', KEY]]]);
    expect(results[0]?.error?.type).toBe('CryptoException');
    expect(house.dir.read('b')).toBe('old');
    expect(readdirSync(house.dir.path).sort()).toEqual(['a', 'b', 'e']);
  });

  test('a dry run tells the size, and a wrong key fails in it', async () => {
    await using house = openHouse({ files: { a: 'x'.repeat(100) } });
    const sealing = await house.run({ actions: [['FA_encrypt_file', ['a', 'e', KEY, 'ad']]], dry_run: true });
    expect(sealing.results[0]?.plan?.effects.map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ['read', 100],
      ['create', 143],
    ]);
    await house.run([['FA_encrypt_file', ['a', 'e', KEY, 'ad']]]);
    const wrong = await house.run({ actions: [['FA_decrypt_file', ['e', 'b', '0123456789abcdef']]], dry_run: true });
    expect(wrong.results[0]?.error?.type).toBe('CryptoException');
    const right = await house.run({ actions: [['FA_decrypt_file', ['e', 'b', KEY]]], dry_run: true });
    expect(right.results[0]?.plan?.effects.map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ['read', 143],
      ['create', 100],
    ]);
    expect(readdirSync(house.dir.path).sort()).toEqual(['a', 'e']);
  });

  test.each([
    ['a key of a wrong length', { key: 'short' }, 'CryptoException'],
    ['hex that is none', { key: { hex: '0g' } }, 'ArgumentException'],
    ['a key of another shape', { key: { bytes: [1] } }, 'ArgumentException'],
    ['too much associated data', { key: KEY, associated_data: 'x'.repeat(1024 * 1024 + 1) }, 'CryptoException'],
    ['a file on the way', { key: KEY, target: 'a/where' }, 'PathExistsException'],
  ])('refuse %s', async (_about, args, type) => {
    await using house = openHouse({ files: { a: 'text' } });
    const { results } = await house.run([['FA_encrypt_file', { source: 'a', target: 'e', ...args }]]);
    expect(results[0]?.error?.type).toBe(type);
    expect(results[0]?.error?.message).not.toContain('0g');
    expect(readdirSync(house.dir.path)).toEqual(['a']);
  });
});

describe('keys', () => {
  test('are random and of the length asked for', async () => {
    await using house = openHouse();
    const { results } = await house.run([128, 192, 256, 256].map((bits) => ['FA_generate_key', { bits }]));
    const keys = results.map(({ value }) => Buffer.from((value as { base64: string }).base64, 'base64'));
    expect(keys.map(({ length }) => length)).toEqual([16, 24, 32, 32]);
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4);
  });

  test.each([
    ['FA_generate_key', { bits: 100 }],
    ['FA_key_from_password', { password: 'x', salt: 'short' }],
    ['FA_key_from_password', { password: '', salt: '0123456789abcdef' }],
    ['FA_key_from_password', { password: 'x', salt: '0123456789abcdef', bits: 64 }],
    ['FA_key_from_password', { password: 'x', salt: '0123456789abcdef', iterations: 0 }],
    ['FA_key_from_password', { password: 'x', salt: '0123456789abcdef', iterations: 1e12 }],
  ])('%s refuses %j', async (name, args) => {
    await using house = openHouse();
    const { results } = await house.run([[name, args]]);
    expect(['CryptoException', 'ArgumentException']).toContain(results[0]?.error?.type);
  });

  test('callers with limits may not ask for as many rounds as the owner', async () => {
    await using house = openHouse();
    const list = [['FA_key_from_password', { password: 'x', salt: '0123456789abcdef', iterations: 10_000_000 }]];
    const { results } = await house.factotum.run(list, { caller: { name: 'limited', policy: createPolicy({}), remote: true } });
    expect(results[0]?.error).toMatchObject({ type: 'QuotaExceededException', context: { argument: 'iterations', limit: 2_000_000 } });
  });

  test('600,000 rounds are the default', async () => {
    await using house = openHouse();
    const args = { password: 'pw', salt: '0123456789abcdef' };
    const { results } = await house.run([
      ['FA_key_from_password', args],
      ['FA_key_from_password', { ...args, iterations: 600_000 }],
    ]);
    expect(results[0]?.value).toEqual(results[1]?.value);
  });
});
