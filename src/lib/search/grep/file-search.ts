import { closeSync, constants, openSync } from 'node:fs';
import type { Hits, LineFinder } from '../../kernels/find/line-finder.ts';
import { bytesFor, cutText } from './cut-text.ts';
import { createFileSource } from './file-source.ts';
import type { Gathering } from './harvest.ts';
import type { LineTest } from './line-test.ts';
import { endOfLinesBehind, linesIn, startOfLinesBefore } from './lines-around.ts';
import type { GrepQuery } from './query.ts';

export interface FileSearchOptions extends Pick<GrepQuery, 'most' | 'maxLineChars' | 'before' | 'after'> {
  readonly finder: LineFinder;
  readonly matches: LineTest['matches'];
}

/** Searches one file after the other, each block by block: a large one must not hold up the thread. */
export interface FileSearch {
  /** Opens a file and begins with it, behind one of its lines. Throws the system's faults. */
  open(address: string, gathering: Gathering, behindLine: number): void;
  /** Whether a file was opened and not yet closed. */
  readonly isOpen: boolean;
  /** Searches the next block; true when the file is done with. */
  step(): boolean;
  /** Closes the file and tells what there is to say of it. */
  close(): Searched;
}

export interface Searched {
  /** Bytes that were read. */
  readonly bytes: number;
  /** It is no text: what was found in it does not count. */
  readonly isBinary: boolean;
  /** A line was too long to be searched to its end. */
  readonly isCut: boolean;
}

/** A line from which on there is more to search. */
interface Ahead {
  readonly start: number;
  readonly line: number;
}

/** Never wait for a pipe, nor follow a link, that has taken the place of a file. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** What stands behind this in a line is not searched. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
const GROWTH = 4;
const LF = 0x0a;

export const createFileSearch = ({ finder, matches, most, maxLineChars, before, after }: FileSearchOptions): FileSearch => {
  const source = createFileSource();
  const maxLineBytes = bytesFor(maxLineChars);
  const cut = (text: string) => cutText(text, maxLineChars);
  let fd = -1;
  let gathering: Gathering;
  let behindLine = 0;
  /** So much of the input is in use; from `from` on, which begins line `line`, it is still to be searched. */
  let filled = 0;
  let from = 0;
  let line = 1;
  let bytes = 0;
  let isEnd = false;
  let isLarge = false;
  let isTested = false;
  let isBinary = false;
  let isCut = false;
  let isSkipping = false;

  const fill = (): void => {
    const start = filled;
    const more = source.fill(finder.input, filled);
    bytes += more;
    filled += more;
    isEnd = source.isEnd;
    isLarge ||= !isEnd;
    // Small files are tested when something is found in them; of a large one the other blocks are gone then.
    if (isLarge) testBinary(start);
  };

  const testBinary = (start: number): void => {
    isTested = true;
    isBinary = finder.holdsNul(start, filled);
  };

  /** Searches the lines before `end`; tells where to go on. */
  const search = (end: number): Ahead => {
    finder.start(from, line);
    for (let hits = finder.next(end); hits.count > 0; hits = finder.next(end)) {
      if (!isTested) testBinary(0);
      if (isBinary) break;
      const again = isPlain() ? takeAll(hits) : takeSome(hits);
      if (again !== undefined) return again;
      if (gathering.count >= most) break;
    }
    return { start: end, line: isEnd ? line : finder.lineAt(end) };
  };

  const isPlain = (): boolean => matches === undefined && before === 0 && after === 0 && behindLine === 0;

  const takeAll = (hits: Hits): undefined => {
    const count = Math.min(hits.count, most - gathering.count);
    gathering.add(finder.collect(count, { maxBytes: maxLineBytes, base: gathering.byteCount }));
  };

  /** Tells from which line on it has to be searched again, with more bytes behind it. */
  const takeSome = (hits: Hits): Ahead | undefined => {
    for (let at = 0; at < hits.count && gathering.count < most; at += 1) {
      const start = hits.start(at);
      const end = hits.end(at);
      const number = hits.line(at);
      if (number <= behindLine || matches?.(finder.input.toString('utf8', start, end)) === false) continue;
      if (before + after > 0 && !surround(start, end)) return { start, line: number };
      const text = finder.input.subarray(start, Math.min(end, start + maxLineBytes));
      const ends = Uint32Array.of(gathering.byteCount + text.byteLength);
      gathering.add({ count: 1, bytes: text.byteLength, text, numbers: Uint32Array.of(number), ends });
    }
    return undefined;
  };

  /** Gathers the lines around a match, unless some behind it are not read yet. */
  const surround = (start: number, end: number): boolean => {
    const held = finder.input.subarray(0, filled);
    const beginning = startOfLinesBefore(held, start, before);
    const next = endOfLinesBehind(held, end, 1) ?? filled;
    const last = endOfLinesBehind(held, next, after);
    const isRoomLeft = beginning > 0 || filled < MAX_LINE_BYTES;
    if (last === undefined && !isEnd && isRoomLeft) return false;
    gathering.surround({ before: linesIn(held.subarray(beginning, start)).map(cut), after: linesIn(held.subarray(next, last)).map(cut) });
    return true;
  };

  /** Moves what is still needed to the beginning of the input, and makes that larger where it is most of it. */
  const makeRoom = (ahead: Ahead): void => {
    const { input } = finder;
    const kept = startOfLinesBefore(input, ahead.start, before);
    input.copyWithin(0, kept, filled);
    filled -= kept;
    from = ahead.start - kept;
    line = ahead.line;
    if (filled > input.byteLength / 2 && input.byteLength < MAX_LINE_BYTES)
      finder.grow(Math.min(input.byteLength * GROWTH, MAX_LINE_BYTES));
  };

  /** The rest of a line that is too long; true when the next one has begun. */
  const skipLine = (): boolean => {
    const end = endOfLinesBehind(finder.input.subarray(0, filled), 0, 1);
    isSkipping = end === undefined;
    if (end === undefined) filled = 0;
    else makeRoom({ start: end, line: line + 1 });
    return !isSkipping;
  };

  const step = (): boolean => {
    fill();
    if (isBinary || (isSkipping && !skipLine())) return isBinary || isEnd;
    const whole = isEnd || filled === 0 ? filled : finder.input.lastIndexOf(LF, filled - 1) + 1;
    if (whole > from) {
      const ahead = search(whole);
      if (isEnd || isBinary || gathering.count >= most) return true;
      makeRoom(ahead);
      return false;
    }
    if (isEnd) return true;
    if (filled < MAX_LINE_BYTES) {
      makeRoom({ start: from, line });
      return false;
    }
    search(filled);
    isCut = true;
    isSkipping = true;
    filled = 0;
    from = 0;
    return gathering.count >= most;
  };

  const fileSearch = {
    isOpen: false,
    open(address: string, into: Gathering, behind: number) {
      fd = openSync(address, READ_FLAGS);
      fileSearch.isOpen = true;
      source.open(fd);
      gathering = into;
      behindLine = behind;
      filled = 0;
      from = 0;
      line = 1;
      bytes = 0;
      isEnd = false;
      isLarge = false;
      isTested = false;
      isBinary = false;
      isCut = false;
      isSkipping = false;
    },
    step,
    close(): Searched {
      if (fileSearch.isOpen) closeSync(fd);
      fileSearch.isOpen = false;
      return { bytes, isBinary, isCut };
    },
  };
  return fileSearch;
};
