import { readSync } from 'node:fs';
import type { Codec, Decoder } from '../../text/encodings/codec.ts';
import { utf16 } from '../../text/encodings/utf16.ts';
import { utf32 } from '../../text/encodings/utf32.ts';

/** The text of one file after the other as UTF-8 bytes. */
export interface FileSource {
  /** Begins with an open file. */
  open(fd: number): void;
  /** Puts the next bytes into a buffer that has room, behind an offset; tells how many. */
  fill(into: Buffer, offset: number): number;
  /** Whether the file ended there. */
  readonly isEnd: boolean;
}

/** How many bytes of a file in another encoding are read at a time. */
const FOREIGN_BYTES = 64 * 1024;

interface Mark {
  readonly mark: readonly number[];
  /** Undefined for UTF-8. */
  readonly codec: Codec | undefined;
}

/** Byte order marks; that of UTF-16 begins that of UTF-32, so the longer ones come first. */
const MARKS: readonly Mark[] = [
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
  let foreign: Foreign | undefined;
  const read = (into: Buffer, offset: number): number => {
    const room = into.byteLength - offset;
    const bytes = readSync(fd, into, offset, room, null);
    source.isEnd = bytes < room;
    return bytes;
  };
  /** Goes by the mark that the first bytes are. */
  const heed = ({ mark, codec }: Mark, into: Buffer, offset: number, bytes: number): number => {
    const first = into.subarray(offset + mark.length, offset + bytes);
    if (codec === undefined) {
      into.copyWithin(offset, offset + mark.length, offset + bytes);
      return first.byteLength;
    }
    foreign = openForeign(
      (raw) => ({ bytes: read(raw, 0), isEnd: source.isEnd }),
      codec.decoder(() => '\uFFFD'),
      { first, isEnd: source.isEnd },
    );
    return fillFrom(foreign, into, offset);
  };
  const fillFrom = (file: Foreign, into: Buffer, offset: number): number => {
    const bytes = file.fill(into.subarray(offset));
    source.isEnd = file.isEnd;
    return bytes;
  };
  const source = {
    isEnd: false,
    open(opened: number) {
      fd = opened;
      isBegun = false;
      foreign = undefined;
    },
    fill(into: Buffer, offset: number): number {
      if (foreign !== undefined) return fillFrom(foreign, into, offset);
      const bytes = read(into, offset);
      if (isBegun) return bytes;
      isBegun = true;
      const found = markOf(into, offset, bytes);
      return found === undefined ? bytes : heed(found, into, offset, bytes);
    },
  };
  return source;
};

const markOf = (into: Buffer, offset: number, bytes: number): Mark | undefined => {
  const first = into[offset] ?? 0;
  if (first > 0 && first < 0xef) return undefined; // nearly every file
  return MARKS.find(({ mark }) => mark.length <= bytes && mark.every((byte, at) => into[offset + at] === byte));
};

/** A file in another encoding. */
interface Foreign {
  fill(into: Buffer): number;
  readonly isEnd: boolean;
}

type Read = (raw: Buffer) => { readonly bytes: number; readonly isEnd: boolean };

/** Goes on with a file of which the first bytes were read already. */
const openForeign = (read: Read, decoder: Decoder, begun: { readonly first: Uint8Array; readonly isEnd: boolean }): Foreign => {
  const raw = Buffer.allocUnsafe(FOREIGN_BYTES);
  let { isEnd } = begun;
  let waiting = Buffer.from(decoder.write(begun.first) + (isEnd ? decoder.end() : ''));
  return {
    fill(into) {
      while (waiting.byteLength < into.byteLength && !isEnd) {
        const more = read(raw);
        isEnd = more.isEnd;
        waiting = Buffer.concat([waiting, Buffer.from(decoder.write(raw.subarray(0, more.bytes)) + (isEnd ? decoder.end() : ''))]);
      }
      const bytes = waiting.copy(into);
      waiting = waiting.subarray(bytes);
      return bytes;
    },
    get isEnd() {
      return isEnd && waiting.byteLength === 0;
    },
  };
};
