import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCsvParser } from './parser.ts';

/** The rows with their lines, or what was refused behind them, from a text cut every so many characters. */
const read = (text: string, { cut = text.length, delimiter = ',' } = {}): unknown[] => {
  const rows: unknown[] = [];
  try {
    const parser = createCsvParser({ delimiter, name: 'a.csv' }, (fields, line) => {
      rows.push([line, ...fields]);
      return true;
    });
    for (let at = 0; at < text.length; at += cut) parser.push(text.slice(at, at + cut));
    parser.end();
  } catch (fault) {
    rows.push(fault instanceof Error ? fault.message : fault);
  }
  return rows;
};

describe('rows and the lines they begin on', () => {
  test.each<[about: string, text: string, rows: unknown[]]>([
    [
      'every kind of line end',
      'a\nb\r\nc\rd',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
      ],
    ],
    [
      'blank lines count and give nothing',
      '\n\ra\r\n\r\nb',
      [
        [3, 'a'],
        [5, 'b'],
      ],
    ],
    ['a quoted empty field is a row', '""\n', [[1, '']]],
    [
      'an empty last field',
      'a,\n,',
      [
        [1, 'a', ''],
        [2, '', ''],
      ],
    ],
    [
      'line ends in quotes',
      '"x\r\ny\rz\n",2\nb',
      [
        [1, 'x\r\ny\rz\n', '2'],
        [5, 'b'],
      ],
    ],
    ['doubled quotes', '"a""b",""""', [[1, 'a"b', '"']]],
    ['a quote inside an unquoted field', 'x"y,"z"', [[1, 'x"y', 'z']]],
    ['what other programs take for line ends', 'x\u2028y\u0085z\f', [[1, 'x\u2028y\u0085z\f']]],
  ])('%s', (_about, text, rows) => {
    expect(read(text)).toEqual(rows);
  });
});

describe('refusals name the line and the remedy', () => {
  test.each<[text: string, message: string]>([
    ['a\n"x\ny', 'a.csv, line 2: the quote that opens here is never closed; add the closing one.'],
    ['a\n"x\n"y', 'a.csv, line 3: text stands behind a closing quote; double the quotes that belong to the field.'],
    [`a\n${'x'.repeat((1 << 20) + 1)}`, 'a.csv, line 2: a field is larger than 1048576 bytes; shorten it, or close its quote.'],
    [`"${'é'.repeat(1 << 19)}"\n"${'é'.repeat((1 << 19) + 1)}"`, 'a.csv, line 2: a field is larger'],
    [','.repeat(10_000), 'a.csv, line 1: a row has more than 10000 fields; split the file by columns.'],
    [`${`${'x'.repeat(1 << 20)},`.repeat(65)}`, 'a.csv, line 1: a row is longer than 67108864 characters; split it.'],
  ])('%#', (text, message) => {
    expect(read(text).at(-1)).toEqual(expect.stringContaining(message));
  });
});

test('a taker that has enough stops the reading behind its row', () => {
  const parser = createCsvParser({ delimiter: ',', name: 'a.csv' }, () => false);
  expect(parser.push('a,b\nc,d\n')).toBe(4);
  expect(parser.line()).toBe(2);
});

test('where the text is cut makes no difference', () => {
  const text = fc
    .array(fc.constantFrom('a', ',', ';', '\n', '\r', '\r\n', '"', '""', '"a"', '"\n"', 'é', '😀', ' '), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), fc.constantFrom(',', ';', 'a'), (content, cut, delimiter) => {
      expect(read(content, { cut, delimiter })).toEqual(read(content, { delimiter }));
    }),
    { numRuns: 2_000 },
  );
});
