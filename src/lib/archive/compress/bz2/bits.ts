/** Bits that need not end with a byte; what is left of the last byte is zero. */
export interface Bits {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** A number as bits, its highest first. */
export const bitsOf = (value: bigint, length: number): Bits => {
  const whole = Math.ceil(length / 8) * 8;
  return { bytes: Buffer.from((value << BigInt(whole - length)).toString(16).padStart(whole / 4, '0'), 'hex'), length };
};

/** Puts bits behind each other. */
export const joinBits = (parts: readonly Bits[]): Bits => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.ceil(length / 8) + 1);
  let at = 0;
  for (const part of parts) {
    const shift = at & 7;
    let to = at >> 3;
    for (const byte of part.bytes.subarray(0, Math.ceil(part.length / 8))) {
      bytes[to] = (bytes[to] ?? 0) | (byte >> shift);
      to += 1;
      bytes[to] = (byte << (8 - shift)) & 0xff;
    }
    at += part.length;
  }
  return { bytes: bytes.subarray(0, Math.ceil(length / 8)), length };
};

/** The bits from `start` to `end` of some bytes. */
export const sliceBits = (bytes: Uint8Array, start: number, end: number): Bits => {
  const shift = start & 7;
  const from = start >> 3;
  const length = end - start;
  const out = new Uint8Array(Math.ceil(length / 8));
  for (let at = 0; at < out.byteLength; at += 1)
    out[at] = (((bytes[from + at] ?? 0) << shift) | ((bytes[from + at + 1] ?? 0) >> (8 - shift))) & 0xff;
  const surplus = out.byteLength * 8 - length;
  if (surplus > 0) out[out.byteLength - 1] = (out.at(-1) ?? 0) & (0xff << surplus);
  return { bytes: out, length };
};
