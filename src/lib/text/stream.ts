import type { Decoder, Encoder } from './encodings/codec.ts';

/** The text of a stream of bytes, in chunks. */
export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>, decoder: Decoder): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decoder.write(chunk);
  yield decoder.end();
}

/** The bytes of a stream of text, in chunks. */
export async function* encodeChunks(texts: AsyncIterable<string>, encoder: Encoder): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield encoder.write(text);
  yield encoder.end();
}

/** A stretch of text that ends with a line end, or with the text. */
export interface WholeLines {
  readonly text: string;
  readonly isLast: boolean;
}

/** Cuts a stream of text at line ends only. `tooLong` gives the error for a line of more than `maxChars`. */
export async function* wholeLines(
  texts: AsyncIterable<string>,
  { maxChars, tooLong }: { readonly maxChars: number; tooLong(): Error },
): AsyncGenerator<WholeLines> {
  let kept = '';
  for await (const text of texts) {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) {
      yield { text: kept + text.slice(0, end), isLast: false };
      kept = '';
    }
    kept += text.slice(end);
    if (kept.length > maxChars) throw tooLong();
  }
  yield { text: kept, isLast: true };
}

/** A change to a stream of text. */
export type Edit = (texts: AsyncIterable<string>) => AsyncIterable<string>;

const MARK = '\uFEFF';

/** Edits what follows a byte order mark, so that the mark stays and the text begins after it. */
export async function* keepingMark(texts: AsyncIterable<string>, edit: Edit): AsyncGenerator<string> {
  let mark = '';
  const withoutMark = async function* () {
    let isStart = true;
    for await (const text of texts) {
      if (isStart && text.startsWith(MARK)) mark = MARK;
      yield isStart && mark !== '' ? text.slice(1) : text;
      if (text !== '') isStart = false;
    }
  };
  for await (const text of edit(withoutMark())) {
    if (text === '') continue;
    yield mark + text;
    mark = '';
  }
  yield mark;
}
