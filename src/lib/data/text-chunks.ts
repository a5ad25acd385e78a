import { DataOpsException } from '../../core/errors.ts';
import type { Codec } from '../text/encodings/codec.ts';
import { codecFor } from '../text/encodings/names.ts';

/** A piece of text. `badByte` is the offset in the stream of a byte that is not in the encoding; nothing comes after it. */
export interface TextChunk {
  readonly text: string;
  readonly badByte?: number;
}

const BYTE_ORDER_MARK = '\ufeff';
/** Stands where bytes are bad until the text is cut there: three code points that are no characters. */
const BAD = '\uffff\ufdd0\uffff';

/** The encoding of that name; a name that means nothing is refused. */
export const demandCodec = async (encoding: string): Promise<Codec> => {
  const codec = await codecFor(encoding);
  if (codec !== undefined) return codec;
  const shown = encoding.slice(0, 40);
  throw new DataOpsException(`The encoding ${JSON.stringify(shown)} is unknown; use a name like utf-8, latin-1 or utf-16-le.`, {
    context: { argument: 'encoding', encoding: shown },
  });
};

/**
 * Bytes as text, whatever the cuts. Unlike a strict decoder it hands over what stands before a bad byte, so that a reader can tell which
 * of two faults comes first. The byte order mark at the start of a file is taken off.
 */
export async function* textChunks(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, isStart }: { readonly encoding: string; readonly isStart: boolean },
): AsyncGenerator<TextChunk> {
  const codec = await demandCodec(encoding);
  let badByte: number | undefined;
  const decoder = codec.decoder((offset) => {
    badByte ??= offset;
    return BAD;
  });
  let mayBeMark = isStart;
  const chunk = (decoded: string): TextChunk => {
    const text = badByte === undefined ? decoded : decoded.slice(0, decoded.indexOf(BAD));
    const plain = mayBeMark && text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
    if (text !== '') mayBeMark = false;
    return badByte === undefined ? { text: plain } : { text: plain, badByte };
  };
  for await (const piece of bytes) {
    yield chunk(decoder.write(piece));
    if (badByte !== undefined) return;
  }
  yield chunk(decoder.end());
}
