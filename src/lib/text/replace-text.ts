/** How many replacements are made and may still be made; counted while the text flows. */
export interface Tally {
  done: number;
  readonly most: number;
}

/** Output is handed on in pieces of about this size. */
const BATCH_CHARS = 64 * 1024;

/** Replaces a text literally, wherever the stream is cut. */
export async function* replaceText(
  texts: AsyncIterable<string>,
  wanted: string,
  replacement: string,
  tally: Tally,
): AsyncGenerator<string> {
  let kept = '';
  for await (const text of texts) {
    const stretch = kept + text;
    let output = '';
    let from = 0;
    while (tally.done < tally.most) {
      const at = stretch.indexOf(wanted, from);
      if (at < 0) break;
      output += stretch.slice(from, at) + replacement;
      from = at + wanted.length;
      tally.done += 1;
      if (output.length < BATCH_CHARS) continue;
      yield output;
      output = '';
    }
    // The end may be the beginning of a match.
    const end = tally.done < tally.most ? Math.max(from, stretch.length - wanted.length + 1) : stretch.length;
    kept = stretch.slice(end);
    yield output + stretch.slice(from, end);
  }
  yield kept;
}
