import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRegex } from '../regex/compile.ts';
import { compileReplacement } from '../regex/replacement.ts';
import { replacePattern } from './replace-pattern.ts';
import { replaceText, type Tally } from './replace-text.ts';

async function* streamOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

const joined = async (texts: AsyncIterable<string>): Promise<string> => {
  let whole = '';
  for await (const text of texts) whole += text;
  return whole;
};

const newTally = (most = Number.POSITIVE_INFINITY): Tally => ({ done: 0, most });
const { signal } = new AbortController();
const pieces = fc.array(
  fc.array(fc.constantFrom('a', 'ab', 'b', '\n', '\r\n', ' ', '😀'), { maxLength: 6 }).map((parts) => parts.join('')),
  { maxLength: 8 },
);

test('a literal text is found wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.constantFrom('a', 'ab', 'aab', 'b\n', 'abab'), fc.nat(4), async (chunks, wanted, most) => {
      const tally = newTally(most === 0 ? undefined : most);
      const all = chunks.join('').split(wanted);
      const replaced = Math.min(all.length - 1, tally.most);
      const expected = [...all.slice(0, replaced), all.slice(replaced).join(wanted)].join('<>');
      expect(await joined(replaceText(streamOf(chunks), wanted, '<>', tally))).toBe(expected);
      expect(tally.done).toBe(replaced);
    }),
  );
});

test('a pattern finds in a stream what it finds in the whole text', async () => {
  const patterns = [
    'a',
    'a+',
    'x*',
    '^',
    '$',
    '^a',
    'a$',
    '\\b',
    '(?m)^',
    '(?m)$',
    '(?m)^a|b$',
    '[^\\n]+',
    '\\s+',
    '.',
    'b?$',
    '\\Aa',
    'b\\z',
    '\\n',
  ];
  await fc.assert(
    fc.asyncProperty(pieces, fc.constantFrom(...patterns), async (chunks, pattern) => {
      const regex = await compileRegex(pattern);
      const replacement = compileReplacement('<\\g<0>>', regex);
      const whole = chunks.join('');
      let expected = '';
      let from = 0;
      for (const match of regex.matches(whole)) {
        expected += whole.slice(from, match.start) + replacement(match);
        from = match.end;
      }
      expected += whole.slice(from);
      expect(await joined(replacePattern(streamOf(chunks), regex, { replacement: '<\\g<0>>', tally: newTally(), signal }))).toBe(expected);
    }),
    { numRuns: 600 },
  );
});

test('hard work is done by a thread, with the same result', async () => {
  const regex = await compileRegex('(a?){20}a{20}(b)');
  const lines = `${'a'.repeat(30)}b${'ca'.repeat(60_000)}\n`;
  const tally = newTally();
  const output = await joined(replacePattern(streamOf([lines, lines, 'aaaab']), regex, { replacement: '<\\2>', tally, signal }));
  expect(tally.done).toBe(2);
  expect(output).toBe(`${`<b>${'ca'.repeat(60_000)}\n`.repeat(2)}aaaab`);
});

test('a thread that works too hard is ended when the work is cancelled', async () => {
  const regex = await compileRegex('(?:a?){500}a{500}b');
  const stop = new AbortController();
  const work = joined(
    replacePattern(streamOf([`b${'a'.repeat(4_000_000)}`]), regex, { replacement: '', tally: newTally(), signal: stop.signal }),
  );
  setTimeout(() => stop.abort(new Error('enough')), 500);
  await expect(work).rejects.toThrow('enough');
});
