// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// Writes lines with their numbers as JSON records, which differ in nothing else. 16 bytes of a line are copied a turn and tested for
// what JSON must not show as it is.
import { writeEscape } from '../json-escape';

const QUOTE: i8 = 0x22;
const BACKSLASH: i8 = 0x5c;
const ZERO: u32 = 0x30;

let betweenAt: usize = 0;
let betweenLength: usize = 0;
let behindAt: usize = 0;
let behindLength: usize = 0;

/** What every record has between number and text, and behind the text. */
export function configure(between: usize, betweenBytes: usize, behind: usize, behindBytes: usize): void {
  betweenAt = between;
  betweenLength = betweenBytes;
  behindAt = behind;
  behindLength = behindBytes;
}

/**
 * Writes a record for each line: lines lie one behind the other from `text` on, and `ends` says where each ends if the first starts at
 * `base`. In place of that it writes where each record ends, if the first starts at `outBase`. Tells where the last one ends.
 * 16 bytes behind everything that is read or written must be free to read and write.
 */
export function writeRecords(
  text: usize,
  base: u32,
  ends: usize,
  numbers: usize,
  count: usize,
  head: usize,
  headLength: usize,
  out: usize,
  outBase: u32,
): usize {
  let p = text;
  let o = out;
  for (let at: usize = 0; at < count; at += 1) {
    const endAt = ends + (at << 2);
    const lineEnd = text + <usize>(load<u32>(endAt) - base);
    copy(o, head, headLength);
    o = writeNumber(o + headLength, load<u32>(numbers + (at << 2)));
    copy(o, betweenAt, betweenLength);
    o = writeText(o + betweenLength, p, lineEnd);
    copy(o, behindAt, behindLength);
    o += behindLength;
    p = lineEnd;
    store<u32>(endAt, outBase + <u32>(o - out));
  }
  return o;
}

function writeText(o: usize, from: usize, end: usize): usize {
  let p = from;
  while (p < end) {
    const block = v128.load(p);
    v128.store(o, block);
    const special = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(block, i8x16.splat(QUOTE)), i8x16.eq(block, i8x16.splat(BACKSLASH))), i8x16.lt_u(block, i8x16.splat(0x20))),
    );
    const clean = min(special === 0 ? 16 : <usize>ctz(special), end - p);
    p += clean;
    o += clean;
    if (clean === 16 || p === end) continue;
    o = writeEscape(o, load<u8>(p));
    p += 1;
  }
  return o;
}

function writeNumber(o: usize, number: u32): usize {
  let digits: usize = 1;
  for (let rest = number; rest >= 10; rest /= 10) digits += 1;
  let rest = number;
  for (let place = digits; place > 0; place -= 1, rest /= 10) store<u8>(o + place - 1, <u8>(ZERO + (rest % 10)));
  return o + digits;
}

/** Copies 16 bytes a turn; what it writes too much is overwritten next. */
function copy(to: usize, from: usize, length: usize): void {
  for (let done: usize = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done));
}
