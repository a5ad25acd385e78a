// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// Finds the lines that hold a needle. 64 bytes a turn are compared at the places of the needle's rarest byte, and where it
// occurs of the second rarest; only where both fit is the whole needle compared. Line ends are counted only up to the lines that are found.

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const TURN: usize = 64;
/** A lane of the sums holds 255 at most, and a turn adds up to 4 to it. */
const TURNS_PER_SUM: i32 = 63;
/** Line number, start and end. */
const HIT_BYTES: usize = 12;

let needleAt: usize = 0;
let masksAt: usize = 0;
let needleLength: usize = 0;
let first: usize = 0;
let second: usize = 0;

/** The number of the line that `counted` is in. */
let line: u32 = 1;
/** Line ends before this address are counted. */
let counted: usize = 0;
/** Where the search goes on. */
export let position: usize = 0;

/** The needle and, of the same length, a mask that is added to each byte before it is compared: 0x20 makes letters small. */
export function setNeedle(needle: usize, masks: usize, length: usize, firstRare: usize, secondRare: usize): void {
  needleAt = needle;
  masksAt = masks;
  needleLength = length;
  first = firstRare;
  second = secondRare;
}

/** Starts at an address, which begins a line of this number. */
export function start(from: usize, number: u32): void {
  position = from;
  counted = from;
  line = number;
}

/**
 * Writes the lines before `end` that hold the needle, until there are no more or `limit` is reached; without a needle all lines.
 * Tells where the hits end. 64 bytes and the needle's length behind `end` must be readable.
 */
export function search(end: usize, hits: usize, limit: usize): usize {
  let out = hits;
  while (out < limit) {
    const found = needleLength === 0 ? position : find(position, end);
    if (found >= end) {
      position = end;
      break;
    }
    line += countLineEnds(counted, found);
    counted = lineStart(found, counted);
    const lineEnd = findLineEnd(found, end);
    store<u32>(out, line);
    store<u32>(out, <u32>counted, 4);
    store<u32>(out, <u32>(lineEnd > counted && load<u8>(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd), 8);
    out += HIT_BYTES;
    position = lineEnd + 1;
    counted = position;
    line += 1;
  }
  return out;
}

/** The number of the line that begins at `end`, which stands behind a line end. */
export function numberAt(end: usize): u32 {
  return counted >= end ? line : line + countLineEnds(counted, end);
}

/** Whether a NUL stands between two addresses. */
export function holdsNul(from: usize, end: usize): bool {
  const nul = i8x16.splat(0);
  let p = from;
  for (; p + TURN <= end; p += TURN) if (holds(p, nul)) return true;
  for (; p < end; p += 1) if (load<u8>(p) === 0) return true;
  return false;
}

/** Copies lines, each cut to `maxBytes`, one behind the other; writes their numbers, and where each ends if the first starts at `base`. */
export function collect(hits: usize, limit: usize, maxBytes: usize, text: usize, numbers: usize, ends: usize, base: u32): usize {
  let to = text;
  for (; hits < limit; hits += HIT_BYTES, numbers += 4, ends += 4) {
    const from = <usize>load<u32>(hits, 4);
    const length = min(<usize>load<u32>(hits, 8) - from, maxBytes);
    memory.copy(to, from, length);
    to += length;
    store<u32>(numbers, load<u32>(hits));
    store<u32>(ends, base + <u32>(to - text));
  }
  return to;
}

function find(from: usize, end: usize): usize {
  if (end < needleLength) return end;
  const last = end - needleLength;
  const firstByte = i8x16.splat(load<u8>(needleAt + first));
  const secondByte = i8x16.splat(load<u8>(needleAt + second));
  const isMasked = load<u8>(masksAt + first) !== 0;
  const firstMask = i8x16.splat(load<u8>(masksAt + first));
  const secondMask = i8x16.splat(load<u8>(masksAt + second));
  for (let p = from; p <= last; p += TURN) {
    if (!isMasked) {
      // Most turns end here: the rarest byte is not among these. A mask that changes nothing would make this slower.
      while (p <= last && !holds(p + first, firstByte)) p += TURN;
      if (p > last) break;
    }
    const x = p + first;
    let a = i8x16.eq(v128.or(v128.load(x), firstMask), firstByte);
    let b = i8x16.eq(v128.or(v128.load(x, 16), firstMask), firstByte);
    let c = i8x16.eq(v128.or(v128.load(x, 32), firstMask), firstByte);
    let d = i8x16.eq(v128.or(v128.load(x, 48), firstMask), firstByte);
    if (isMasked && !v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue;
    const y = p + second;
    a = v128.and(a, i8x16.eq(v128.or(v128.load(y), secondMask), secondByte));
    b = v128.and(b, i8x16.eq(v128.or(v128.load(y, 16), secondMask), secondByte));
    c = v128.and(c, i8x16.eq(v128.or(v128.load(y, 32), secondMask), secondByte));
    d = v128.and(d, i8x16.eq(v128.or(v128.load(y, 48), secondMask), secondByte));
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue;
    let places =
      <u64>i8x16.bitmask(a) | ((<u64>i8x16.bitmask(b)) << 16) | ((<u64>i8x16.bitmask(c)) << 32) | ((<u64>i8x16.bitmask(d)) << 48);
    for (; places !== 0; places &= places - 1) {
      const candidate = p + <usize>ctz(places);
      if (candidate > last) return end;
      if (isNeedleAt(candidate)) return candidate;
    }
  }
  return end;
}

/** Whether one of the bytes of a turn is this one. */
function holds(x: usize, byte: v128): bool {
  const ab = v128.or(i8x16.eq(v128.load(x), byte), i8x16.eq(v128.load(x, 16), byte));
  const cd = v128.or(i8x16.eq(v128.load(x, 32), byte), i8x16.eq(v128.load(x, 48), byte));
  return v128.any_true(v128.or(ab, cd));
}

function isNeedleAt(p: usize): bool {
  for (let at: usize = 0; at < needleLength; at += 1) {
    if ((load<u8>(p + at) | load<u8>(masksAt + at)) !== load<u8>(needleAt + at)) return false;
  }
  return true;
}

function lineStart(p: usize, floor: usize): usize {
  const lf = i8x16.splat(LF);
  for (; p > floor; p -= 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p - 16), lf));
    if (found !== 0) return max(p - 16 + (32 - <usize>clz(found)), floor);
  }
  return floor;
}

function findLineEnd(from: usize, end: usize): usize {
  const lf = i8x16.splat(LF);
  for (let p = from; p < end; p += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), lf));
    if (found !== 0) return min(p + <usize>ctz(found), end);
  }
  return end;
}

function countLineEnds(from: usize, end: usize): u32 {
  let total: u32 = 0;
  let p = from;
  const lf = i8x16.splat(LF);
  while (p + TURN <= end) {
    let sums = i8x16.splat(0);
    for (let turn = 0; turn < TURNS_PER_SUM && p + TURN <= end; turn += 1, p += TURN) {
      const ab = i8x16.add(i8x16.eq(v128.load(p), lf), i8x16.eq(v128.load(p, 16), lf));
      const cd = i8x16.add(i8x16.eq(v128.load(p, 32), lf), i8x16.eq(v128.load(p, 48), lf));
      sums = i8x16.sub(sums, i8x16.add(ab, cd)); // an equal lane is -1
    }
    total += sumOf(sums);
  }
  for (; p < end; p += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), lf));
    const left = <i32>(end - p);
    total += popcnt(left < 16 ? found & ((1 << left) - 1) : found);
  }
  return total;
}

function sumOf(sums: v128): u32 {
  const quads = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(sums));
  return i32x4.extract_lane(quads, 0) + i32x4.extract_lane(quads, 1) + i32x4.extract_lane(quads, 2) + i32x4.extract_lane(quads, 3);
}
