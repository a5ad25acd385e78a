import { type Codec, decoderOf } from './codec.ts';
import type { Iconv } from './multi-byte.ts';
import { UNDEFINED } from './single-byte.ts';

type State = 'ascii' | 'roman' | 'kana' | 'kanji';

/** What stands after ESC to change over. */
const ESCAPES: ReadonlyMap<string, State> = new Map([
  ['(B', 'ascii'],
  ['(J', 'roman'],
  ['(I', 'kana'],
  ['$@', 'kanji'],
  ['$B', 'kanji'],
]);
const ESC = 0x1b;

/** ISO-2022-JP: seven-bit Japanese mail. Its kanji are those of EUC-JP with the high bit off, so that table serves for both. */
export const iso2022jp = ({ decode, encode }: Iconv): Codec => ({
  decoder(onBad) {
    let state: State = 'ascii';
    return decoderOf((bytes, offset, isLast) => {
      let text = '';
      let at = 0;
      while (at < bytes.length) {
        const wanted = bytes[at] === ESC ? 3 : state === 'kanji' && isGraphic(bytes[at]) ? 2 : 1;
        if (at + wanted > bytes.length && !isLast) break;
        const next = bytes[at] === ESC ? ESCAPES.get(bytes.toString('latin1', at + 1, at + 3)) : undefined;
        if (next !== undefined) state = next;
        else text += characterAt(bytes.subarray(at, at + wanted), state, decode, () => onBad(offset + at));
        at += next === undefined && bytes[at] === ESC ? 1 : wanted;
      }
      return { text, taken: Math.min(at, bytes.length) };
    });
  },
  encoder(onUnfit) {
    let state: State = 'ascii';
    const changeTo = (wanted: State): string => {
      if (state === wanted) return '';
      state = wanted;
      return wanted === 'ascii' ? '\x1b(B' : wanted === 'roman' ? '\x1b(J' : '\x1b$B';
    };
    const bytesOf = (character: string): string => {
      const roman = ROMAN.indexOf(character);
      if (roman >= 0) return changeTo('roman') + ROMAN_BYTES[roman];
      if (character < '\x80' && !'\x0e\x0f\x1b'.includes(character)) {
        // Roman differs from ASCII only in these two; a line ends in ASCII.
        return (state === 'roman' && !'\\~\n\r'.includes(character) ? '' : changeTo('ascii')) + character;
      }
      const kanji = encode(WIDE_KANA.get(character) ?? character, 'euc-jp');
      if (kanji.length !== 2 || (kanji[0] ?? 0) < 0xa1) return Array.from(onUnfit(character), bytesOf).join('');
      return changeTo('kanji') + String.fromCharCode(...kanji.map((byte) => byte & 0x7f));
    };
    return {
      write: (text) => Buffer.from(Array.from(text, bytesOf).join(''), 'latin1'),
      end: () => Buffer.from(changeTo('ascii'), 'latin1'),
    };
  },
});

const ROMAN = '\u00a5\u203e';
const ROMAN_BYTES = '\\~';

const isGraphic = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x21 && byte <= 0x7e;

const characterAt = (bytes: Buffer, state: State, decode: Iconv['decode'], bad: () => string): string => {
  const [byte = 0, second] = bytes;
  if (state === 'kanji' && isGraphic(byte)) {
    const kanji = isGraphic(second)
      ? decode(
          bytes.map((each) => each | 0x80),
          'euc-jp',
        )
      : UNDEFINED;
    return kanji.includes(UNDEFINED) ? bad() : kanji;
  }
  if (byte >= 0x80 || byte === ESC || byte === 0x0e || byte === 0x0f) return bad();
  if (state === 'roman') return byte === 0x5c ? '\u00a5' : byte === 0x7e ? '\u203e' : String.fromCharCode(byte);
  if (state === 'kana' && isGraphic(byte)) return byte <= 0x5f ? String.fromCharCode(byte + 0xff40) : bad();
  return String.fromCharCode(byte);
};

/** Half-width katakana have no place here: each is written as its full-width form. */
const WIDE_KANA: ReadonlyMap<string, string> = new Map(
  Array.from(
    '。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜',
    (wide, at) => [String.fromCharCode(0xff61 + at), wide] as const,
  ),
);
