import { describe, expect, test } from 'vitest';
import { SecretNotFoundException } from '../../core/errors.ts';
import { createSecretChain } from './chain.ts';
import { createEnvProvider } from './env-provider.ts';
import type { SecretProvider } from './provider.ts';

const kept = (values: Readonly<Record<string, string>>): SecretProvider => ({
  kind: 'file',
  find: async (name) => (values[name] === undefined ? { missing: `no ${name} here` } : { value: values[name] }),
});

describe('a chain of secret providers', () => {
  test('replaces every reference and tells what it handed out', async () => {
    const learned: string[] = [];
    const chain = createSecretChain([createEnvProvider({ A: 'one' }), kept({ b: 'two' })], (secret) => learned.push(secret));
    expect(await chain.resolve('${env:A}-${file:b}-$${env:A}', 'key')).toBe('one-two-${env:A}');
    expect(learned).toEqual(['one', 'two']);
  });

  test('asks those of one kind in order', async () => {
    const chain = createSecretChain([kept({ a: 'first' }), kept({ a: 'second', b: 'third' })]);
    expect(await chain.resolve('${file:a} ${file:b}', 'key')).toBe('first third');
  });

  test.each([
    [
      '${env:MISSING}',
      /^The reference \$\{env:MISSING\} of http\.shared_secret cannot be resolved: the variable MISSING is not set; set it\.$/,
    ],
    ['${env:EMPTY}', /the variable EMPTY is empty/],
    ['${env:toString}', /the variable toString is not set/],
    ['${file:x}', /no x here; no x here/],
  ])('never turns %s into an empty text', async (written, message) => {
    const chain = createSecretChain([createEnvProvider({ EMPTY: '' }), kept({}), kept({})]);
    const fault = await chain.resolve(`a ${written} b`, 'http.shared_secret').catch((reason: unknown) => reason);
    expect(fault).toBeInstanceOf(SecretNotFoundException);
    expect(fault).toMatchObject({ message: expect.stringMatching(message), context: { reference: written, key: 'http.shared_secret' } });
  });

  test('says that nothing keeps a kind for which there is no provider', async () => {
    await expect(createSecretChain([]).resolve('${file:a}', 'key')).rejects.toThrow('nothing keeps secrets of the kind file');
  });
});
