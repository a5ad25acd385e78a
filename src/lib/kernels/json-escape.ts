// @ts-nocheck AssemblyScript, not TypeScript: a part of the kernels that write JSON.

const BACKSLASH: u8 = 0x5c;

/** Writes a byte as JSON must show it; gives the place behind it. */
export function writeEscape(o: usize, byte: u8): usize {
  store<u8>(o, BACKSLASH);
  let short: u8 = 0;
  if (byte === 0x22 || byte === BACKSLASH) short = byte;
  else if (byte === 0x0a) short = 0x6e;
  else if (byte === 0x0d) short = 0x72;
  else if (byte === 0x09) short = 0x74;
  else if (byte === 0x08) short = 0x62;
  else if (byte === 0x0c) short = 0x66;
  if (short !== 0) {
    store<u8>(o, short, 1);
    return o + 2;
  }
  store<u32>(o, 0x30303075, 1); // u000
  store<u8>(o, byte < 16 ? 0x30 : 0x31, 4);
  const low: u8 = byte & 15;
  store<u8>(o, low < 10 ? 0x30 + low : 0x57 + low, 5);
  return o + 6;
}
