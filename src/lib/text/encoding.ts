import { isAscii, isUtf8 } from 'node:buffer';
import { TextOpsException } from '../../core/errors.ts';

/** Text as bytes; fails where a character does not fit instead of writing a question mark. */
export const encodeText = async (text: string, encoding: string): Promise<Buffer> => {
  if (isUtf8Name(encoding)) return Buffer.from(text);
  const iconv = await converterFor(encoding);
  const bytes = iconv.encode(text, encoding);
  const back = iconv.decode(bytes, encoding);
  if (isAsciiName(encoding) ? !isAscii(bytes) || back !== text : back !== text) throw unencodable(text, back, encoding);
  return bytes;
};

/** Bytes as text; fails naming the byte that does not fit. A part of a file may begin and end inside a character. */
export const decodeText = async (bytes: Uint8Array, encoding: string, { isPart = false }: { readonly isPart?: boolean } = {}): Promise<string> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8Name(encoding)) {
    const whole = isPart ? wholeCharacters(buffer) : buffer;
    if (!isUtf8(whole)) throw undecodable(firstBadByte(whole), encoding);
    return whole.toString();
  }
  const iconv = await converterFor(encoding);
  if (isAsciiName(encoding) && !isAscii(buffer)) throw undecodable(buffer.findIndex((byte) => byte > 0x7f), encoding);
  const text = iconv.decode(buffer, encoding, { stripBOM: false });
  const bad = text.indexOf('\uFFFD');
  if (bad >= 0 && !isPart) throw undecodable(iconv.encode(text.slice(0, bad), encoding).byteLength, encoding);
  return text;
};

const isUtf8Name = (encoding: string): boolean => /^utf-?8$/i.test(encoding);
const isAsciiName = (encoding: string): boolean => /^(?:us-?)?ascii$/i.test(encoding);

/** Loaded only for encodings beyond UTF-8: its tables take time. */
const converterFor = async (encoding: string) => {
  const { default: iconv } = await import('iconv-lite');
  const shown = encoding.slice(0, 40);
  if (!iconv.encodingExists(encoding)) {
    throw new TextOpsException(`The encoding ${JSON.stringify(shown)} is unknown; use a name like utf-8, latin-1 or utf-16le.`, { context: { encoding: shown } });
  }
  return iconv;
};

const unencodable = (text: string, back: string, encoding: string) => {
  let at = 0;
  while (at < text.length && text[at] === back[at]) at += 1;
  return new TextOpsException(`Character ${at + 1} of the text has no place in ${encoding}; choose an encoding that has it, such as utf-8.`, {
    context: { encoding, character: at + 1 },
  });
};

const undecodable = (offset: number, encoding: string) =>
  new TextOpsException(`The byte at offset ${offset} is not valid ${encoding}; name the encoding the file is really in.`, { context: { encoding, offset } });

/** Leaves out the halves of characters that a cut left at both ends. */
const wholeCharacters = (buffer: Buffer): Buffer => {
  let start = 0;
  while (start < 3 && start < buffer.length && ((buffer[start] ?? 0) & 0xc0) === 0x80) start += 1;
  for (let cut = 0; cut <= 3; cut += 1) {
    const part = buffer.subarray(start, buffer.length - cut);
    if (isUtf8(part)) return part;
  }
  return buffer.subarray(start);
};

/** The length of the longest valid beginning, by halving. */
const firstBadByte = (buffer: Buffer): number => {
  let good = 0;
  let bad = buffer.length;
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (startsValid(buffer.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
};

const startsValid = (part: Buffer): boolean => {
  for (let cut = 0; cut <= 3 && cut <= part.length; cut += 1) if (isUtf8(part.subarray(0, part.length - cut))) return true;
  return false;
};
