import { setImmediate as giveWay } from 'node:timers/promises';
import { TextOpsException } from '../../core/errors.ts';
import type { LinearRegex } from '../regex/compile.ts';
import { replaceMatches, type Stretch } from '../regex/replace.ts';
import { compileReplacement } from '../regex/replacement.ts';
import { createPool, type Pool } from '../workers/pool.ts';
import type { Tally } from './replace-text.ts';
import { type WholeLines, wholeLines } from './stream.ts';

/** The most text that is searched as one: a line, or everything where a match may cross lines. */
const MAX_STRETCH_CHARS = 8 * 1024 * 1024;
/** Lines are searched about so many characters at a time. */
const LINES_CHARS = 16 * 1024;
/** Steps of the pattern times characters: what may take longer goes to a thread, which can be ended. */
const MAX_WORK_HERE = 2_000_000;
/** No pattern needs this long for one stretch unless it was made to. */
const MAX_STRETCH_MS = 30_000;
/** The longest that a run of matches holds up the event loop. */
const TURN_MS = 8;
/** Output is handed on in pieces of about this size. */
const BATCH_CHARS = 64 * 1024;

export interface ReplacePatternOptions {
  /** As written; `compileReplacement` says how it is read. */
  readonly replacement: string;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** Replaces the matches of a pattern as if the whole text were searched at once. */
export async function* replacePattern(
  texts: AsyncIterable<string>,
  regex: LinearRegex,
  { replacement, tally, signal }: ReplacePatternOptions,
): AsyncGenerator<string> {
  await using thread = threadFor(regex, replacement, signal);
  const expand = compileReplacement(replacement, regex);
  let isFirst = true;
  for await (const { text, isLast } of regex.mayCrossLines ? wholeText(texts) : fewLines(texts)) {
    if (tally.done >= tally.most) {
      yield text;
      continue;
    }
    // With the line end before it, a later stretch does not look like the beginning of the text.
    const stretch: Stretch = { text: isFirst ? text : `\n${text}`, from: isFirst ? 0 : 1, isLast, most: tally.most - tally.done };
    isFirst = false;
    if (regex.steps * text.length > MAX_WORK_HERE) yield await thread.replace(stretch, tally);
    else yield* replaceHere(replaceMatches(regex, expand, stretch), tally, signal);
  }
}

/** Replaces on this thread and lets others have their turn between two matches. */
async function* replaceHere(pieces: Generator<string, string>, tally: Tally, signal: AbortSignal): AsyncGenerator<string> {
  let turnMs = performance.now();
  let usedMs = 0;
  let output = '';
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    output += piece.value;
    tally.done += 1;
    if (performance.now() - turnMs > TURN_MS) {
      usedMs += performance.now() - turnMs;
      if (usedMs > MAX_STRETCH_MS) throw tooSlow();
      await giveWay();
      signal.throwIfAborted();
      turnMs = performance.now();
    }
    if (output.length < BATCH_CHARS) continue;
    yield output;
    output = '';
  }
  yield output + piece.value;
}

interface ReplacingThread extends AsyncDisposable {
  replace(stretch: Stretch, tally: Tally): Promise<string>;
}

/** A thread for hard work, started at first need; it ends with the work, in the middle of it too. */
const threadFor = ({ pattern, flags }: LinearRegex, replacement: string, signal: AbortSignal): ReplacingThread => {
  let pool: Pool | undefined;
  return {
    async replace(stretch, tally) {
      signal.throwIfAborted();
      pool ??= createPool({ width: 1 });
      const stop = new AbortController();
      const follow = () => stop.abort(signal.reason);
      signal.addEventListener('abort', follow, { once: true });
      const timer = setTimeout(() => stop.abort(tooSlow()), MAX_STRETCH_MS);
      try {
        const { text, done } = await pool.run('replace_matches', { pattern, flags, replacement, ...stretch }, { signal: stop.signal });
        tally.done += done;
        return text;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', follow);
      }
    },
    [Symbol.asyncDispose]: async () => pool?.[Symbol.asyncDispose](),
  };
};

/** A few whole lines at a time; one that is too long for any pattern is refused. */
async function* fewLines(texts: AsyncIterable<string>): AsyncGenerator<WholeLines> {
  for await (const { text, isLast } of wholeLines(texts, { maxChars: MAX_STRETCH_CHARS, tooLong: () => tooLong('A line of it') })) {
    let start = 0;
    for (let end = endOfLines(text, start); end < text.length; end = endOfLines(text, start)) {
      yield { text: text.slice(start, end), isLast: false };
      start = end;
    }
    yield { text: text.slice(start), isLast };
  }
}

const endOfLines = (text: string, start: number): number => {
  const newline = text.indexOf('\n', start + LINES_CHARS);
  return newline < 0 ? text.length : newline + 1;
};

/** Everything at once: a match may reach from any line to any other. */
async function* wholeText(texts: AsyncIterable<string>): AsyncGenerator<WholeLines> {
  let whole = '';
  for await (const text of texts) {
    whole += text;
    if (whole.length > MAX_STRETCH_CHARS) throw tooLong('The file');
  }
  yield { text: whole, isLast: true };
}

const tooLong = (what: string) =>
  new TextOpsException(
    `${what} has more than ${MAX_STRETCH_CHARS} characters, too many for this pattern; use a literal text, or a pattern that cannot match a line end (such as [^x\\n] for [^x]).`,
    { context: { limit: MAX_STRETCH_CHARS } },
  );

const tooSlow = () =>
  new TextOpsException(`The pattern needs more than ${MAX_STRETCH_MS / 1000} s for one stretch of text; make it more specific.`, {
    context: { argument: 'pattern', seconds: MAX_STRETCH_MS / 1000 },
  });
