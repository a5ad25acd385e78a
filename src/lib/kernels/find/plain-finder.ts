import type { Hits, LineFinder, Lines } from './line-finder.ts';
import type { Needle } from './needle.ts';

const LF = 0x0a;
const CR = 0x0d;
const CASE_BIT = 0x20;

/** Does without WebAssembly what the kernel does: slower, and where it is missing the only way. */
export const createPlainFinder = (needle: Needle | undefined, inputBytes: number, maxHits: number): LineFinder => {
  const bytes = Buffer.from(needle?.bytes ?? []);
  const find = needle?.ignoreCase === true ? foldedFinder(bytes) : (input: Buffer, from: number) => input.indexOf(bytes, from);
  const lines: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let position = 0;
  /** Line ends before this offset are counted in `line`. */
  let counted = 0;
  let line = 1;

  const hits = {
    count: 0,
    line: (at: number) => lines[at] ?? 0,
    start: (at: number) => starts[at] ?? 0,
    end: (at: number) => ends[at] ?? 0,
  };

  const finder = {
    input: Buffer.alloc(inputBytes),
    grow(size: number) {
      const larger = Buffer.alloc(size);
      finder.input.copy(larger);
      finder.input = larger;
    },
    start(offset: number, number: number) {
      position = offset;
      counted = offset;
      line = number;
    },
    next(end: number): Hits {
      const { input } = finder;
      hits.count = 0;
      while (hits.count < maxHits && position < end) {
        const found = bytes.byteLength === 0 ? position : find(input, position);
        if (found < 0 || found + bytes.byteLength > end) {
          position = end;
          break;
        }
        line += lineEnds(input, counted, found);
        const start = Math.max(found === 0 ? 0 : input.lastIndexOf(LF, found - 1) + 1, counted);
        const next = input.indexOf(LF, found);
        const stop = next < 0 || next > end ? end : next;
        lines[hits.count] = line;
        starts[hits.count] = start;
        ends[hits.count] = stop > start && input[stop - 1] === CR ? stop - 1 : stop;
        hits.count += 1;
        position = stop + 1;
        counted = position;
        line += 1;
      }
      return hits;
    },
    lineAt: (end: number) => (counted >= end ? line : line + lineEnds(finder.input, counted, end)),
    holdsNul(from: number, end: number) {
      const found = finder.input.indexOf(0, from);
      return found >= 0 && found < end;
    },
    collect(count: number, { maxBytes, base }: { readonly maxBytes: number; readonly base: number }): Lines {
      const pieces: Buffer[] = [];
      const collected = new Uint32Array(count);
      let length = 0;
      for (let at = 0; at < count; at += 1) {
        const start = starts[at] ?? 0;
        const piece = finder.input.subarray(start, Math.min(ends[at] ?? 0, start + maxBytes));
        pieces.push(piece);
        length += piece.byteLength;
        collected[at] = base + length;
      }
      return { count, bytes: length, text: Buffer.concat(pieces), numbers: Uint32Array.from(lines.slice(0, count)), ends: collected };
    },
  };
  return finder;
};

const lineEnds = (input: Buffer, from: number, end: number): number => {
  let count = 0;
  for (let at = input.indexOf(LF, from); at >= 0 && at < end; at = input.indexOf(LF, at + 1)) count += 1;
  return count;
};

/** Letters of the needle are small and fit in either case; other bytes only themselves. */
const foldedFinder = (needle: Buffer) => {
  const masks = needle.map((byte) => (byte >= 0x61 && byte <= 0x7a ? CASE_BIT : 0));
  const isAt = (input: Buffer, from: number): boolean => {
    for (let at = 0; at < needle.length; at += 1) if (((input[from + at] ?? 0) | (masks[at] ?? 0)) !== needle[at]) return false;
    return true;
  };
  return (input: Buffer, from: number): number => {
    for (let at = from; at + needle.length <= input.length; at += 1) if (isAt(input, at)) return at;
    return -1;
  };
};
