import { isAscii, isUtf8 } from 'node:buffer';
import { refuse, type Source } from './source.ts';

const BYTE_ORDER_MARK = '\ufeff';
const REPLACEMENT = '\ufffd';

// Lenient, so that a refusal can show what stands around a bad byte or a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Turns bytes into text; an allowed byte order mark is taken off, and positions count from what follows it. */
export const decode = (
  input: Uint8Array | string,
  { allowBom, name, excerpt }: { allowBom: boolean; name: string | undefined; excerpt: boolean },
): Source => {
  // Most lists are ASCII, and those bytes are their text.
  if (Buffer.isBuffer(input) && isAscii(input)) return { text: input.toString('latin1'), name, excerpt };
  const source = { text: typeof input === 'string' ? input : decoder.decode(input), name, excerpt };
  if (typeof input !== 'string' && !isUtf8(input)) return refuseEncoding(source, input);
  if (!source.text.startsWith(BYTE_ORDER_MARK)) return source;
  if (allowBom) return { text: source.text.slice(BYTE_ORDER_MARK.length), name, excerpt };
  return refuse(source, 0, { reason: 'byte_order_mark', words: 'the text starts with a byte order mark; save it as UTF-8 without one' });
};

const refuseEncoding = (source: Source, bytes: Uint8Array): never => {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const words = isUtf16 ? 'the text is UTF-16; save it as UTF-8' : 'this byte is not UTF-8; save the text as UTF-8';
  return refuse(source, offsetOfBadByte(source.text, bytes), { reason: 'encoding', words });
};

/** Where the first replacement character stands that the bytes do not spell out themselves. */
const offsetOfBadByte = (text: string, bytes: Uint8Array): number => {
  let offset = text.indexOf(REPLACEMENT);
  let byte = Buffer.byteLength(text.slice(0, offset));
  while (bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd) {
    const next = text.indexOf(REPLACEMENT, offset + 1);
    byte += Buffer.byteLength(text.slice(offset, next));
    offset = next;
  }
  return offset;
};
