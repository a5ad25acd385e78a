import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createMasker } from './mask.ts';
import { createSecret } from './secret.ts';

describe('a wrapped secret', () => {
  const value = 'tok-0123456789abcdef';
  const secret = createSecret(value);

  test('gives its value only to who asks for it', () => {
    expect(secret.reveal()).toBe(value);
  });

  test.each([
    ['a template', `${secret}`, '***'],
    ['joining texts', ['is', secret].join(' '), 'is ***'],
    ['JSON', JSON.stringify(secret), '"***"'],
    ['JSON of a masked value', JSON.stringify(createMasker().json({ secret: [secret], held: secret })), '{"secret":"***","held":"***"}'],
    ['inspection', inspect(secret), '[masked]'],
    ['inspection from outside', inspect({ deep: [secret] }), '{ deep: [ [masked] ] }'],
  ])('shows a mask in %s', (_, shown, expected) => {
    expect(shown).toBe(expected);
  });

  test('hides its value from every inspection of its parts', () => {
    expect(inspect(secret, { customInspect: false, showHidden: true, depth: 9 })).not.toContain(value);
  });
});
