import type { ContentHash } from './content-hash.ts';

/**
 * The hash of the kernel without WebAssembly, step by step the same: threads with and without it must agree on what is equal. It is a hundred
 * times slower.
 */
export const createPlainHash = (blockBytes: number): ContentHash => {
  const memory = Buffer.alloc(UNIT_BYTES + blockBytes); // the unit before the block holds the last one of the block before
  const sums = new BigUint64Array(8); // what is put in here is cut to 64 bits
  const words = new Uint32Array(4);
  let total = 0;

  const takeStripe = (at: number, secretAt: number) => {
    for (let lane = 0; lane < 8; lane += 1) {
      const data = memory.readBigUInt64LE(at + 8 * lane);
      const keyed = data ^ SECRET.readBigUInt64LE(secretAt + 8 * lane);
      sums[lane] = sumAt(lane) + (keyed & LOW) * (keyed >> 32n);
      sums[lane ^ 1] = sumAt(lane ^ 1) + data;
    }
  };
  const takeUnits = (from: number, end: number) => {
    for (let unit = from; unit < end; unit += UNIT_BYTES) {
      for (let stripe = 0; stripe < UNIT_BYTES / STRIPE_BYTES; stripe += 1) takeStripe(unit + stripe * STRIPE_BYTES, 8 * stripe);
      for (let lane = 0; lane < 8; lane += 1) {
        const sum = sumAt(lane);
        sums[lane] = (sum ^ (sum >> 47n) ^ SECRET.readBigUInt64LE(LAST_SECRET + 8 * lane)) * P32_1;
      }
    }
  };
  const sumAt = (lane: number): bigint => sums[lane] ?? 0n;
  const merged = (secretAt: number, start: bigint): bigint => {
    let hash = start;
    for (let lane = 0; lane < 8; lane += 2) {
      const product =
        (sumAt(lane) ^ SECRET.readBigUInt64LE(secretAt + 8 * lane)) * (sumAt(lane + 1) ^ SECRET.readBigUInt64LE(secretAt + 8 * lane + 8));
      hash = cut(hash + (cut(product) ^ (product >> 64n)));
    }
    hash = cut((hash ^ (hash >> 37n)) * AVALANCHE);
    return hash ^ (hash >> 32n);
  };
  const put = (first: bigint, second: bigint) => {
    words.set([Number(first & LOW), Number(first >> 32n), Number(second & LOW), Number(second >> 32n)]);
  };

  return {
    block: memory.subarray(UNIT_BYTES),
    words,
    begin() {
      sums.set([P32_3, P1, P2, P3, P4, P32_2, P5, P32_1]);
      total = 0;
    },
    addBlock() {
      takeUnits(total === 0 ? UNIT_BYTES : 0, blockBytes);
      memory.copyWithin(0, blockBytes, blockBytes + UNIT_BYTES);
      total += blockBytes;
    },
    end(bytes) {
      const from = total === 0 ? UNIT_BYTES : 0;
      const end = UNIT_BYTES + bytes;
      total += bytes;
      if (total <= MAX_SHORT) {
        const content = memory.subarray(UNIT_BYTES, end);
        put(shortHash(SEED_A, content), shortHash(SEED_B, content));
        return;
      }
      const unitsEnd = from + Math.floor((end - from - 1) / UNIT_BYTES) * UNIT_BYTES;
      takeUnits(from, unitsEnd);
      for (let at = unitsEnd; at + STRIPE_BYTES < end; at += STRIPE_BYTES) takeStripe(at, (at - unitsEnd) >> 3);
      takeStripe(end - STRIPE_BYTES, LAST_SECRET - 7);
      put(merged(11, cut(BigInt(total) * P1)), merged(LAST_SECRET - 11, cut(~(BigInt(total) * P2))));
    },
  };
};

const UNIT_BYTES = 1024;
const STRIPE_BYTES = 64;
const LOW = 0xffffffffn;
const P32_1 = 0x9e3779b1n;
const P32_2 = 0x85ebca77n;
const P32_3 = 0xc2b2ae3dn;
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const AVALANCHE = 0x165667919e3779f9n;
const SEED_A = 0n;
const SEED_B = 0x5851f42d4c957f2dn;
const MAX_SHORT = 240;
const SECRET = Buffer.from(
  'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c' +
    '3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364' +
    'eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
  'hex',
);
const LAST_SECRET = SECRET.byteLength - STRIPE_BYTES;

const cut = (value: bigint): bigint => BigInt.asUintN(64, value);
const turned = (value: bigint, bits: bigint): bigint => cut((value << bits) | (value >> (64n - bits)));
const round = (sum: bigint, word: bigint): bigint => cut(turned(cut(sum + word * P2), 31n) * P1);

/** XXH64. */
const shortHash = (seed: bigint, content: Buffer): bigint => {
  let at = 0;
  let hash = cut(seed + P5);
  if (content.byteLength >= 32) {
    const lanes = [cut(seed + P1 + P2), cut(seed + P2), seed, cut(seed - P1)];
    for (; at + 32 <= content.byteLength; at += 32) {
      for (const [lane, sum] of lanes.entries()) lanes[lane] = round(sum, content.readBigUInt64LE(at + 8 * lane));
    }
    const turns = [1n, 7n, 12n, 18n];
    hash = cut(lanes.reduce((sum, lane, index) => sum + turned(lane, turns[index] ?? 0n), 0n));
    for (const lane of lanes) hash = cut((hash ^ round(0n, lane)) * P1 + P4);
  }
  hash = cut(hash + BigInt(content.byteLength));
  for (; at + 8 <= content.byteLength; at += 8) hash = cut(turned(hash ^ round(0n, content.readBigUInt64LE(at)), 27n) * P1 + P4);
  if (at + 4 <= content.byteLength) {
    hash = cut(turned(hash ^ cut(BigInt(content.readUInt32LE(at)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < content.byteLength; at += 1) hash = cut(turned(hash ^ cut(BigInt(content.readUInt8(at)) * P5), 11n) * P1);
  hash = cut((hash ^ (hash >> 33n)) * P2);
  hash = cut((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
};
