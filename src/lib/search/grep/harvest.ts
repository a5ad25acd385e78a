import { isAscii } from 'node:buffer';
import { sep } from 'node:path';
import type { Lines } from '../../kernels/find/line-finder.ts';
import { type LeftOut, nothingLeftOut } from '../left-out.ts';
import type { Place } from './query.ts';

/** Lines around a match. */
export interface Surroundings {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Matches of many files, packed: numbers and bytes are handed to another thread without copying, objects would cost most of the time. */
export interface Harvest {
  /** Files with matches, from the root, with `/` and each ended by NUL, and where the matches of each end. */
  readonly paths: string;
  readonly fileEnds: Uint32Array<ArrayBuffer>;
  /** Of each match the number of its line and where its text ends in `text`. */
  readonly lines: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly text: Uint8Array<ArrayBuffer>;
  readonly isAscii: boolean;
  /** Of each match, where they were asked for. */
  readonly surroundings: readonly Surroundings[];
  readonly unreadable: LeftOut;
  /** Files that are no text. */
  readonly binary: LeftOut;
  /** Files with lines too long to be searched to their end. */
  readonly endless: LeftOut;
}

/** A harvest that grows. */
export interface Gathering extends Pick<Harvest, 'unreadable' | 'binary' | 'endless'> {
  /** How many matches there are, those of the current file too. */
  readonly count: number;
  /** How many bytes their texts have. */
  readonly byteCount: number;
  /** Adds matches of the current file; the ends of their texts count from the first text of all. */
  add(lines: Lines): void;
  surround(surroundings: Surroundings): void;
  /** Ends the current file. */
  keep(path: string): void;
  /** Forgets what was added for the current file. */
  forget(): void;
  pack(): Harvest;
}

const FIRST_ROOM = 1024;
/** No name can hold it. */
const PATH_END = '\0';

/** The files of a harvest. `shown` is the root as the caller calls it. */
export const pathsOf = ({ paths }: Pick<Harvest, 'paths'>, shown: string): string[] => {
  const root = shown.endsWith(sep) ? shown : shown + sep;
  const names = (sep === '/' ? paths : paths.replaceAll('/', sep)).split(PATH_END);
  names.pop(); // behind the last end
  return names.map((name) => root + name);
};

/** Where a match stands. */
export const placeIn = ({ paths, fileEnds, lines }: Harvest, match: number): Place => ({
  path: paths.split(PATH_END)[fileEnds.findIndex((end) => end > match)] ?? '',
  line: lines[match] ?? 0,
});

export const createGathering = (): Gathering => {
  let paths = '';
  const fileEnds: number[] = [];
  const surroundings: Surroundings[] = [];
  const left = { unreadable: nothingLeftOut(), binary: nothingLeftOut(), endless: nothingLeftOut() };
  let lines = new Uint32Array(FIRST_ROOM);
  let ends = new Uint32Array(FIRST_ROOM);
  let bytes = new Uint8Array(FIRST_ROOM);
  /** Where the current file began. */
  let firstMatch = 0;
  let firstByte = 0;

  /** Its numbers are no getters: those are new for each gathering, and V8 makes good code only for what it knows. */
  const gathering = {
    ...left,
    count: 0,
    byteCount: 0,
    add(added: Lines) {
      const { count, byteCount } = gathering;
      const matches = count + added.count;
      const total = byteCount + added.bytes;
      if (matches > lines.length) {
        lines = grown(lines, new Uint32Array(roomFor(matches)));
        ends = grown(ends, new Uint32Array(roomFor(matches)));
      }
      if (total > bytes.length) bytes = grown(bytes, new Uint8Array(roomFor(total)));
      // For the few matches of most files a view to copy from would cost more than this.
      for (let at = 0; at < added.count; at += 1) {
        lines[count + at] = added.numbers[at] ?? 0;
        ends[count + at] = added.ends[at] ?? 0;
      }
      added.text.copy(bytes, byteCount, 0, added.bytes);
      gathering.count = matches;
      gathering.byteCount = total;
    },
    surround: (lines: Surroundings) => void surroundings.push(lines),
    keep(path: string) {
      const { count, byteCount } = gathering;
      if (count > firstMatch) {
        paths += path + PATH_END;
        fileEnds.push(count);
      }
      firstMatch = count;
      firstByte = byteCount;
    },
    forget() {
      gathering.count = firstMatch;
      gathering.byteCount = firstByte;
      if (surroundings.length > firstMatch) surroundings.length = firstMatch;
    },
    pack(): Harvest {
      const { count, byteCount } = gathering;
      const text = bytes.slice(0, byteCount);
      return {
        paths,
        fileEnds: Uint32Array.from(fileEnds),
        lines: lines.slice(0, count),
        ends: ends.slice(0, count),
        text,
        isAscii: isAscii(text),
        surroundings,
        ...left,
      };
    },
  };
  return gathering;
};

const roomFor = (wanted: number): number => 2 ** Math.ceil(Math.log2(wanted));

/** Goes on with more room. */
export const grown = <T extends Uint8Array | Uint32Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
