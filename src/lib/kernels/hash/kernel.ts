// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// XXH64 of the same bytes under two seeds at once: 128 bits that tell contents apart. Not for secrets: collisions can be made on purpose.

const P1: u64 = ((<u64>0x9e3779b1) << 32) | 0x85ebca87;
const P2: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;
const P3: u64 = ((<u64>0x165667b1) << 32) | 0x9e3779f9;
const P4: u64 = ((<u64>0x85ebca77) << 32) | 0xc2b2ae63;
const P5: u64 = ((<u64>0x27d4eb2f) << 32) | 0x165667c5;

const SEED_A: u64 = 0;
const SEED_B: u64 = ((<u64>0x5851f42d) << 32) | 0x4c957f2d;
const STRIPE: usize = 32;

let a1: u64 = 0;
let a2: u64 = 0;
let a3: u64 = 0;
let a4: u64 = 0;
let b1: u64 = 0;
let b2: u64 = 0;
let b3: u64 = 0;
let b4: u64 = 0;
let total: u64 = 0;

/** Begins with new bytes. */
export function begin(): void {
  a1 = SEED_A + P1 + P2;
  a2 = SEED_A + P2;
  a3 = SEED_A;
  a4 = SEED_A - P1;
  b1 = SEED_B + P1 + P2;
  b2 = SEED_B + P2;
  b3 = SEED_B;
  b4 = SEED_B - P1;
  total = 0;
}

/** Takes the bytes from `from` up to `end`, a multiple of 32 of them. */
export function add(from: usize, end: usize): void {
  total += end - from;
  let x1 = a1;
  let x2 = a2;
  let x3 = a3;
  let x4 = a4;
  let y1 = b1;
  let y2 = b2;
  let y3 = b3;
  let y4 = b4;
  for (let p = from; p < end; p += STRIPE) {
    const w1 = load<u64>(p) * P2;
    const w2 = load<u64>(p, 8) * P2;
    const w3 = load<u64>(p, 16) * P2;
    const w4 = load<u64>(p, 24) * P2;
    x1 = rotl(x1 + w1, 31) * P1;
    x2 = rotl(x2 + w2, 31) * P1;
    x3 = rotl(x3 + w3, 31) * P1;
    x4 = rotl(x4 + w4, 31) * P1;
    y1 = rotl(y1 + w1, 31) * P1;
    y2 = rotl(y2 + w2, 31) * P1;
    y3 = rotl(y3 + w3, 31) * P1;
    y4 = rotl(y4 + w4, 31) * P1;
  }
  a1 = x1;
  a2 = x2;
  a3 = x3;
  a4 = x4;
  b1 = y1;
  b2 = y2;
  b3 = y3;
  b4 = y4;
}

/** Takes the last bytes, any number of them, and puts both hashes to `out`. */
export function finish(from: usize, end: usize, out: usize): void {
  const rest = from + ((end - from) & ~(STRIPE - 1));
  if (rest > from) add(from, rest);
  const isLong = total >= STRIPE;
  total += end - rest;
  store<u64>(out, tail(isLong ? merged(a1, a2, a3, a4) : SEED_A + P5, rest, end));
  store<u64>(out, tail(isLong ? merged(b1, b2, b3, b4) : SEED_B + P5, rest, end), 8);
}

function round(sum: u64, word: u64): u64 {
  return rotl(sum + word * P2, 31) * P1;
}

function mergeRound(hash: u64, sum: u64): u64 {
  return (hash ^ round(0, sum)) * P1 + P4;
}

function merged(s1: u64, s2: u64, s3: u64, s4: u64): u64 {
  let hash = rotl(s1, 1) + rotl(s2, 7) + rotl(s3, 12) + rotl(s4, 18);
  hash = mergeRound(hash, s1);
  hash = mergeRound(hash, s2);
  hash = mergeRound(hash, s3);
  return mergeRound(hash, s4);
}

function tail(start: u64, from: usize, end: usize): u64 {
  let hash = start + total;
  let p = from;
  for (; p + 8 <= end; p += 8) hash = rotl(hash ^ round(0, load<u64>(p)), 27) * P1 + P4;
  if (p + 4 <= end) {
    hash = rotl(hash ^ (<u64>load<u32>(p) * P1), 23) * P2 + P3;
    p += 4;
  }
  for (; p < end; p += 1) hash = rotl(hash ^ (<u64>load<u8>(p) * P5), 11) * P1;
  hash = (hash ^ (hash >> 33)) * P2;
  hash = (hash ^ (hash >> 29)) * P3;
  return hash ^ (hash >> 32);
}
