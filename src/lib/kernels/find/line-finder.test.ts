import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineFinder, MAX_HITS } from './line-finder.ts';

interface Found {
  readonly line: number;
  readonly text: string;
}

const find = (content: string, needle: string, { ignoreCase = false, maxBytes = 1_000_000, isAll = false } = {}): Found[] => {
  const bytes = Buffer.from(content);
  const finder = createLineFinder(isAll ? undefined : { bytes: Buffer.from(needle), ignoreCase }, bytes.byteLength);
  bytes.copy(finder.input);
  finder.start(0, 1);
  const found: Found[] = [];
  for (let hits = finder.next(bytes.byteLength); hits.count > 0; hits = finder.next(bytes.byteLength)) {
    const { count, bytes, text, numbers, ends } = finder.collect(hits.count, { maxBytes, base: 10 });
    expect([count, bytes]).toEqual([hits.count, (ends[count - 1] ?? 0) - 10]);
    for (const [at, line] of numbers.subarray(0, count).entries()) {
      found.push({ line, text: text.toString('utf8', (ends[at - 1] ?? 10) - 10, (ends[at] ?? 0) - 10) });
    }
  }
  return found;
};

/** As a careful reader would say it. */
const linesWith = (content: string, isFound: (line: string) => boolean): Found[] => {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((each, at) => (isFound(each) ? [{ line: at + 1, text: each.replace(/\r$/, '') }] : []));
};

const contents = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'A', '\n', '\r\n', ' ', 'é', 'a longer stretch of text ', '\n\n\n', 'x'.repeat(70)), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

test('finds the lines that hold a needle, with their numbers', () => {
  fc.assert(
    fc.property(contents, fc.constantFrom('a', 'ab', 'ba', 'é', 'longer stretch', ' a', 'text a longer', 'xxxxab'), (content, needle) => {
      expect(find(content, needle)).toEqual(linesWith(content, (line) => line.includes(needle)));
    }),
    { numRuns: 2_000 },
  );
});

test('finds letters in either case and nothing else', () => {
  fc.assert(
    fc.property(contents, fc.constantFrom('a', 'ab', 'longer', 'a@', ' a['), (content, needle) => {
      expect(find(content, needle, { ignoreCase: true })).toEqual(linesWith(content, (line) => line.toLowerCase().includes(needle)));
    }),
    { numRuns: 1_000 },
  );
  expect(find('@[`{\n', '`{', { ignoreCase: true })).toHaveLength(1);
  expect(find('@[\n', '`{', { ignoreCase: true })).toEqual([]);
});

test('finds every line without a needle', () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(find(content, '', { isAll: true })).toEqual(linesWith(content, () => true));
    }),
  );
});

test('goes on where it stopped when there are many hits', () => {
  const content = 'x\n'.repeat(3 * MAX_HITS + 5);
  expect(find(content, 'x')).toEqual(linesWith(content, () => true));
});

test('counts the lines of a long stretch without hits', () => {
  expect(find(`${'\n'.repeat(100_000)}needle`, 'needle')).toEqual([{ line: 100_001, text: 'needle' }]);
});

test('cuts the lines it collects', () => {
  expect(find('abcdef\nab\n', 'b', { maxBytes: 3 })).toEqual([
    { line: 1, text: 'abc' },
    { line: 2, text: 'ab' },
  ]);
});

test('finds nothing behind the end it is told', () => {
  const finder = createLineFinder({ bytes: Buffer.from('needle'), ignoreCase: false }, 64);
  finder.input.write('a needle\nneedle');
  finder.start(0, 1);
  expect(finder.next(7).count).toBe(0);
  finder.start(0, 1);
  expect(finder.next(12).count).toBe(1);
  expect(finder.lineAt(9)).toBe(2);
});

test('counts no line ends outside of what it is told', () => {
  const finder = createLineFinder({ bytes: Buffer.from('b'), ignoreCase: false }, 300);
  finder.input.fill('\n');
  for (const [from, end] of [
    [20, 21],
    [20, 35],
    [20, 36],
    [20, 37],
    [20, 150],
  ] as const) {
    finder.start(from, 1);
    expect(finder.lineAt(end)).toBe(1 + end - from);
  }
  finder.input.write('ab', 20);
  finder.start(21, 5);
  const hits = finder.next(22);
  expect([hits.count, hits.line(0), hits.start(0), hits.end(0)]).toEqual([1, 5, 21, 22]);
});

test('keeps its bytes when it grows', () => {
  const finder = createLineFinder({ bytes: Buffer.from('b'), ignoreCase: false }, 4);
  finder.input.write('aaab');
  finder.grow(300_000);
  finder.input.write('b\n', 299_998);
  finder.start(0, 7);
  const hits = finder.next(300_000);
  expect([hits.count, hits.line(0), hits.start(0), hits.end(0)]).toEqual([1, 7, 0, 299_999]);
});

test('sees a NUL wherever it stands', () => {
  const finder = createLineFinder(undefined, 300);
  finder.input.fill('a');
  expect(finder.holdsNul(0, 300)).toBe(false);
  for (const place of [0, 1, 63, 64, 200, 298, 299]) {
    finder.input[place] = 0;
    expect([finder.holdsNul(0, 300), finder.holdsNul(place + 1, 300), finder.holdsNul(0, place)]).toEqual([true, false, false]);
    finder.input[place] = 1;
  }
});
