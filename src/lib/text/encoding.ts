import { TextOpsException } from '../../core/errors.ts';
import { asBuffer, type Codec, type Decoder, type Encoder, type OnBadBytes, type OnUnfit } from './encodings/codec.ts';
import { codecFor } from './encodings/names.ts';
import { utf8 } from './encodings/utf8.ts';

/** What to do about bytes that are no text, and characters that an encoding does not have. */
export const ON_ERRORS = ['strict', 'replace', 'ignore'] as const;
export type OnErrors = (typeof ON_ERRORS)[number];

/** Starts decoding: strict errors name the offset of the first bad byte; `replace` writes U+FFFD, `ignore` nothing. */
export const openDecoder = async (encoding: string, { errors = 'strict' }: { readonly errors?: OnErrors } = {}): Promise<Decoder> => {
  const codec = await demandCodec(encoding);
  return codec.decoder(BAD_BYTES[errors](encoding));
};

/** Starts encoding: strict errors name the character that has no place; `replace` writes `?`, `ignore` nothing. */
export const openEncoder = async (encoding: string, { errors = 'strict' }: { readonly errors?: OnErrors } = {}): Promise<Encoder> => {
  const codec = await demandCodec(encoding);
  const onUnfit = UNFIT[errors](encoding);
  return keepingPairs(codec.encoder(onUnfit), onUnfit);
};

/**
 * Starts reading and writing again a file that is edited: what is not changed comes out as it was. `first` are the first four bytes;
 * a byte order mark is the first character of the text, whatever the name of the encoding says.
 */
export const openEdit = async (encoding: string, first: Uint8Array): Promise<{ readonly decoder: Decoder; readonly encoder: Encoder }> => {
  const codec = await demandCodec(encoding);
  const plain = codec.unmarked?.(first) ?? codec;
  const onUnfit = UNFIT.strict(encoding);
  return { decoder: plain.decoder(BAD_BYTES.strict(encoding)), encoder: keepingPairs(plain.encoder(onUnfit), onUnfit) };
};

/** Text as bytes; fails where a character has no place in the encoding. */
export const encodeText = async (text: string, encoding: string): Promise<Buffer> => {
  const encoder = await openEncoder(encoding);
  return Buffer.concat([encoder.write(text), encoder.end()]);
};

/** Bytes as text; fails naming the byte that is wrong. A part of a file may begin and end inside a character. */
export const decodeText = async (
  bytes: Uint8Array,
  encoding: string,
  { isPart = false }: { readonly isPart?: boolean } = {},
): Promise<string> => {
  const codec = await demandCodec(encoding);
  if (isPart) return decodePart(asBuffer(bytes), codec, encoding);
  const decoder = codec.decoder(BAD_BYTES.strict(encoding));
  return decoder.write(bytes) + decoder.end();
};

const decodePart = (bytes: Buffer, codec: Codec, encoding: string): string => {
  if (codec !== utf8) return codec.decoder(BAD_BYTES.replace(encoding)).write(bytes);
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return codec.decoder((offset) => BAD_BYTES.strict(encoding)(start + offset)).write(bytes.subarray(start));
};

const demandCodec = async (encoding: string): Promise<Codec> => {
  const codec = await codecFor(encoding);
  if (codec !== undefined) return codec;
  const shown = encoding.slice(0, 40);
  throw new TextOpsException(`The encoding ${JSON.stringify(shown)} is unknown; use a name like utf-8, latin-1 or utf-16-le.`, {
    context: { encoding: shown },
  });
};

const BAD_BYTES: Record<OnErrors, (encoding: string) => OnBadBytes> = {
  strict: (encoding) => (offset) => {
    throw new TextOpsException(`The byte at offset ${offset} is not valid ${encoding}; name the encoding the file is really in.`, {
      context: { encoding, offset },
    });
  },
  replace: () => () => '\uFFFD',
  ignore: () => () => '',
};

const UNFIT: Record<OnErrors, (encoding: string) => OnUnfit> = {
  strict: (encoding) => (character) => {
    const point = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const shown = isHalf(character) ? point : `${character} (${point})`;
    throw new TextOpsException(`The character ${shown} has no place in ${encoding}; choose an encoding that has it, such as utf-8.`, {
      context: { encoding, character: point },
    });
  },
  replace: () => () => '?',
  ignore: () => () => '',
};

const ANY_HALF = /[\ud800-\udfff]/;
const LONE_HALVES = /\p{Surrogate}/gu;
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isHalf = (character: string): boolean => character.length === 1 && ANY_HALF.test(character);

/** Gives the codec well-formed text only: a pair that two chunks share is put together, a lone half does not fit. */
const keepingPairs = (encoder: Encoder, onUnfit: OnUnfit): Encoder => {
  let half = '';
  const fitted = (text: string): string => (ANY_HALF.test(text) ? text.replace(LONE_HALVES, onUnfit) : text);
  return {
    write(text) {
      const whole = half + text;
      half = isFirstHalf(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : '';
      return encoder.write(fitted(half === '' ? whole : whole.slice(0, -1)));
    },
    end: () => (half === '' ? encoder.end() : Buffer.concat([encoder.write(fitted(half)), encoder.end()])),
  };
};
