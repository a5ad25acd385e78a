import { isAscii } from 'node:buffer';
import { asBuffer, type Codec, NO_BYTES, type OnBadBytes, type OnUnfit } from './codec.ts';

/** Stands in a table where a byte means nothing. */
export const UNDEFINED = '\uFFFD';

/** An encoding of one byte a character, from the 256 characters of its bytes. */
export const singleByte = (characters: string): Codec => {
  const startsAsAscii = characters.startsWith(ASCII);
  const units = Uint16Array.from(characters, (character) => character.charCodeAt(0));
  const bytesOf = new Int16Array(0x10000).fill(-1);
  for (let byte = 255; byte >= 0; byte -= 1) if (characters[byte] !== UNDEFINED) bytesOf[units[byte] ?? 0] = byte;

  const decode = (chunk: Buffer, offset: number, onBad: OnBadBytes): string => {
    if (startsAsAscii && isAscii(chunk)) return chunk.toString('latin1');
    const wide = new Uint16Array(chunk.length);
    for (let at = 0; at < chunk.length; at += 1) wide[at] = units[chunk[at] ?? 0] ?? 0;
    const text = Buffer.from(wide.buffer).toString('utf16le');
    return text.includes(UNDEFINED) ? text.replace(/\uFFFD/g, (_mark, at: number) => onBad(offset + at)) : text;
  };

  const encode = (text: string, onUnfit: OnUnfit): Buffer => {
    if (startsAsAscii && !BEYOND_ASCII.test(text)) return Buffer.from(text, 'latin1');
    const bytes = Buffer.allocUnsafe(text.length);
    for (let at = 0; at < text.length; at += 1) {
      const byte = bytesOf[text.charCodeAt(at)] ?? -1;
      if (byte < 0) return Buffer.concat([bytes.subarray(0, at), encodeWithUnfit(text.slice(at), onUnfit)]);
      bytes[at] = byte;
    }
    return bytes;
  };

  /** The slow way, character by character, from the first that does not fit. */
  const encodeWithUnfit = (text: string, onUnfit: OnUnfit): Buffer => {
    const bytes: number[] = [];
    for (const character of text) {
      const fitting = character.length === 1 && (bytesOf[character.charCodeAt(0)] ?? -1) >= 0 ? character : onUnfit(character);
      for (const unit of fitting) bytes.push(bytesOf[unit.charCodeAt(0)] ?? 0);
    }
    return Buffer.from(bytes);
  };

  return {
    decoder: (onBad) => {
      let offset = 0;
      return {
        write(bytes) {
          const text = decode(asBuffer(bytes), offset, onBad);
          offset += bytes.length;
          return text;
        },
        end: () => '',
      };
    },
    encoder: (onUnfit) => ({ write: (text) => encode(text, onUnfit), end: () => NO_BYTES }),
  };
};

const run = (from: number, count: number): string => String.fromCharCode(...Array.from({ length: count }, (_, at) => from + at));

const ASCII = run(0, 128);
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** The tables that need no library. */
export const ASCII_CHARACTERS = ASCII + UNDEFINED.repeat(128);
export const LATIN1_CHARACTERS = run(0, 256);
export const X_USER_DEFINED_CHARACTERS = ASCII + run(0xf780, 128);
