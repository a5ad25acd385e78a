/**
 * MD4 (RFC 1320), which OpenSSL 3 no longer offers. Broken as a digest; NTLM stores passwords as their MD4, so the protocol needs it for
 * that and nothing else.
 */
export const md4 = (content: Uint8Array): Buffer => {
  const padded = Buffer.alloc(Math.ceil((content.byteLength + 9) / 64) * 64);
  padded.set(content);
  padded[content.byteLength] = 0x80;
  padded.writeBigUInt64LE(BigInt(content.byteLength) * 8n, padded.byteLength - 8);
  let state: State = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
  for (let at = 0; at < padded.byteLength; at += 64) state = mixed(state, padded.subarray(at, at + 64));
  const digest = Buffer.alloc(16);
  state.forEach((word, at) => {
    digest.writeUInt32LE(word >>> 0, at * 4);
  });
  return digest;
};

type State = readonly [number, number, number, number];

interface Round {
  readonly mix: (x: number, y: number, z: number) => number;
  readonly constant: number;
  readonly order: readonly number[];
  readonly shifts: readonly number[];
}

const ROUNDS: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a82_7999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9_eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
];

const mixed = (start: State, block: Buffer): State => {
  let [a, b, c, d] = start;
  for (const { mix, constant, order, shifts } of ROUNDS) {
    order.forEach((word, at) => {
      const sum = (a + mix(b, c, d) + block.readUInt32LE(word * 4) + constant) | 0;
      const shift = shifts[at % 4] ?? 0;
      [a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c];
    });
  }
  return [(start[0] + a) | 0, (start[1] + b) | 0, (start[2] + c) | 0, (start[3] + d) | 0];
};
