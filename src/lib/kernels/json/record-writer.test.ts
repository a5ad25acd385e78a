import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecordWriter, MAX_TEXT_BYTES } from './record-writer.ts';

interface Line {
  readonly number: number;
  readonly text: string;
}

/** All lines, in as many calls as it takes; each with where its record ends. */
const write = (lines: readonly Line[], head: string, from = 0): string[] => {
  const writer = createRecordWriter(Buffer.from(',"text":"'), Buffer.from('"}'));
  if (writer === undefined) throw new Error('there is no WebAssembly');
  let bytes = 0;
  const ends = Uint32Array.from(lines, ({ text }) => (bytes += Buffer.byteLength(text)));
  const packed = {
    text: Buffer.from(lines.map(({ text }) => text).join('')),
    ends,
    numbers: Uint32Array.from(lines, (line) => line.number),
  };
  const records: string[] = [];
  const base = 1000;
  for (let at = from; at < lines.length; ) {
    const { count, text, ends } = writer.write(packed, at, lines.length, Buffer.from(head), base);
    for (let record = 0; record < count; record += 1) {
      const start = record === 0 ? base : (ends[record - 1] ?? 0);
      records.push(Buffer.from(text.subarray(start - base, (ends[record] ?? 0) - base)).toString());
    }
    expect(ends[count - 1]).toBe(base + text.byteLength);
    at += count;
  }
  return records;
};

/** As JSON.stringify says it. */
const expected = (lines: readonly Line[], path: string): string[] =>
  lines.map(({ number, text }) => JSON.stringify({ path, line: number, text }));

const headOf = (path: string) => `{"path":${JSON.stringify(path)},"line":`;

const texts = fc
  .array(fc.constantFrom('plain text', '"', '\\', '\t', '\b', '\f', '\r', '\0', '\u001f', '\u007f', 'é', '€', '😀', 'x'.repeat(15), ''), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));
const lines = fc.array(fc.record({ number: fc.constantFrom(1, 9, 10, 99, 12_345, 4_294_967_295), text: texts }), {
  minLength: 1,
  maxLength: 40,
});

test('writes lines as JSON.stringify would', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('/a', '/with "quotes"/é', '/x'.repeat(1000)), (some, path) => {
      expect(write(some, headOf(path))).toEqual(expected(some, path));
    }),
    { numRuns: 1_000 },
  );
});

test('goes on where it stopped when there are many lines or long ones', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({ number: at, text: `line ${at}` }));
  expect(write(many, headOf('/a'))).toEqual(expected(many, '/a'));
  expect(write(many, headOf('/a'), 900)).toEqual(expected(many.slice(900), '/a'));
  const long = Array.from({ length: 5 }, (_, at) => ({ number: at, text: '\0'.repeat(MAX_TEXT_BYTES - at) }));
  expect(write(long, headOf('/a'))).toEqual(expected(long, '/a'));
});
