/** RC4, which OpenSSL 3 no longer offers. NTLM wraps one random key with it; nothing else is encrypted with it here. */
export const rc4 = (key: Uint8Array, content: Uint8Array): Buffer => {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, two: number): void => {
    const kept = at(one);
    state[one & 255] = at(two);
    state[two & 255] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.byteLength] ?? 0)) & 255;
    swap(i, j);
  }
  const out = Buffer.alloc(content.byteLength);
  for (let n = 0, i = 0, j = 0; n < content.byteLength; n += 1) {
    i = (i + 1) & 255;
    j = (j + at(i)) & 255;
    swap(i, j);
    out[n] = (content[n] ?? 0) ^ at(at(i) + at(j));
  }
  return out;
};
