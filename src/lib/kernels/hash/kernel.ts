// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// A hash of 128 bits that tells contents apart: XXH128, and for up to 240 bytes, which it treats in many other ways, XXH64 under two
// seeds. Not for secrets: collisions can be made on purpose.

const P32_1: u64 = 0x9e3779b1;
const P32_2: u64 = 0x85ebca77;
const P32_3: u64 = 0xc2b2ae3d;
const P1: u64 = ((<u64>0x9e3779b1) << 32) | 0x85ebca87;
const P2: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;
const P3: u64 = ((<u64>0x165667b1) << 32) | 0x9e3779f9;
const P4: u64 = ((<u64>0x85ebca77) << 32) | 0xc2b2ae63;
const P5: u64 = ((<u64>0x27d4eb2f) << 32) | 0x165667c5;
const AVALANCHE: u64 = ((<u64>0x16566791) << 32) | 0x9e3779f9;

const SEED_A: u64 = 0;
const SEED_B: u64 = ((<u64>0x5851f42d) << 32) | 0x4c957f2d;
/** Up to here XXH64. */
const MAX_SHORT: u64 = 240;

const STRIPE: usize = 64;
const STRIPES_PER_BLOCK: usize = 16;
const BLOCK: usize = STRIPE * STRIPES_PER_BLOCK;
const SECRET_BYTES: usize = 192;
const SECRET: usize = memory.data<u8>([
  0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97,
  0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff,
  0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91,
  0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46,
  0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0,
  0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81,
  0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb, 0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b,
  0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28,
  0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
]);
const LAST_SECRET: usize = SECRET + SECRET_BYTES - STRIPE;

let acc0: v128 = i64x2(0, 0);
let acc1: v128 = i64x2(0, 0);
let acc2: v128 = i64x2(0, 0);
let acc3: v128 = i64x2(0, 0);
/** Bytes that were taken, those that are carried too. */
let total: u64 = 0;

/** Begins with new bytes. */
export function begin(): void {
  acc0 = i64x2(P32_3, P1);
  acc1 = i64x2(P2, P3);
  acc2 = i64x2(P4, P32_2);
  acc3 = i64x2(P5, P32_1);
  total = 0;
}

/**
 * Takes the bytes from `from` up to `end`, a multiple of 1024 of them. What comes last is treated differently, so the last 1024 are
 * kept before `from`, where they stand before what is taken next; those of the call before are taken now.
 */
export function add(from: usize, end: usize): void {
  takeBlocks(total === 0 ? from : from - BLOCK, end - BLOCK);
  memory.copy(from - BLOCK, end - BLOCK, BLOCK);
  total += end - from;
}

/** Takes the last bytes, any number of them, and puts the hash to `out`. */
export function finish(from: usize, end: usize, out: usize): void {
  let p = total === 0 ? from : from - BLOCK;
  total += end - from;
  if (total <= MAX_SHORT) {
    store<u64>(out, short(SEED_A, from, end));
    store<u64>(out, short(SEED_B, from, end), 8);
    return;
  }
  const blocksEnd = p + ((end - p - 1) / BLOCK) * BLOCK;
  takeBlocks(p, blocksEnd);
  for (p = blocksEnd; p + STRIPE < end; p += STRIPE) takeStripe(p, SECRET + ((p - blocksEnd) >> 3));
  takeStripe(end - STRIPE, LAST_SECRET - 7);
  store<u64>(out, merged(SECRET + 11, total * P1));
  store<u64>(out, merged(LAST_SECRET - 11, ~(total * P2)), 8);
}

function takeBlocks(from: usize, end: usize): void {
  let a = acc0;
  let b = acc1;
  let c = acc2;
  let d = acc3;
  for (let block = from; block < end; block += BLOCK) {
    let secret = SECRET;
    for (let p = block; p < block + BLOCK; p += STRIPE, secret += 8) {
      a = mixed(a, v128.load(p), v128.load(secret));
      b = mixed(b, v128.load(p, 16), v128.load(secret, 16));
      c = mixed(c, v128.load(p, 32), v128.load(secret, 32));
      d = mixed(d, v128.load(p, 48), v128.load(secret, 48));
    }
    a = scrambled(a, v128.load(LAST_SECRET));
    b = scrambled(b, v128.load(LAST_SECRET, 16));
    c = scrambled(c, v128.load(LAST_SECRET, 32));
    d = scrambled(d, v128.load(LAST_SECRET, 48));
  }
  acc0 = a;
  acc1 = b;
  acc2 = c;
  acc3 = d;
}

function takeStripe(p: usize, secret: usize): void {
  acc0 = mixed(acc0, v128.load(p), v128.load(secret));
  acc1 = mixed(acc1, v128.load(p, 16), v128.load(secret, 16));
  acc2 = mixed(acc2, v128.load(p, 32), v128.load(secret, 32));
  acc3 = mixed(acc3, v128.load(p, 48), v128.load(secret, 48));
}

function mixed(acc: v128, data: v128, secret: v128): v128 {
  const keyed = v128.xor(data, secret);
  const low = v128.shuffle<i32>(keyed, keyed, 0, 2, 0, 2);
  const high = v128.shuffle<i32>(keyed, keyed, 1, 3, 1, 3);
  const swapped = v128.shuffle<i32>(data, data, 2, 3, 0, 1);
  return i64x2.add(i64x2.add(acc, swapped), i64x2.extmul_low_i32x4_u(low, high));
}

function scrambled(acc: v128, secret: v128): v128 {
  const folded = v128.xor(v128.xor(acc, i64x2.shr_u(acc, 47)), secret);
  return i64x2.mul(folded, i64x2.splat(P32_1));
}

function merged(secret: usize, start: u64): u64 {
  let hash = start;
  hash += folded(i64x2.extract_lane(acc0, 0) ^ load<u64>(secret), i64x2.extract_lane(acc0, 1) ^ load<u64>(secret, 8));
  hash += folded(i64x2.extract_lane(acc1, 0) ^ load<u64>(secret, 16), i64x2.extract_lane(acc1, 1) ^ load<u64>(secret, 24));
  hash += folded(i64x2.extract_lane(acc2, 0) ^ load<u64>(secret, 32), i64x2.extract_lane(acc2, 1) ^ load<u64>(secret, 40));
  hash += folded(i64x2.extract_lane(acc3, 0) ^ load<u64>(secret, 48), i64x2.extract_lane(acc3, 1) ^ load<u64>(secret, 56));
  hash = (hash ^ (hash >> 37)) * AVALANCHE;
  return hash ^ (hash >> 32);
}

/** Both halves of the product of 128 bits, one over the other. */
function folded(a: u64, b: u64): u64 {
  const low = (a & 0xffffffff) * (b & 0xffffffff);
  const cross = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  const other = (a & 0xffffffff) * (b >> 32) + (cross & 0xffffffff);
  return ((a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32)) ^ ((other << 32) | (low & 0xffffffff));
}

/** XXH64. */
function short(seed: u64, from: usize, end: usize): u64 {
  let p = from;
  let hash = seed + P5;
  if (end - from >= 32) {
    let s1 = seed + P1 + P2;
    let s2 = seed + P2;
    let s3 = seed;
    let s4 = seed - P1;
    for (; p + 32 <= end; p += 32) {
      s1 = round(s1, load<u64>(p));
      s2 = round(s2, load<u64>(p, 8));
      s3 = round(s3, load<u64>(p, 16));
      s4 = round(s4, load<u64>(p, 24));
    }
    hash = rotl(s1, 1) + rotl(s2, 7) + rotl(s3, 12) + rotl(s4, 18);
    hash = mergeRound(hash, s1);
    hash = mergeRound(hash, s2);
    hash = mergeRound(hash, s3);
    hash = mergeRound(hash, s4);
  }
  hash += end - from;
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

function round(sum: u64, word: u64): u64 {
  return rotl(sum + word * P2, 31) * P1;
}

function mergeRound(hash: u64, sum: u64): u64 {
  return (hash ^ round(0, sum)) * P1 + P4;
}
