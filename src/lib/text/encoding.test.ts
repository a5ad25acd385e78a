import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextOpsException } from '../../core/errors.ts';
import { decodeText, encodeText, type OnErrors, openDecoder, openEncoder } from './encoding.ts';

const encoded = async (text: string, encoding: string) => (await encodeText(text, encoding)).toString('hex');
const decoded = (hex: string, encoding: string) => decodeText(Buffer.from(hex, 'hex'), encoding);
const convert = async (hex: string, encoding: string, errors: OnErrors) => {
  const decoder = await openDecoder(encoding, { errors });
  return decoder.write(Buffer.from(hex, 'hex')) + decoder.end();
};

describe('texts and their bytes', () => {
  test.each([
    ['utf-8', 'é😀', 'c3a9f09f9880'],
    ['UTF8', '\uFEFFa', 'efbbbf61'],
    ['utf-8-sig', 'a', 'efbbbf61'],
    ['utf-16-le', 'é😀', 'e9003dd800de'],
    ['UTF-16BE', 'é😀', '00e9d83dde00'],
    ['utf-16', 'a', 'fffe6100'],
    ['utf_32_le', '😀', '00f60100'],
    ['utf-32be', '😀', '0001f600'],
    ['utf-32', 'a', 'fffe000061000000'],
    ['latin-1', 'é', 'e9'],
    ['ISO-8859-15', '€', 'a4'],
    ['cp1252', '€“', '8093'],
    ['koi8-r', 'Привет', 'f0d2c9d7c5d4'],
    ['macintosh', '€', 'db'],
    ['x-user-defined', '\uf780', '80'],
    ['shift_jis', '日本', '93fa967b'],
    ['euc-jp', '日本ｱ', 'c6fccbdc8eb1'],
    ['iso-2022-jp', 'a日本¥', '611b2442467c4b5c1b284a5c1b2842'],
    ['gbk', '中国', 'd6d0b9fa'],
    ['gb18030', '中😀\uFFFD', 'd6d09439fc368431a437'],
    ['big5', '中文', 'a4a4a4e5'],
    ['euc-kr', '한국', 'c7d1b1b9'],
  ])('%s', async (encoding, text, hex) => {
    expect(await encoded(text, encoding)).toBe(hex);
    expect(await decoded(hex, encoding)).toBe(text);
  });

  test('a byte order mark decides between the orders, and little-endian needs none', async () => {
    expect(await decoded('feff0061', 'utf-16')).toBe('a');
    expect(await decoded('6100', 'utf-16')).toBe('a');
    expect(await decoded('0000feff00000061', 'utf-32')).toBe('a');
    expect(await decoded('', 'utf-16')).toBe('');
    expect(await encoded('', 'utf-16')).toBe('fffe');
  });

  test('without a mark in the name, a mark is a character', async () => {
    expect(await decoded('fffe6100', 'utf-16-le')).toBe('\uFEFFa');
  });
});

describe('strict errors', () => {
  test.each([
    ['utf-8', '6161ff61', 2],
    ['utf-8', '61c3', 1],
    ['utf-8', '61eda080', 1],
    ['utf-8', 'c0af', 0],
    ['utf-8', 'f4908080', 0],
    ['utf-16-le', '610000d86100', 2],
    ['utf-16-le', '610061', 2],
    ['utf-16-be', 'dc000061', 0],
    ['utf-32-le', '6100000000001100', 4],
    ['ascii', '6180', 1],
    ['cp1252', '6181', 1],
    ['shift_jis', '93fa81', 2],
    ['shift_jis', '93fafd', 2],
    ['gb18030', '618130', 1],
    ['euc-jp', '618f', 1],
    ['iso-2022-jp', '611b2442467c4bff', 6],
    ['iso-2022-jp', '6180', 1],
  ])('%s %s names offset %i', async (encoding, hex, offset) => {
    for (const cut of [0, 1, 2, 3]) {
      const decoder = await openDecoder(encoding);
      const read = () =>
        decoder.write(Buffer.from(hex, 'hex').subarray(0, cut)) + decoder.write(Buffer.from(hex, 'hex').subarray(cut)) + decoder.end();
      expect(read).toThrow(expect.objectContaining({ type: 'TextOpsException', context: expect.objectContaining({ offset }) }));
    }
  });

  test.each([
    ['latin-1', 'a€', 'U+20AC'],
    ['ascii', 'é', 'U+00E9'],
    ['shift_jis', '日?😀', 'U+1F600'],
    ['euc-kr', 'ß€é', 'U+00E9'],
    ['iso-2022-jp', '日é', 'U+00E9'],
    ['utf-8', 'a\ud800b', 'U+D800'],
    ['utf-16-le', '\udc00', 'U+DC00'],
  ])('%s has no place for one of %j', async (encoding, text, character) => {
    await expect(encodeText(text, encoding)).rejects.toThrow(expect.objectContaining({ context: { encoding, character } }));
  });

  test('an unknown encoding is refused', async () => {
    for (const name of ['no-such', 'base64', 'utf-7', '__proto__', '']) await expect(openDecoder(name)).rejects.toThrow(TextOpsException);
  });
});

describe('lenient errors', () => {
  test.each([
    ['utf-8', '61ff62e282', 'a\uFFFDb\uFFFD', 'ab'],
    ['utf-8', 'efbfbdff', '\uFFFD\uFFFD', '\uFFFD'],
    ['utf-16-le', '00d86100', '\uFFFDa', 'a'],
    ['utf-32-le', '0000110061000000', '\uFFFDa', 'a'],
    ['ascii', '61e9', 'a\uFFFD', 'a'],
    ['shift_jis', '93fa810a', '日\uFFFD\n', '日\n'],
    ['gb18030', '8431a437ff', '\uFFFD\uFFFD', '\uFFFD'],
  ])('%s %s', async (encoding, hex, replaced, ignored) => {
    expect(await convert(hex, encoding, 'replace')).toBe(replaced);
    expect(await convert(hex, encoding, 'ignore')).toBe(ignored);
  });

  test('what does not fit becomes a question mark or nothing', async () => {
    for (const encoding of ['ascii', 'shift_jis', 'iso-2022-jp']) {
      for (const [errors, expected] of [
        ['replace', 'a?b?'],
        ['ignore', 'ab'],
      ] as const) {
        const encoder = await openEncoder(encoding, { errors });
        expect(Buffer.concat([encoder.write('aéb'), encoder.write('\u{1F600}'), encoder.end()]).toString()).toBe(expected);
      }
    }
  });
});

const SAMPLES: readonly (readonly [encoding: string, text: string])[] = [
  ['utf-8', 'aé€😀\n'],
  ['utf-16', 'aé€😀\n'],
  ['utf-16-be', 'aé€😀\n'],
  ['utf-32', 'aé€😀\n'],
  ['windows-1251', 'aПривет\n'],
  ['shift_jis', 'aｱ日本\n'],
  ['euc-jp', 'aｱ日本丂\n'],
  ['iso-2022-jp', 'a日本¥b\n'],
  ['gb18030', 'a中😀é\n'],
  ['gbk', 'a中国\n'],
  ['big5', 'a中文\n'],
  ['euc-kr', 'a한국\n'],
];

test('it does not matter where a stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SAMPLES),
      fc.array(fc.nat(20), { maxLength: 30 }),
      fc.array(fc.nat(8), { maxLength: 30 }),
      async ([encoding, sample], letters, cuts) => {
        const text = letters.map((at) => Array.from(sample)[at % Array.from(sample).length]).join('');
        const bytes = await encodeText(text, encoding);
        const decoder = await openDecoder(encoding);
        const encoder = await openEncoder(encoding);
        let back = '';
        let again = Buffer.alloc(0);
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const next = at + (cuts[turn % (cuts.length || 1)] ?? 3);
          const piece = Buffer.from(bytes.subarray(at, turn > 200 ? bytes.length : next));
          back += decoder.write(piece);
          piece.fill(0); // a caller may use its buffer again
          at = turn > 200 ? bytes.length : next;
        }
        back += decoder.end();
        for (const unit of text.split('')) again = Buffer.concat([again, encoder.write(unit)]);
        again = Buffer.concat([again, encoder.end()]);
        expect(back).toBe(text);
        expect(again.equals(bytes)).toBe(true);
      },
    ),
  );
});

test('a part of a file may begin and end inside a character', async () => {
  const bytes = Buffer.from('é😀é');
  expect(await decodeText(bytes.subarray(1, 7), 'utf-8', { isPart: true })).toBe('😀');
  await expect(decodeText(Buffer.from([0xa9, 0x61, 0xff, 0x61]), 'utf-8', { isPart: true })).rejects.toThrow('offset 2');
});

/** The labels of the web standard. */
const LABELS = `unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 866 cp866 csibm866 ibm866 csisolatin2 iso-8859-2 iso-ir-101
iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144
iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e
iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126
iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8
iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13 iso8859-13 iso885913 iso-8859-14 iso8859-14 iso885914 csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 iso-8859-16
cskoi8r koi koi8 koi8-r koi8_r koi8-ru koi8-u csmacintosh mac macintosh x-mac-roman dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
cp1250 windows-1250 x-cp1250 cp1251 windows-1251 x-cp1251 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1
iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 cp1253 windows-1253 x-cp1253 cp1254 csisolatin5 iso-8859-9
iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254 cp1255 windows-1255 x-cp1255 cp1256 windows-1256
x-cp1256 cp1257 windows-1257 x-cp1257 cp1258 windows-1258 x-cp1258 x-mac-cyrillic x-mac-ukrainian chinese csgb2312 csiso58gb231280 gb2312
gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 big5 big5-hkscs cn-big5 csbig5 x-x-big5 cseucpkdfmtjapanese euc-jp x-euc-jp csiso2022jp
iso-2022-jp csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987
ks_c_5601-1989 ksc5601 ksc_5601 windows-949 unicodefffe utf-16be csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le x-user-defined`;

test('every label of the web standard is known', async () => {
  for (const label of LABELS.split(/\s+/)) await expect(openDecoder(label), label).resolves.toBeDefined();
});

const hasIconv = spawnSync('iconv', ['--version']).status === 0;

describe('the system’s iconv agrees', () => {
  test.skipIf(!hasIconv).each([
    ['UTF-16LE', 'aé€😀'],
    ['UTF-32BE', 'aé€😀'],
    ['ISO-8859-2', 'ąćę'],
    ['ISO-8859-16', 'șț€'],
    ['CP1250', 'ąćę€'],
    ['CP1257', 'ąčę€'],
    ['CP866', 'Привет│'],
    ['KOI8-U', 'їєґ'],
    ['WINDOWS-31J', '日本語ｱ①'],
    ['EUC-JP', '日本語ｱ'],
    ['ISO-2022-JP', '日本語 abc'],
    ['GB18030', '中国😀'],
    ['BIG5-HKSCS', '香港'],
    ['CP949', '한국똠'],
    ['TIS-620', 'ไทย'],
  ])('%s', async (encoding, text) => {
    const { stdout, status } = spawnSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text });
    expect(status).toBe(0);
    expect(await encoded(text, encoding)).toBe(stdout.toString('hex'));
    expect(await decodeText(stdout, encoding)).toBe(text);
  });
});
