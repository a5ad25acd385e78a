import type { LeftOut } from '../../search/left-out.ts';

/** Files of a part of a tree with their sizes, packed: a million of them must fit, and go from thread to thread without copying. */
export interface SizedFiles {
  /** From the root, `/` behind every name; and how many of the files are in each. */
  readonly directories: readonly string[];
  readonly counts: readonly number[];
  /** Names, each ended by NUL. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly sizes: Float64Array<ArrayBuffer>;
  /** When each was changed last, in milliseconds; empty unless asked for. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Files that have other names somewhere: which of the files, and the same text for every name of one file. */
  readonly linked: readonly { readonly at: number; readonly identity: string }[];
  readonly unreadable: LeftOut;
}

/** One file of many. */
export interface PlacedFile {
  /** Its number among all. */
  readonly index: number;
  readonly directory: string;
  readonly name: string;
}

/** All files of a tree, in the order of paths. */
export interface FileStore {
  readonly count: number;
  add(files: SizedFiles): void;
  sizes(): Float64Array;
  /** When each was changed last; empty unless asked for. */
  times(): Float64Array;
  /** Numbers of files of which another name comes before. */
  readonly otherNames: readonly number[];
  /** The files of these numbers, which must ascend. */
  at(indices: Iterable<number>): Generator<PlacedFile>;
}

export const createFileStore = (): FileStore => {
  const parts: SizedFiles[] = [];
  const seen = new Set<string>();
  const otherNames: number[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(files) {
      for (const { at, identity } of files.linked) {
        if (seen.has(identity)) otherNames.push(count + at);
        else seen.add(identity);
      }
      if (files.sizes.length > 0) parts.push(files);
      count += files.sizes.length;
    },
    sizes: () => joined(parts.map(({ sizes }) => sizes)),
    times: () => joined(parts.map(({ times }) => times)),
    otherNames,
    *at(indices) {
      let part = 0;
      let before = 0;
      let cursor: PartCursor | undefined;
      for (const index of indices) {
        let files = parts[part];
        for (; files !== undefined && index >= before + files.sizes.length; files = parts[part]) {
          before += files.sizes.length;
          part += 1;
          cursor = undefined;
        }
        if (files === undefined) return;
        cursor ??= openCursor(files);
        yield { index, ...cursor(index - before) };
      }
    },
  };
};

const joined = (pieces: readonly Float64Array[]): Float64Array => {
  const all = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
};

/** Gives the files of a part by ascending number. */
type PartCursor = (at: number) => Pick<PlacedFile, 'directory' | 'name'>;

const openCursor = ({ directories, counts, names }: SizedFiles): PartCursor => {
  const all = Buffer.from(names.buffer, names.byteOffset, names.byteLength).toString().split('\0');
  let directory = 0;
  let end = counts[0] ?? 0;
  return (at) => {
    while (at >= end && directory < directories.length) {
      directory += 1;
      end += counts[directory] ?? 0;
    }
    return { directory: directories[directory] ?? '', name: all[at] ?? '' };
  };
};
