import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillReferences, isWellReferred, referencesIn } from './secret-reference.ts';

describe('references in the configuration', () => {
  test.each([
    ['plain', [], 'plain'],
    ['${env:A}', ['${env:A}'], '<${env:A}>'],
    ['https://x/${env:A}?k=${file:sub/b}', ['${env:A}', '${file:sub/b}'], 'https://x/<${env:A}>?k=<${file:sub/b}>'],
    ['${env:A}${env:A}', ['${env:A}', '${env:A}'], '<${env:A}><${env:A}>'],
    ['$${env:A}', [], '${env:A}'],
    ['$$${env:A}', [], '$${env:A}'],
    ['a $ b { c }', [], 'a $ b { c }'],
  ])('%j holds %j', (text, references, filled) => {
    expect(referencesIn(text).map(({ written }) => written)).toEqual(references);
    expect(fillReferences(text, (written) => `<${written}>`)).toBe(filled);
    expect(isWellReferred(text)).toBe(true);
  });

  test.each(['${', '${env:}', '${env:A', '${evn:A}', '${A}', '${env:${env:A}}', '$${${x}'])('%j is not well written', (text) => {
    expect(isWellReferred(text)).toBe(false);
  });

  test('what takes the place of a reference is not looked into', () => {
    expect(fillReferences('${env:A}', () => '${env:B} $& $${')).toBe('${env:B} $& $${');
  });

  test('any text can be written so that it stands for itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'${}env:file') }), (text) => {
        const written = text.replaceAll('${', () => '$${');
        expect(referencesIn(written)).toEqual([]);
        expect(fillReferences(written, () => 'never')).toBe(text);
      }),
    );
  });
});
