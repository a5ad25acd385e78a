import { MAX_HEAD_BYTES } from './answer-head.ts';
import { badAnswer } from './faults.ts';

/** Takes a body out of the chunks that it comes in. */
export interface ChunkReader {
  /** Moves the content to the front of `bytes` and tells how much it is, and how many bytes were used up. */
  take(bytes: Buffer): { readonly content: number; readonly used: number };
  readonly isDone: boolean;
}

const [CR, LF] = [0x0d, 0x0a];
/** A line with a size and what may stand behind it, which nobody reads. */
const MAX_LINE_BYTES = 256;
const SIZE_LINE = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;[\t\x20-\x7e]*)?$/;
const TRAILER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;

export const createChunkReader = (): ChunkReader => {
  let state: 'size' | 'data' | 'behind' | 'trailers' | 'done' = 'size';
  let line = '';
  let left = 0;
  let trailerBytes = 0;

  /** Adds up to the end of a line; tells the position behind what was taken, and whether the line is whole. */
  const readLine = (bytes: Buffer, at: number, most: number): { readonly next: number; readonly isWhole: boolean } => {
    const end = bytes.indexOf(LF, at);
    const next = end === -1 ? bytes.byteLength : end + 1;
    line += bytes.toString('latin1', at, next);
    if (line.length > most) throw badAnswer('has a line in its chunks that is too long');
    if (end === -1) return { next, isWhole: false };
    if (!line.endsWith('\r\n')) throw badAnswer('has a line in its chunks that does not end as one');
    line = line.slice(0, -2);
    return { next, isWhole: true };
  };

  const endSize = (): void => {
    const [, written] = SIZE_LINE.exec(line) ?? [];
    if (written === undefined) throw badAnswer('has a chunk without a size');
    left = Number.parseInt(written, 16);
    state = left === 0 ? 'trailers' : 'data';
    line = '';
  };

  const endTrailer = (): void => {
    if (line === '') state = 'done';
    else if (!TRAILER.test(line)) throw badAnswer('has a line behind its chunks that is no field');
    trailerBytes += line.length + 2;
    if (trailerBytes > MAX_HEAD_BYTES) throw badAnswer('has too many fields behind its chunks');
    line = '';
  };

  return {
    take(bytes) {
      let [at, content] = [0, 0];
      while (at < bytes.byteLength && state !== 'done') {
        if (state === 'data') {
          const taken = Math.min(left, bytes.byteLength - at);
          if (content !== at) bytes.copyWithin(content, at, at + taken);
          content += taken;
          at += taken;
          left -= taken;
          if (left === 0) state = 'behind';
        } else if (state === 'behind') {
          if (bytes[at] !== (line === '' ? CR : LF)) throw badAnswer('has a chunk that is longer than its size');
          line = line === '' ? '\r' : '';
          at += 1;
          if (line === '') state = 'size';
        } else {
          const isSize = state === 'size';
          const { next, isWhole } = readLine(bytes, at, isSize ? MAX_LINE_BYTES : MAX_HEAD_BYTES);
          at = next;
          if (isWhole) (isSize ? endSize : endTrailer)();
        }
      }
      return { content, used: at };
    },
    get isDone() {
      return state === 'done';
    },
  };
};
