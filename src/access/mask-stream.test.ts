import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../test/fixtures/corpus/secrets-masking.json' with { type: 'json' };
import { createMasker } from './mask.ts';
import { createChunkMasker } from './mask-stream.ts';

const maskChunks = (secrets: readonly string[], chunks: readonly string[]): string => {
  const masker = createMasker();
  for (const secret of secrets) masker.learn(secret);
  const stream = createChunkMasker(masker);
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end();
};

/** Few letters, so that secrets overlap each other and are often met in part. */
const dense = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });
const denseSecret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 14 });

describe('createChunkMasker', () => {
  for (const { id, why, secrets, chunks, expect: expected } of corpus.cases.filter((each) => 'chunks' in each)) {
    test(`${id}: ${why}`, () => expect(maskChunks(secrets, chunks ?? [])).toBe(expected));
  }

  test('shows in pieces what masking the whole text would show', () => {
    fc.assert(
      fc.property(fc.array(denseSecret, { maxLength: 3 }), fc.array(dense, { maxLength: 8 }), (secrets, chunks) => {
        const masker = createMasker();
        for (const secret of secrets) masker.learn(secret);
        expect(maskChunks(secrets, chunks)).toBe(masker.knownText(chunks.join('')));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves text without secrets unchanged and holds back no more than a secret may need', () => {
    const masker = createMasker();
    const open = createChunkMasker(masker);
    expect(open.push('nothing to hide')).toBe('nothing to hide');
    masker.learn('0123456789');
    const longest = masker.longest;
    const shown = open.push('x'.repeat(100));
    expect(shown).toBe('x'.repeat(100 - longest + 1));
    expect(open.end()).toBe('x'.repeat(longest - 1));
  });
});
