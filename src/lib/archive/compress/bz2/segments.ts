// A bzip2 file is a row of blocks without byte borders; the marks between them are found by looking at every bit.
import { broken } from '../../broken.ts';
import { type Bits, sliceBits } from './bits.ts';
import { BLOCK_MARK, bitsAt, END_MARK, findMark, MARK_BITS } from './marks.ts';

/** From one mark to the next: a block, or the part of one where the mark stands there by chance. */
export type Segment =
  | { readonly kind: 'block'; readonly bits: Bits }
  /** The check sum over all blocks since the last end. */
  | { readonly kind: 'end'; readonly checksum: number };

const HEADER = /^BZh[1-9]$/;
const HEADER_BYTES = 4;
const CHECKSUM_BITS = 32;
/** A block holds at most 900,000 bytes before packing, and packing adds next to nothing. */
const MAX_SEGMENT_BYTES = 2 * 1024 * 1024;

interface Cutting {
  /** Whatever follows the end is left out, not only zeros. */
  readonly lenient: boolean;
}

/** Cuts a bzip2 file, or several joined ones, at its marks. */
export async function* segmentsOf(chunks: AsyncIterable<Uint8Array>, { lenient }: Cutting): AsyncGenerator<Segment> {
  const input = inputOf(chunks);
  while (await readHeader(input, { lenient })) {
    for (let isOpen = true; isOpen; ) {
      const mark = bitsAt(input.held(), input.bit, MARK_BITS);
      if (mark !== BLOCK_MARK && mark !== END_MARK) throw broken('is a damaged bzip2 file');
      const end = mark === END_MARK ? undefined : await endOfBlock(input, { lenient });
      if (end === undefined) {
        await input.want(MARK_BITS + CHECKSUM_BITS);
        yield { kind: 'end', checksum: Number(bitsAt(input.held(), input.bit + MARK_BITS, CHECKSUM_BITS)) };
        input.advance(Math.ceil((input.bit + MARK_BITS + CHECKSUM_BITS) / 8) * 8);
        isOpen = false;
      } else {
        yield { kind: 'block', bits: sliceBits(input.held(), input.bit, end) };
        input.advance(end);
      }
    }
    input.isFirst = false;
  }
}

/** The bytes that were read and not yet passed; `bit` is where the next segment begins in them. */
interface Input {
  bit: number;
  isFirst: boolean;
  held(): Buffer;
  /** Reads on until this many bits lie ahead; false where the file ends before. */
  want(bits: number): Promise<boolean>;
  advance(bit: number): void;
}

const inputOf = (chunks: AsyncIterable<Uint8Array>): Input => {
  const iterator = chunks[Symbol.asyncIterator]();
  let room = Buffer.alloc(2 * MAX_SEGMENT_BYTES);
  let start = 0;
  let end = 0;

  const take = (chunk: Uint8Array) => {
    if (end + chunk.byteLength > room.byteLength) {
      const kept = room.subarray(start, end);
      if (kept.byteLength + chunk.byteLength > room.byteLength) room = Buffer.alloc(2 * (kept.byteLength + chunk.byteLength));
      room.set(kept, 0);
      end -= start;
      start = 0;
    }
    room.set(chunk, end);
    end += chunk.byteLength;
  };

  return {
    bit: 0,
    isFirst: true,
    held: () => room.subarray(start, end),
    async want(bits) {
      while ((end - start) * 8 < this.bit + bits) {
        const step = await iterator.next();
        if (step.done === true) return false;
        take(step.value);
      }
      return true;
    },
    advance(bit) {
      start += bit >> 3;
      this.bit = bit & 7;
    },
  };
};

/** Passes the header of a stream; false at the end of the file. */
const readHeader = async (input: Input, { lenient }: Cutting): Promise<boolean> => {
  await input.want(HEADER_BYTES * 8 + MARK_BITS);
  if (!HEADER.test(input.held().toString('latin1', 0, HEADER_BYTES))) {
    if (input.isFirst) throw broken('is no bzip2 file');
    if (!lenient) await demandZeros(input);
    return false;
  }
  input.advance(HEADER_BYTES * 8);
  return true;
};

/** Zeros behind the end are the filling of a tape. */
const demandZeros = async (input: Input): Promise<void> => {
  do {
    const held = input.held();
    if (held.some((byte) => byte !== 0)) throw broken('has data after its end');
    input.advance(held.byteLength * 8);
  } while (await input.want(8));
};

/** Where the next mark begins. An end mark counts only where the file, its filling or another header follows it. */
const endOfBlock = async (input: Input, { lenient }: Cutting): Promise<number> => {
  for (let from = (input.bit >> 3) + 6; ; ) {
    const found = findMark(input.held(), from);
    if (found !== undefined) {
      await input.want(found - input.bit + MARK_BITS + CHECKSUM_BITS + 8 + HEADER_BYTES * 8);
      if (isPlausible(input.held(), found, { lenient })) return found;
      from = (found >> 3) + 1;
      continue;
    }
    from = Math.max(from, input.held().byteLength - 6);
    if (input.held().byteLength > MAX_SEGMENT_BYTES || !(await input.want(input.held().byteLength * 8 - input.bit + 8)))
      throw broken('is a damaged or cut bzip2 file');
  }
};

const isPlausible = (held: Buffer, found: number, { lenient }: Cutting): boolean => {
  if (lenient || bitsAt(held, found, MARK_BITS) === BLOCK_MARK) return true;
  const after = Math.ceil((found + MARK_BITS + CHECKSUM_BITS) / 8);
  const next = held.subarray(after, after + HEADER_BYTES);
  return next.every((byte) => byte === 0) || HEADER.test(next.toString('latin1'));
};
