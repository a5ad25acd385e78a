import { withMark, withOrderMark } from './byte-order-mark.ts';
import type { Codec } from './codec.ts';
import type { MultiByteName } from './multi-byte.ts';
import { ASCII_CHARACTERS, LATIN1_CHARACTERS, singleByte, X_USER_DEFINED_CHARACTERS } from './single-byte.ts';
import { utf8 } from './utf8.ts';
import { utf16 } from './utf16.ts';
import { utf32 } from './utf32.ts';

/** The encoding of a name, however it is written (`UTF_16-LE`, `latin1`, `Shift_JIS`); undefined for a name nobody knows. */
export const codecFor = async (name: string): Promise<Codec | undefined> => {
  const plain = name.toLowerCase().replaceAll(/:\d{4}$|[^0-9a-z]/g, '');
  return BUILT_IN.get(plain)?.() ?? fromTables(plain);
};

/** Loaded only for encodings that need its tables. */
const fromTables = async (plain: string): Promise<Codec | undefined> => {
  const { default: iconv } = await import('iconv-lite');
  const multi = MULTI_BYTE.get(plain);
  if (multi === 'iso-2022-jp') return (await import('./iso-2022-jp.ts')).iso2022jp(iconv);
  if (multi !== undefined) return (await import('./multi-byte.ts')).multiByte(multi, iconv);
  const known = SINGLE_BYTE.get(plain) ?? plain;
  if (NO_CHARACTER_SETS.has(known) || !iconv.encodingExists(known)) return undefined;
  const characters = [...iconv.decode(Buffer.from(LATIN1_CHARACTERS, 'latin1'), known)];
  for (const [byte, character] of CORRECTIONS.get(known) ?? []) characters[byte] = character;
  return singleByte(characters.join(''));
};

const named = <T>(value: T, names: string): readonly (readonly [string, T])[] => names.split(' ').map((name) => [name, value] as const);

const order = { little: utf16('le'), big: utf16('be'), unitBytes: 2 };
const longOrder = { little: utf32('le'), big: utf32('be'), unitBytes: 4 };

const BUILT_IN: ReadonlyMap<string, () => Codec> = new Map([
  ...named(() => utf8, 'utf8 u8 unicode11utf8 unicode20utf8 xunicode20utf8'),
  ...named(() => withMark(utf8), 'utf8sig utf8bom'),
  ...named(() => withOrderMark(order), 'utf16 u16'),
  ...named(() => order.little, 'utf16le ucs2 unicode csunicode iso10646ucs2 unicodefeff'),
  ...named(() => order.big, 'utf16be unicodefffe'),
  ...named(() => withOrderMark(longOrder), 'utf32 u32 ucs4'),
  ...named(() => longOrder.little, 'utf32le ucs4le'),
  ...named(() => longOrder.big, 'utf32be ucs4be'),
  ...named(() => singleByte(ASCII_CHARACTERS), 'ascii usascii 646 ansix341968 iso646us'),
  ...named(() => singleByte(LATIN1_CHARACTERS), 'latin1 iso88591 l1 8859 cp819 ibm819 isoir100 csisolatin1 iso885911987 binary'),
  ...named(() => singleByte(X_USER_DEFINED_CHARACTERS), 'xuserdefined'),
]);

const MULTI_BYTE: ReadonlyMap<string, MultiByteName | 'iso-2022-jp'> = new Map([
  ...named('gbk' as const, 'gbk xgbk gb2312 gb231280 gb23121980 chinese csgb2312 csiso58gb231280 isoir58 cp936 936 ms936 windows936 euccn'),
  ...named('gb18030' as const, 'gb18030'),
  ...named('big5' as const, 'big5 big5hkscs cnbig5 csbig5 xxbig5 cp950 950 ms950 windows950'),
  ...named('euc-jp' as const, 'eucjp xeucjp ujis cseucpkdfmtjapanese'),
  ...named('euc-kr' as const, 'euckr cseuckr csksc56011987 isoir149 korean ksc5601 ksc56011987 ksc56011989 windows949 cp949 949 ms949 uhc'),
  ...named('shift_jis' as const, 'shiftjis sjis xsjis csshiftjis mskanji windows31j ms31j ms932 windows932 cp932 932'),
  ...named('iso-2022-jp' as const, 'iso2022jp csiso2022jp'),
]);

/** Names of the web standard that the tables do not know. */
const SINGLE_BYTE: ReadonlyMap<string, string> = new Map([
  ...named('iso88596', 'csiso88596e csiso88596i iso88596e iso88596i'),
  ...named('iso88597', 'suneugreek'),
  ...named('iso88598', 'csiso88598e csiso88598i visual logical'),
  ...named('iso885915', 'csisolatin9'),
  ...named('koi8r', 'koi koi8'),
  ...named('macroman', 'mac macintosh csmacintosh xmacroman'),
  ...named('maccyrillic', 'xmaccyrillic xmacukrainian'),
  ...named('windows874', 'dos874'),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((digit) => [`xcp125${digit}`, `windows125${digit}`] as const),
]);

/** Where the tables are older than the web standard. */
const CORRECTIONS: ReadonlyMap<string, readonly (readonly [byte: number, character: string])[]> = new Map([
  [
    'macroman',
    [
      [0xbd, 'Ω'],
      [0xdb, '€'],
      [0xf0, '\uf8ff'],
    ],
  ],
  [
    'maccyrillic',
    [
      [0xa2, 'Ґ'],
      [0xb6, 'ґ'],
      [0xff, '€'],
    ],
  ],
]);

/** What the library also offers and is no set of characters. */
const NO_CHARACTER_SETS: ReadonlySet<string> = new Set(['base64', 'hex', 'utf7', 'unicode11utf7', 'utf7imap', 'cesu8']);
