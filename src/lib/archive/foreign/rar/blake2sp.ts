// BLAKE2sp, as RFC 7693 and the tree mode of its authors have it: eight BLAKE2s take turns with blocks of 64 bytes, a ninth sums up.

/** A check sum of newer rar archives. */
export interface Blake2sp {
  update(bytes: Uint8Array): void;
  /** To be asked for once. */
  digest(): Uint8Array;
}

const LANES = 8;
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

export const createBlake2sp = (): Blake2sp => {
  const lanes = Array.from({ length: LANES }, (_, lane) => createNode({ offset: lane, depth: 0, isLast: lane === LANES - 1 }));
  let position = 0;
  return {
    update(bytes) {
      for (let at = 0; at < bytes.byteLength; ) {
        const inBlock = position % BLOCK_BYTES;
        const length = Math.min(BLOCK_BYTES - inBlock, bytes.byteLength - at);
        lanes[Math.floor(position / BLOCK_BYTES) % LANES]?.update(bytes.subarray(at, at + length));
        position += length;
        at += length;
      }
    },
    digest() {
      const root = createNode({ offset: 0, depth: 1, isLast: true });
      for (const lane of lanes) root.update(lane.digest());
      return root.digest();
    },
  };
};

const IV = Int32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);

/** Which words of a block each of the ten rounds takes, as hexadecimal digits. */
const ORDERS = Uint8Array.from(
  [
    '0123456789abcdef',
    'ea489fd61c02b753',
    'b8c052fdae367194',
    '7931dcbe265a40f8',
    '905724afe1bc683d',
    '2c6a0b834d75fe19',
    'c51fed4a0763928b',
    'db7ec13950f4862a',
    '6fe9b308c2d714a5',
    'a2847615fb9e3cd0',
  ].join(''),
  (digit) => Number.parseInt(digit, 16),
);

interface Node {
  readonly offset: number;
  readonly depth: number;
  /** The last one of its level is summed up differently. */
  readonly isLast: boolean;
}

/** One BLAKE2s of the tree. */
const createNode = ({ offset, depth, isLast }: Node): Blake2sp => {
  const hash = IV.slice();
  const parameters = [DIGEST_BYTES | (LANES << 16) | (2 << 24), 0, offset, (depth << 16) | (DIGEST_BYTES << 24)];
  for (const [at, word] of parameters.entries()) hash[at] = (hash[at] ?? 0) ^ word;
  const block = new Uint8Array(BLOCK_BYTES);
  const view = new DataView(block.buffer);
  let held = 0;
  let counted = 0;
  const flush = (isEnd: boolean) => {
    counted += held;
    block.fill(0, held);
    compress(hash, view, counted, { isEnd, isLast: isEnd && isLast });
    held = 0;
  };
  return {
    update(bytes) {
      for (let at = 0; at < bytes.byteLength; ) {
        if (held === BLOCK_BYTES) flush(false); // only now, because the last block is marked
        const length = Math.min(BLOCK_BYTES - held, bytes.byteLength - at);
        block.set(bytes.subarray(at, at + length), held);
        held += length;
        at += length;
      }
    },
    digest() {
      flush(true);
      const out = Buffer.alloc(DIGEST_BYTES);
      for (const [at, word] of hash.entries()) out.writeInt32LE(word, at * 4);
      return out;
    },
  };
};

interface Finality {
  readonly isEnd: boolean;
  readonly isLast: boolean;
}

const words = new Int32Array(BLOCK_BYTES / 4);
const state = new Int32Array(16);

const compress = (hash: Int32Array, view: DataView, counted: number, { isEnd, isLast }: Finality): void => {
  for (let at = 0; at < words.length; at += 1) words[at] = view.getInt32(at * 4, true);
  state.set(hash);
  state.set(IV, 8);
  state[12] = (state[12] ?? 0) ^ (counted | 0);
  state[13] = (state[13] ?? 0) ^ Math.floor(counted / 2 ** 32);
  if (isEnd) state[14] = ~(state[14] ?? 0);
  if (isLast) state[15] = ~(state[15] ?? 0);
  for (let round = 0; round < ORDERS.length; round += 16) {
    mix(0, 4, 8, 12, wordFor(round), wordFor(round + 1));
    mix(1, 5, 9, 13, wordFor(round + 2), wordFor(round + 3));
    mix(2, 6, 10, 14, wordFor(round + 4), wordFor(round + 5));
    mix(3, 7, 11, 15, wordFor(round + 6), wordFor(round + 7));
    mix(0, 5, 10, 15, wordFor(round + 8), wordFor(round + 9));
    mix(1, 6, 11, 12, wordFor(round + 10), wordFor(round + 11));
    mix(2, 7, 8, 13, wordFor(round + 12), wordFor(round + 13));
    mix(3, 4, 9, 14, wordFor(round + 14), wordFor(round + 15));
  }
  for (let at = 0; at < hash.length; at += 1) hash[at] = (hash[at] ?? 0) ^ (state[at] ?? 0) ^ (state[at + 8] ?? 0);
};

const wordFor = (place: number): number => words[ORDERS[place] ?? 0] ?? 0;

const mix = (pa: number, pb: number, pc: number, pd: number, first: number, second: number): void => {
  let a = state[pa] ?? 0;
  let b = state[pb] ?? 0;
  let c = state[pc] ?? 0;
  let d = state[pd] ?? 0;
  a = (a + b + first) | 0;
  d = turn(d ^ a, 16);
  c = (c + d) | 0;
  b = turn(b ^ c, 12);
  a = (a + b + second) | 0;
  d = turn(d ^ a, 8);
  c = (c + d) | 0;
  b = turn(b ^ c, 7);
  state[pa] = a;
  state[pb] = b;
  state[pc] = c;
  state[pd] = d;
};

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
