import { createCipheriv } from 'node:crypto';

const BLOCK = 16;
const ZERO = Buffer.alloc(BLOCK);
/** How much is encrypted at a time: the output is thrown away but for its last block, and should stay small. */
const STRIDE = 64 * 1024;

/** AES-CMAC (RFC 4493) over some pieces, which OpenSSL has and Node does not reach: AES-CBC, of which the last block counts. */
export const cmac = (key: Buffer, pieces: readonly Buffer[]): Buffer => {
  const cipher = createCipheriv('aes-128-cbc', key, ZERO).setAutoPadding(false);
  const total = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  // The last block, whole or not, is mixed with a key of its own; all others go through as they are.
  const lastBytes = total === 0 ? 0 : ((total - 1) % BLOCK) + 1;
  const last = Buffer.alloc(BLOCK);
  let at = 0;
  for (const piece of pieces) {
    const plain = piece.subarray(0, Math.max(0, total - lastBytes - at));
    for (let from = 0; from < plain.byteLength; from += STRIDE) cipher.update(plain.subarray(from, from + STRIDE));
    const rest = piece.subarray(plain.byteLength);
    if (rest.byteLength > 0) last.set(rest, at + plain.byteLength - (total - lastBytes));
    at += piece.byteLength;
  }
  const subkeys = subkeysOf(key);
  if (lastBytes < BLOCK) last[lastBytes] = 0x80;
  const mask = lastBytes === BLOCK ? subkeys.whole : subkeys.padded;
  for (let byte = 0; byte < BLOCK; byte += 1) last[byte] = (last[byte] ?? 0) ^ (mask[byte] ?? 0);
  return cipher.update(last);
};

const subkeysOf = (key: Buffer): { readonly whole: Buffer; readonly padded: Buffer } => {
  const whole = doubled(createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(ZERO));
  return { whole, padded: doubled(whole) };
};

/** Times x in the field of 2^128. */
const doubled = (block: Buffer): Buffer => {
  const out = Buffer.alloc(BLOCK);
  for (let at = 0; at < BLOCK; at += 1) out[at] = ((block[at] ?? 0) << 1) | ((block[at + 1] ?? 0) >> 7);
  if (((block[0] ?? 0) & 0x80) !== 0) out[BLOCK - 1] = (out[BLOCK - 1] ?? 0) ^ 0x87;
  return out;
};
