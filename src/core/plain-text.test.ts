import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAtReferences } from '../pipeline/command/references.ts';
import { plainText } from './plain-text.ts';

test('whatever a text holds, a list reads it as it is', () => {
  const texts = fc.array(fc.constantFrom('$', '{', '}', 'env:HOME', 'a', '${', '$${'), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(splitAtReferences(plainText(text)).join('')).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});
