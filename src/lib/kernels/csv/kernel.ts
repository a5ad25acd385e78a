// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// CSV bytes to JSON Lines bytes in one pass. 16 bytes a turn are copied and tested for what needs a closer look.
// Only whole records come out; whatever is wrong or unusual is left, untouched, to the careful reader.
import { writeEscape } from '../json-escape';

const DONE: i32 = 0; // the input is used up, but for an unfinished record
const FULL: i32 = 1; // the output has no room for the next record
const UNUSUAL: i32 = 2; // the next record is not for this kernel

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** Longer fields may be over the limit, which counts the value and not its quotes: the careful reader decides. */
const MAX_FIELD: usize = 1 << 20;
/** Room that every step may use without asking: 16 bytes copied, an escape, the end of a record. */
const MARGIN: usize = 64;

/** Where the next record begins; everything before it has been written. */
export let consumed: usize = 0;
/** The end of what was written. */
export let produced: usize = 0;
/** Records written since the start. */
export let rows: f64 = 0;
/** Line breaks passed since the start. */
export let lines: f64 = 0;

let delimiter: u8 = 0;
let columns: i32 = 0;
/** For each column four u32: address and length of what comes before its value, and of what stands for a missing value. */
let table: usize = 0;

/** Sets what stays the same for a whole file. */
export function configure(delimiterByte: i32, columnCount: i32, tableAddress: usize): void {
  delimiter = delimiterByte as u8;
  columns = columnCount;
  table = tableAddress;
  rows = 0;
  lines = 0;
}

/** Converts whole records. 16 line feeds must follow the input: no step reads further, and each stops there. */
export function convert(from: usize, end: usize, isLast: bool, out: usize, outEnd: usize): i32 {
  const limit = outEnd - MARGIN;
  let p = from;
  let o = out;
  while (true) {
    consumed = p;
    produced = o;
    if (p >= end) return DONE;
    let byte = load<u8>(p);
    if (byte === LF || byte === CR) {
      const next = afterBreak(p, end, isLast);
      if (next === 0) return DONE;
      p = next;
      lines += 1;
      continue;
    }

    let breaks = 0;
    let column = 0;
    while (true) {
      if (column === columns) return UNUSUAL;
      const before = table + (column << 4);
      const length = load<u32>(before, 4) as usize;
      if (o + length > limit) return outputFull(out);
      copy(o, load<u32>(before) as usize, length);
      o += length;

      const start = p;
      if (load<u8>(p) === QUOTE) {
        p += 1;
        while (true) {
          if (o > limit) return outputFull(out);
          const block = v128.load(p);
          v128.store(o, block);
          const mask = i8x16.bitmask(
            v128.or(
              v128.or(i8x16.eq(block, i8x16.splat(QUOTE as i8)), i8x16.eq(block, i8x16.splat(BACKSLASH as i8))),
              i8x16.lt_u(block, i8x16.splat(0x20)),
            ),
          );
          if (mask === 0) {
            p += 16;
            o += 16;
            continue;
          }
          const skip = ctz(mask) as usize;
          p += skip;
          o += skip;
          if (p >= end) return isLast ? UNUSUAL : DONE;
          byte = load<u8>(p);
          if (byte === QUOTE) {
            // The line feeds behind the input stand for what may follow a quote; without the end of the file nobody knows.
            if (p + 1 >= end && !isLast) return DONE;
            p += 1;
            if (p >= end || load<u8>(p) !== QUOTE) break;
            o = writeEscape(o, QUOTE);
          } else {
            if (byte === LF) breaks += 1;
            else if (byte === CR) {
              if (p + 1 >= end && !isLast) return DONE;
              if (p + 1 >= end || load<u8>(p, 1) !== LF) breaks += 1;
            }
            o = writeEscape(o, byte);
          }
          p += 1;
        }
        byte = load<u8>(p);
        if (p < end && byte !== delimiter && byte !== LF && byte !== CR) return UNUSUAL;
      } else {
        while (true) {
          if (o > limit) return outputFull(out);
          const block = v128.load(p);
          v128.store(o, block);
          const mask = i8x16.bitmask(
            v128.or(
              v128.or(i8x16.eq(block, i8x16.splat(delimiter as i8)), i8x16.lt_u(block, i8x16.splat(0x20))),
              v128.or(i8x16.eq(block, i8x16.splat(QUOTE as i8)), i8x16.eq(block, i8x16.splat(BACKSLASH as i8))),
            ),
          );
          if (mask === 0) {
            p += 16;
            o += 16;
            continue;
          }
          const skip = ctz(mask) as usize;
          p += skip;
          o += skip;
          byte = load<u8>(p);
          if (p >= end || byte === delimiter || byte === LF || byte === CR) break;
          o = writeEscape(o, byte);
          p += 1;
        }
      }
      if (p - start > MAX_FIELD) return UNUSUAL;
      if (p >= end || byte !== delimiter) break;
      p += 1;
      column += 1;
    }

    if (p < end) {
      const next = afterBreak(p, end, isLast);
      if (next === 0) return DONE;
      p = next;
      breaks += 1;
    } else if (!isLast) return DONE;
    store<u8>(o, QUOTE);
    o += 1;
    while (++column < columns) {
      const missing = table + (column << 4);
      const length = load<u32>(missing, 12) as usize;
      if (o + length > limit) return outputFull(out);
      copy(o, load<u32>(missing, 8) as usize, length);
      o += length;
    }
    store<u16>(o, 0x0a7d); // }\n
    o += 2;
    rows += 1;
    lines += breaks;
  }
}

/** The output is full: come back with an empty one, unless it was empty already. */
function outputFull(out: usize): i32 {
  return produced === out ? UNUSUAL : FULL;
}

/** Behind the line break at `p`; 0 where a carriage return ends the input and a line feed may still come. */
function afterBreak(p: usize, end: usize, isLast: bool): usize {
  if (load<u8>(p) === LF) return p + 1;
  if (p + 1 >= end) return isLast ? p + 1 : 0;
  return load<u8>(p, 1) === LF ? p + 2 : p + 1;
}

/** Copies 16 bytes a turn; what it writes too much is overwritten next. */
function copy(to: usize, from: usize, length: usize): void {
  for (let done: usize = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done));
}
