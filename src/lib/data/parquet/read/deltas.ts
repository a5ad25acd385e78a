import type { StoredValues } from './stored-values.ts';
import { demand } from './unreadable.ts';

/** Whole numbers, and where behind them the page goes on. */
interface Deltas<T> {
  readonly values: T;
  readonly end: number;
}

/** More than any sensible page unfolds to. */
const MAX_UNFOLDED_BYTES = 256 * 1024 * 1024;

/** Reads numbers that are written as differences (the encoding DELTA_BINARY_PACKED). Sums wrap round, as the format wants it. */
export function readDeltas(bytes: Uint8Array, from: number, count: number, bits: 32): Deltas<Int32Array>;
export function readDeltas(bytes: Uint8Array, from: number, count: number, bits: 32 | 64): Deltas<Int32Array | BigInt64Array>;
export function readDeltas(bytes: Uint8Array, from: number, count: number, bits: 32 | 64): Deltas<Int32Array | BigInt64Array> {
  const cursor = { at: from };
  const blockSize = Number(readVarint(bytes, cursor));
  const minis = Number(readVarint(bytes, cursor));
  const total = Number(readVarint(bytes, cursor));
  demand(total === count, 'a page has another number of values than it tells');
  demand(
    minis > 0 && blockSize > 0 && blockSize <= MAX_BLOCK && blockSize % minis === 0 && (blockSize / minis) % 8 === 0,
    'the blocks of a page are impossible',
  );
  const perMini = blockSize / minis;
  const wide = new BigInt64Array(bits === 64 ? count : 0);
  const narrow = new Int32Array(bits === 32 ? count : 0);
  let value = zigzag(readVarint(bytes, cursor));
  const put = (index: number): void => {
    if (bits === 64) wide[index] = value;
    else narrow[index] = Number(BigInt.asIntN(32, value));
  };
  if (count > 0) put(0);
  for (let index = 1; index < count; ) {
    const least = zigzag(readVarint(bytes, cursor));
    const widths = bytes.subarray(cursor.at, cursor.at + minis);
    demand(widths.byteLength === minis, 'a page has too few values');
    cursor.at += minis;
    for (let mini = 0; mini < minis && index < count; mini += 1) {
      const width = widths[mini] ?? 0;
      demand(width <= 64, 'differences are wider than 64 bits');
      const here = Math.min(perMini, count - index);
      demand(cursor.at + Math.ceil((here * width) / 8) <= bytes.byteLength, 'a page has too few values');
      for (let bit = 0, left = here; left > 0; left -= 1, bit += width, index += 1) {
        value = BigInt.asIntN(64, value + least + bitsAt(bytes, cursor.at, bit, width));
        put(index);
      }
      cursor.at += (perMini * width) / 8;
    }
  }
  return { values: bits === 64 ? wide : narrow, end: cursor.at };
}

const MAX_BLOCK = 1024 * 1024;

/** Up to 64 bits from a place, the lowest first. */
const bitsAt = (bytes: Uint8Array, from: number, bit: number, width: number): bigint => {
  if (width === 0) return 0n;
  const first = from + (bit >> 3);
  const shift = bit & 7;
  if (width + shift <= 48) {
    let held = 0;
    for (let index = 0; index * 8 < width + shift; index += 1) held += (bytes[first + index] ?? 0) * 2 ** (8 * index);
    return BigInt(Math.floor(held / 2 ** shift) % 2 ** width);
  }
  let held = 0n;
  for (let index = 0; index * 8 < width + shift; index += 1) held |= BigInt(bytes[first + index] ?? 0) << BigInt(8 * index);
  return BigInt.asUintN(width, held >> BigInt(shift));
};

const readVarint = (bytes: Uint8Array, cursor: { at: number }): bigint => {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[cursor.at];
    demand(byte !== undefined && shift <= 63n, 'a page has too few values');
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
};

const zigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);

/** Lengths as differences, then all the bytes. */
export const deltaLengthBytes = (bytes: Uint8Array, count: number): StoredValues => {
  const { values: lengths, end } = readDeltas(bytes, 0, count, 32);
  const ends = endsOf(lengths, end, bytes.byteLength);
  return {
    count,
    at: (index) => bytes.subarray(index === 0 ? end : (ends[index - 1] ?? 0), ends[index] ?? 0),
    extraBytes: lengths.byteLength + ends.byteLength,
  };
};

/** How much of the value before is taken over, as differences; then the rests, as lengths and bytes. */
export const deltaBytes = (bytes: Uint8Array, count: number): StoredValues => {
  const { values: shared, end: middle } = readDeltas(bytes, 0, count, 32);
  const { values: lengths, end } = readDeltas(bytes, middle, count, 32);
  const ends = endsOf(lengths, end, bytes.byteLength);
  const starts = new Uint32Array(count + 1);
  for (let index = 0, sum = 0; index < count; index += 1) {
    const taken = shared[index] ?? 0;
    const before = index === 0 ? 0 : sum - (starts[index - 1] ?? 0);
    demand(taken >= 0 && taken <= before, 'a value begins like one that is not there');
    sum += taken + (lengths[index] ?? 0);
    demand(sum <= MAX_UNFOLDED_BYTES, 'a page unfolds to too many bytes');
    starts[index + 1] = sum;
  }
  const whole = new Uint8Array(starts[count] ?? 0);
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] ?? 0;
    const taken = shared[index] ?? 0;
    if (taken > 0) whole.copyWithin(start, starts[index - 1] ?? 0, (starts[index - 1] ?? 0) + taken);
    whole.set(bytes.subarray(index === 0 ? end : (ends[index - 1] ?? 0), ends[index] ?? 0), start + taken);
  }
  return {
    count,
    at: (index) => whole.subarray(starts[index] ?? 0, starts[index + 1] ?? 0),
    extraBytes: whole.byteLength + 4 * starts.byteLength,
  };
};

/** Where values of these lengths end, each of them inside the page. */
const endsOf = (lengths: Int32Array, from: number, size: number): Uint32Array => {
  const ends = new Uint32Array(lengths.length);
  let at = from;
  for (let index = 0; index < lengths.length; index += 1) {
    const length = lengths[index] ?? 0;
    at += length;
    demand(length >= 0 && at <= size, 'a value lies outside its page');
    ends[index] = at;
  }
  return ends;
};
