import { readSync } from 'node:fs';
import type { Codec, Decoder } from '../../text/encodings/codec.ts';
import { utf16 } from '../../text/encodings/utf16.ts';
import { utf32 } from '../../text/encodings/utf32.ts';

/** The text of one file after the other as UTF-8 bytes. */
export interface FileSource {
  /** Begins with an open file. */
  open(fd: number): void;
  /** Puts the next bytes into a buffer that has room; tells how many, and whether the file ends there. */
  fill(into: Buffer): Filled;
}

interface Filled {
  readonly bytes: number;
  readonly isEnd: boolean;
}
type Fill = (into: Buffer) => Filled;

/** How many bytes of a file in another encoding are read at a time. */
const FOREIGN_BYTES = 64 * 1024;

/** Byte order marks; that of UTF-16 begins that of UTF-32, so the longer ones come first. */
const MARKS: readonly { readonly mark: readonly number[]; readonly codec: Codec | undefined }[] = [
  { mark: [0xff, 0xfe, 0, 0], codec: utf32('le') },
  { mark: [0, 0, 0xfe, 0xff], codec: utf32('be') },
  { mark: [0xff, 0xfe], codec: utf16('le') },
  { mark: [0xfe, 0xff], codec: utf16('be') },
  { mark: [0xef, 0xbb, 0xbf], codec: undefined },
];

/**
 * Reads files: each in the encoding that a mark at its start names, else as it is. The mark is left out.
 * A short read of a regular file is its end, so small files take one call.
 */
export const createFileSource = (): FileSource => {
  let fd = -1;
  let isBegun = false;
  let foreign: Fill | undefined;
  const read: Fill = (into) => {
    const bytes = readSync(fd, into, 0, into.byteLength, null);
    return { bytes, isEnd: bytes < into.byteLength };
  };
  const begin: Fill = (into) => {
    const { bytes, isEnd } = read(into);
    const found = markOf(into, bytes);
    if (found === undefined) return { bytes, isEnd };
    if (found.codec === undefined) {
      into.copyWithin(0, found.mark.length, bytes);
      return { bytes: bytes - found.mark.length, isEnd };
    }
    foreign = decoded(
      read,
      found.codec.decoder(() => '\uFFFD'),
      { first: into.subarray(found.mark.length, bytes), isEnd },
    );
    return foreign(into);
  };
  return {
    open(opened) {
      fd = opened;
      isBegun = false;
      foreign = undefined;
    },
    fill(into) {
      if (isBegun) return (foreign ?? read)(into);
      isBegun = true;
      return begin(into);
    },
  };
};

const markOf = (start: Buffer, bytes: number) => {
  const first = start[0] ?? 0;
  if (first > 0 && first < 0xef) return undefined; // nearly every file
  return MARKS.find(({ mark }) => mark.length <= bytes && mark.every((byte, at) => start[at] === byte));
};

/** A file in another encoding, of which the first bytes were read already. */
const decoded = (read: Fill, decoder: Decoder, begun: { readonly first: Uint8Array; readonly isEnd: boolean }): Fill => {
  const raw = Buffer.allocUnsafe(FOREIGN_BYTES);
  let { isEnd } = begun;
  let waiting = Buffer.from(decoder.write(begun.first) + (isEnd ? decoder.end() : ''));
  return (into) => {
    while (waiting.byteLength < into.byteLength && !isEnd) {
      const filled = read(raw);
      isEnd = filled.isEnd;
      waiting = Buffer.concat([waiting, Buffer.from(decoder.write(raw.subarray(0, filled.bytes)) + (isEnd ? decoder.end() : ''))]);
    }
    const bytes = waiting.copy(into);
    waiting = waiting.subarray(bytes);
    return { bytes, isEnd: isEnd && waiting.byteLength === 0 };
  };
};
