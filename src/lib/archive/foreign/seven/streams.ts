// The part of a 7z header that says how packed streams become contents.
import type { Fields } from '../fields.ts';
import { count, damaged7z, digests, number } from './seven-fields.ts';

/** Packed streams that are unpacked together, by a chain of methods, to one stream of contents. */
export interface Folder {
  /** Its description as it stands in the header. */
  readonly raw: Buffer;
  readonly methods: readonly string[];
  /** For each stream between the methods. */
  readonly unpackSizes: readonly number[];
  readonly size: number;
  readonly crc32: number | undefined;
  readonly packs: readonly Pack[];
}

/** A packed stream in the file. */
export interface Pack {
  readonly at: number;
  readonly size: number;
}

/** One content. */
export interface Content {
  /** The folder it comes out of, and where in that. */
  readonly folder: number;
  readonly size: number;
  readonly crc32: number | undefined;
}

export interface Streams {
  readonly folders: readonly Folder[];
  readonly contents: readonly Content[];
}

const ID = { end: 0, packInfo: 6, unpackInfo: 7, substreams: 8, size: 9, crc: 10, folder: 11, unpackSize: 12, counts: 13 };
const MAX_CODERS = 32;
const MAX_STREAMS = 32;

/** Reads them; offsets count from the end of the start header, whose size is `base`. */
export const readStreams = (fields: Fields, base: number): Streams => {
  let packs: Pack[] = [];
  let folders: Folder[] = [];
  let contents: Content[] | undefined;
  for (let id = number(fields); id !== ID.end; id = number(fields)) {
    if (id === ID.packInfo) packs = readPacks(fields, base);
    else if (id === ID.unpackInfo) folders = readFolders(fields, packs);
    else if (id === ID.substreams) contents = readContents(fields, folders);
    else throw damaged7z();
  }
  return { folders, contents: contents ?? folders.map(({ size, crc32 }, folder) => ({ folder, size, crc32 })) };
};

const readPacks = (fields: Fields, base: number): Pack[] => {
  let at = base + number(fields);
  const length = count(fields, fields.left);
  const packs: Pack[] = [];
  for (let id = number(fields); id !== ID.end; id = number(fields)) {
    if (id === ID.size) {
      for (let index = 0; index < length; index += 1) {
        const size = number(fields);
        packs.push({ at, size });
        at += size;
      }
    } else if (id === ID.crc) digests(fields, length);
    else throw damaged7z();
  }
  return packs;
};

const readFolders = (fields: Fields, packs: readonly Pack[]): Folder[] => {
  if (number(fields) !== ID.folder) throw damaged7z();
  const length = count(fields, fields.left);
  if (fields.u8() !== 0) throw damaged7z(); // described elsewhere, which nobody writes
  const described = Array.from({ length }, () => readCoders(fields));
  if (number(fields) !== ID.unpackSize) throw damaged7z();
  const sizes = described.map(({ outputs }) => Array.from({ length: outputs }, () => number(fields)));
  let sums: (number | undefined)[] = [];
  for (let id = number(fields); id !== ID.end; id = number(fields)) {
    if (id !== ID.crc) throw damaged7z();
    sums = digests(fields, length);
  }
  let firstPack = 0;
  return described.map(({ raw, methods, packCount, mainOutput }, index) => {
    const unpackSizes = sizes[index] ?? [];
    const own = packs.slice(firstPack, firstPack + packCount);
    if (own.length !== packCount) throw damaged7z();
    firstPack += packCount;
    return { raw, methods, unpackSizes, size: unpackSizes[mainOutput] ?? 0, crc32: sums[index], packs: own };
  });
};

interface Coders {
  readonly raw: Buffer;
  readonly methods: readonly string[];
  readonly outputs: number;
  readonly packCount: number;
  /** The output that is bound to no other method: the contents. */
  readonly mainOutput: number;
}

const readCoders = (fields: Fields): Coders => {
  const from = fields.at;
  const methods: string[] = [];
  let inputs = 0;
  let outputs = 0;
  for (let left = count(fields, MAX_CODERS); left > 0; left -= 1) {
    const flags = fields.u8();
    methods.push(fields.take(flags & 0x0f).toString('hex'));
    const isComplex = (flags & 0x10) !== 0;
    inputs += isComplex ? count(fields, MAX_STREAMS) : 1;
    outputs += isComplex ? count(fields, MAX_STREAMS) : 1;
    if ((flags & 0x20) !== 0) fields.take(number(fields));
    if ((flags & 0xc0) !== 0) throw damaged7z();
  }
  if (methods.length === 0 || outputs === 0 || inputs < outputs - 1) throw damaged7z();
  const bound = new Set<number>();
  for (let left = outputs - 1; left > 0; left -= 1) {
    number(fields);
    bound.add(number(fields));
  }
  const packCount = inputs - (outputs - 1);
  if (packCount > 1) for (let left = packCount; left > 0; left -= 1) number(fields);
  const mainOutput = Array.from({ length: outputs }, (_, at) => at).find((at) => !bound.has(at));
  if (mainOutput === undefined) throw damaged7z();
  return { raw: fields.since(from), methods, outputs, packCount, mainOutput };
};

const readContents = (fields: Fields, folders: readonly Folder[]): Content[] => {
  let counts = folders.map(() => 1);
  let sizes: number[][] | undefined;
  let sums: (number | undefined)[] | undefined;
  for (let id = number(fields); id !== ID.end; id = number(fields)) {
    if (id === ID.counts) counts = folders.map(() => count(fields, MAX_CONTENTS));
    else if (id === ID.size) sizes = folders.map((folder, index) => sizesOf(fields, folder, counts[index] ?? 0));
    else if (id === ID.crc) {
      const unknown = folders.reduce(
        (sum, { crc32 }, index) => sum + (counts[index] === 1 && crc32 !== undefined ? 0 : (counts[index] ?? 0)),
        0,
      );
      if (unknown > MAX_CONTENTS) throw damaged7z();
      sums = digests(fields, unknown);
    } else throw damaged7z();
  }
  let nextSum = 0;
  return folders.flatMap((folder, index) =>
    (sizes?.[index] ?? wholeSizes(folder, counts[index] ?? 0)).map((size) => {
      if (counts[index] === 1 && folder.crc32 !== undefined) return { folder: index, size, crc32: folder.crc32 };
      nextSum += 1;
      return { folder: index, size, crc32: sums?.[nextSum - 1] };
    }),
  );
};

/** More files than any honest archive has. */
const MAX_CONTENTS = 10_000_000;

/** The last one takes what is left. */
const sizesOf = (fields: Fields, { size }: Folder, length: number): number[] => {
  if (length === 0) return [];
  const sizes: number[] = [];
  let left = size;
  for (let index = 1; index < length; index += 1) {
    const each = number(fields);
    sizes.push(each);
    left -= each;
  }
  if (left < 0) throw damaged7z();
  return [...sizes, left];
};

const wholeSizes = ({ size }: Folder, length: number): number[] => {
  if (length > 1) throw damaged7z();
  return length === 0 ? [] : [size];
};
