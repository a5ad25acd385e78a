import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataOpsException } from '../../../core/errors.ts';
import { type CsvSource, convertCarefully, csvToJsonl, type ToJsonlOptions } from './to-jsonl.ts';

const sourceOf = (bytes: Buffer, { chunkBytes = 7, mayStream = true } = {}): CsvSource => ({
  async readAt(into, position) {
    const part = bytes.subarray(position, position + into.byteLength);
    into.set(part);
    return part.byteLength;
  },
  async *stream({ start }) {
    if (!mayStream) throw new Error('the careful reader was asked');
    for (let at = start; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  },
});

type Convert = (source: CsvSource, options: ToJsonlOptions) => Promise<number>;

const convert = async (
  way: Convert,
  source: CsvSource,
  { delimiter = ',', encoding = 'utf-8', buffers }: Partial<ToJsonlOptions['format']> & Pick<ToJsonlOptions, 'buffers'> = {},
) => {
  const written: Buffer[] = [];
  try {
    const records = await way(source, {
      format: { name: 'a.csv', delimiter, encoding },
      write: async (bytes) => void written.push(Buffer.from(bytes)),
      ...(buffers && { buffers }),
    });
    return { records, text: Buffer.concat(written).toString() };
  } catch (fault) {
    if (!(fault instanceof DataOpsException)) throw fault;
    return { message: fault.message, context: fault.context };
  }
};

const HOSTILE = [
  'a',
  'b,',
  ',',
  '\n',
  '\r\n',
  '\r',
  '"',
  '""',
  '"x"',
  'é',
  '😀',
  '\\',
  '\t',
  '\u0001',
  '\0',
  '"a\nb"',
  '"q,r",',
  'a longer field of plain text ',
  ';',
  '\n\n',
  '"\r\n"',
];

describe('the kernel and the careful reader', () => {
  const bytes = fc
    .tuple(
      fc.boolean(),
      fc.array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...HOSTILE) }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }), {
        maxLength: 60,
      }),
      fc.option(fc.tuple(fc.nat(150), fc.integer({ min: 0x80, max: 0xff })), { freq: 8 }),
    )
    .map(([hasHeader, parts, bad]) => {
      const content = Buffer.from(`${hasHeader ? 'a,b,c\n' : ''}${parts.join('')}`);
      if (bad !== null && bad[0] < content.byteLength) content[bad[0]] = bad[1];
      return content;
    });
  const delimiter = fc.constantFrom(',', ';', '\t', 'a', '\\', '\0');
  const buffers = fc.record({ inputBytes: fc.integer({ min: 40, max: 200 }), outputBytes: fc.integer({ min: 140, max: 400 }) });

  const roomy = { inputBytes: 4_096, outputBytes: 4_096 };

  test('give the same records and the same errors for any bytes and any cuts', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, delimiter, buffers, async (content, mark, small) => {
        const careful = await convert(convertCarefully, sourceOf(content), { delimiter: mark });
        expect(await convert(csvToJsonl, sourceOf(content), { delimiter: mark, buffers: small })).toEqual(careful);
        expect(await convert(csvToJsonl, sourceOf(content, { chunkBytes: 1_000 }), { delimiter: mark, buffers: roomy })).toEqual(careful);
      }),
      { numRuns: 2_000 },
    );
  });

  test('ordinary files are for the kernel alone, however they are cut', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => `${index},"say ""${'hi '.repeat(index % 9)}""",é${'x'.repeat(index % 40)}\r\n`);
    const content = Buffer.from(`\ufeffid,"a ""name""",text\r\n${rows.join('')}\r\n7`);
    const careful = await convert(convertCarefully, sourceOf(content));
    for (const inputBytes of [128, 200, 333, 4_096]) {
      expect(await convert(csvToJsonl, sourceOf(content, { mayStream: false }), { buffers: { inputBytes, outputBytes: 512 } })).toEqual(
        careful,
      );
    }
    expect(careful.records).toBe(501);
  });

  test('a record that is larger than the buffers is left to the careful reader', async () => {
    const content = Buffer.from(`a,b\n1,2\n${'x'.repeat(300)},"${'\u0001'.repeat(300)}"\n3,4\n`);
    const small = { inputBytes: 128, outputBytes: 200 };
    expect(await convert(csvToJsonl, sourceOf(content), { buffers: small })).toEqual(await convert(convertCarefully, sourceOf(content)));
  });

  test('errors far into a file name its line', async () => {
    const content = Buffer.from(`a,b\n${'1,"x\ny"\n'.repeat(2_000)}1,2,3\n`);
    expect(await convert(csvToJsonl, sourceOf(content), { buffers: { inputBytes: 1_000, outputBytes: 1_000 } })).toMatchObject({
      message:
        'a.csv, line 4002: the row has 3 fields, the header 2 columns; remove the surplus or quote the field that holds a delimiter.',
    });
  });
});

test('other encodings and wide delimiters are read carefully', async () => {
  expect(await convert(csvToJsonl, sourceOf(Buffer.from('a§b\n1§é\n')), { delimiter: '§' })).toEqual({
    records: 1,
    text: '{"a":"1","b":"é"}\n',
  });
  expect(await convert(csvToJsonl, sourceOf(Buffer.from('\ufeffa,b\n1,é\n', 'utf16le')), { encoding: 'utf-16' })).toEqual({
    records: 1,
    text: '{"a":"1","b":"é"}\n',
  });
  expect(await convert(csvToJsonl, sourceOf(Buffer.from('a\n1\n')), { encoding: 'klingon' })).toMatchObject({
    message: expect.stringContaining('"klingon" is unknown'),
  });
});
