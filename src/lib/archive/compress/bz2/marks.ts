/** What begins each block, and what ends a stream: digits of pi and of its square root. */
export const BLOCK_MARK = 0x314159265359n;
export const END_MARK = 0x177245385090n;
export const MARK_BITS = 48;

const MARKS = [BLOCK_MARK, END_MARK] as const;

/**
 * For three bytes in a row that a mark covers wholly, wherever it begins in the byte before them: which marks at which bit these
 * bytes leave possible. Nearly everything is ruled out by looking up three bytes.
 */
const POSSIBLE = [1, 2, 3].map((place) => {
  const table = new Uint16Array(256);
  for (const [which, mark] of MARKS.entries()) {
    for (let bit = 0; bit < 8; bit += 1) {
      const covered = Number((mark >> BigInt(MARK_BITS - 8 * place + bit - 8)) & 0xffn);
      table[covered] = (table[covered] ?? 0) | (1 << (which * 8 + bit));
    }
  }
  return table;
});
const [FIRST = new Uint16Array(256), SECOND = new Uint16Array(256), THIRD = new Uint16Array(256)] = POSSIBLE;

/** The bit where the next mark begins, at or after the byte `from`; undefined if there is none. */
export const findMark = (bytes: Buffer, from: number): number | undefined => {
  for (let at = from; at + 7 <= bytes.byteLength; at += 1) {
    const possible = (FIRST[bytes[at + 1] ?? 0] ?? 0) & (SECOND[bytes[at + 2] ?? 0] ?? 0) & (THIRD[bytes[at + 3] ?? 0] ?? 0);
    if (possible === 0) continue;
    for (let bit = 0; bit < 8; bit += 1) {
      if ((possible & (0x101 << bit)) !== 0 && isMark(bitsAt(bytes, at * 8 + bit, MARK_BITS))) return at * 8 + bit;
    }
  }
  return undefined;
};

const isMark = (value: bigint): boolean => value === BLOCK_MARK || value === END_MARK;

/** Up to 48 bits as a number; missing ones count as zero. */
export const bitsAt = (bytes: Uint8Array, bit: number, length: number): bigint => {
  const from = bit >> 3;
  let value = 0n;
  for (let at = from; at < from + 7; at += 1) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return (value >> BigInt(56 - (bit & 7) - length)) & ((1n << BigInt(length)) - 1n);
};
