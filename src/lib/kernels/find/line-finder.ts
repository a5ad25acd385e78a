import { instantiateKernel } from '../instantiate.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';
import { type Needle, prepareNeedle } from './needle.ts';
import { createPlainFinder } from './plain-finder.ts';

/** Finds lines that hold a needle, in bytes that are put into its memory. Offsets count from the start of `input`. */
export interface LineFinder {
  /** Where bytes are put; another one after `grow`. */
  readonly input: Buffer;
  /** Makes the input larger; its bytes stay. */
  grow(bytes: number): void;
  /** Begins at an offset where a line of this number starts. */
  start(offset: number, line: number): void;
  /** Finds the next lines before `end`, at most `MAX_HITS`; ask again until there are none. */
  next(end: number): Hits;
  /** The number of the line that begins at `end`, behind the last line end. */
  lineAt(end: number): number;
  /** Whether a NUL stands between two offsets. */
  holdsNul(from: number, end: number): boolean;
  /** The first lines of the latest hits, each cut to so many bytes; good until the next call. */
  collect(count: number, options: { readonly maxBytes: number; readonly base: number }): Lines;
}

/** Lines one behind the other; what stands behind the first `count` and `bytes` is not theirs. */
export interface Lines {
  readonly count: number;
  readonly bytes: number;
  readonly text: Buffer;
  readonly numbers: Uint32Array;
  /** Where each ends in `text`, if that started at the base. */
  readonly ends: Uint32Array;
}

/** Lines that were found; good until the next call. */
export interface Hits {
  readonly count: number;
  line(at: number): number;
  start(at: number): number;
  /** Without the line end, and without a CR before it. */
  end(at: number): number;
}

/** How many lines are found in one call. */
export const MAX_HITS = 4096;

/** Addresses below belong to the kernel itself. */
const NEEDLE_AT = 1024;
const WORDS_PER_HIT = 3;
/** The kernel reads this much beyond what it is told, and the length of the needle. */
const SLACK_BYTES = 64;

/** Starts a finder; without a needle it finds every line. */
export const createLineFinder = (needle: Needle | undefined, inputBytes: number): LineFinder => {
  const { bytes, masks, rarest } = prepareNeedle(needle ?? { bytes: new Uint8Array(0), ignoreCase: false });
  const hitsAt = align(NEEDLE_AT + 2 * bytes.byteLength);
  const numbersAt = hitsAt + MAX_HITS * WORDS_PER_HIT * 4;
  const endsAt = numbersAt + MAX_HITS * 4;
  const inputAt = endsAt + MAX_HITS * 4;
  const slack = SLACK_BYTES + bytes.byteLength;
  const memoryFor = (size: number) => inputAt + 2 * (size + slack); // the input and the text of its lines
  const kernel = instantiateKernel(KERNEL_BASE64, memoryFor(inputBytes));
  if (kernel === undefined) return createPlainFinder(needle, inputBytes, MAX_HITS);
  let words: Uint32Array;
  let lines: Pick<Lines, 'text' | 'numbers' | 'ends'>;

  /** Divides the memory; tells where the input is. */
  const layOut = (size: number): Buffer => {
    const { buffer } = kernel.memory;
    words = new Uint32Array(buffer, hitsAt, MAX_HITS * WORDS_PER_HIT);
    lines = {
      text: Buffer.from(buffer, inputAt + size + slack, size),
      numbers: new Uint32Array(buffer, numbersAt, MAX_HITS),
      ends: new Uint32Array(buffer, endsAt, MAX_HITS),
    };
    return Buffer.from(buffer, inputAt, size);
  };
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.set(bytes, NEEDLE_AT);
  memory.set(masks, NEEDLE_AT + bytes.byteLength);
  const start = kernel.fn('start');
  const search = kernel.fn('search');
  const numberAt = kernel.fn('numberAt');
  const holdsNul = kernel.fn('holdsNul');
  const collect = kernel.fn('collect');
  kernel.call('setNeedle', NEEDLE_AT, NEEDLE_AT + bytes.byteLength, bytes.byteLength, ...rarest);

  /** What is asked often is no getter: V8 makes good code only for functions it has met. */
  const hits = {
    count: 0,
    line: (at: number) => words[at * WORDS_PER_HIT] ?? 0,
    start: (at: number) => (words[at * WORDS_PER_HIT + 1] ?? 0) - inputAt,
    end: (at: number) => (words[at * WORDS_PER_HIT + 2] ?? 0) - inputAt,
  };

  const finder = {
    input: layOut(inputBytes),
    grow(size: number) {
      const missing = memoryFor(size) - kernel.memory.buffer.byteLength;
      if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE_BYTES));
      finder.input = layOut(size);
    },
    start: (offset: number, line: number) => void start(inputAt + offset, line),
    next(end: number): Hits {
      hits.count = (search(inputAt + end, hitsAt, numbersAt) - hitsAt) / (WORDS_PER_HIT * 4);
      return hits;
    },
    lineAt: (end: number) => numberAt(inputAt + end),
    holdsNul: (from: number, end: number) => holdsNul(inputAt + from, inputAt + end) !== 0,
    collect(count: number, { maxBytes, base }: { readonly maxBytes: number; readonly base: number }): Lines {
      const textAt = inputAt + finder.input.byteLength + slack;
      const textEnd = collect(hitsAt, hitsAt + count * WORDS_PER_HIT * 4, maxBytes, textAt, numbersAt, endsAt, base);
      return { count, bytes: textEnd - textAt, ...lines };
    },
  };
  return finder;
};

const PAGE_BYTES = 65_536;

const align = (address: number): number => Math.ceil(address / 16) * 16;
