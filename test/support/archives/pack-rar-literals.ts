// Packs bytes as both rar formats do, without looking for repetitions: a table in which every byte has a code, then the codes.

/** Bits, the highest of a byte first. */
const bitWriter = () => {
  let text = '';
  return {
    put(value: number, length: number) {
      text += value.toString(2).padStart(length, '0');
    },
    length: () => text.length,
    bytes: () => Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))),
  };
};
type BitWriter = ReturnType<typeof bitWriter>;

/** A table of lengths below twelve, itself packed with a code: some readers want every combination of bits to mean something. */
const putTable = (bits: BitWriter, symbols: number, lengthOf: (symbol: number) => number): void => {
  for (let code = 0; code < 20; code += 1) bits.put(code < 12 ? 4 : 5, 4);
  for (let symbol = 0; symbol < symbols; symbol += 1) bits.put(lengthOf(symbol), 4);
};

const RAR4_SYMBOLS = 299 + 60 + 17 + 28;
const RAR5_SYMBOLS = 306 + 64 + 16 + 44;
const END_OF_FILE = 256;

/** A content as the older format packs it. */
export const packRar4Literals = (content: Uint8Array): Buffer => {
  const bits = bitWriter();
  bits.put(0, 2); // no PPMd, no table from before
  // Here too nothing may be left over: two symbols have nine bits, the others eight.
  const put = (symbol: number) => (symbol < 255 ? bits.put(symbol, 8) : bits.put(255 + symbol, 9));
  putTable(bits, RAR4_SYMBOLS, (symbol) => (symbol < 255 ? 8 : symbol <= END_OF_FILE ? 9 : 0));
  for (const byte of content) put(byte);
  put(END_OF_FILE);
  bits.put(0, 2); // the file ends, and no other follows
  return bits.bytes();
};

/** The only block of a content as the newer format packs it. */
const rar5Block = (bits: BitWriter): Buffer => {
  const data = bits.bytes();
  const size = Buffer.alloc(3);
  size.writeUIntLE(data.byteLength, 0, 3);
  const flags = 0xc0 | (2 << 3) | ((bits.length() - 1) % 8);
  const checksum = [flags, ...size].reduce((sum, byte) => sum ^ byte, 0x5a);
  return Buffer.concat([Buffer.from([flags, checksum]), size, data]);
};

/** A content as the newer format packs it. */
export const packRar5Literals = (content: Uint8Array): Buffer => {
  const bits = bitWriter();
  putTable(bits, RAR5_SYMBOLS, (symbol) => (symbol < 256 ? 9 : 0));
  for (const byte of content) bits.put(byte, 9);
  return rar5Block(bits);
};

const FILTER = 256;

/** What keeps readers of the newer format busy for ever: a filter over more than half of the window, and fewer bytes than it waits for. */
export const packRar5WithoutEnd = (): Buffer => {
  const bits = bitWriter();
  putTable(bits, RAR5_SYMBOLS, (symbol) => (symbol === 0 || symbol === FILTER ? 1 : 0));
  bits.put(1, 1); // the filter
  bits.put(0, 2); // begins here, which is a number of one byte
  bits.put(0, 8);
  bits.put(2, 2); // and is 100,000 bytes long, a number of three
  for (const byte of [0xa0, 0x86, 0x01]) bits.put(byte, 8);
  bits.put(3, 3); // for programs of ARM processors
  for (let at = 0; at < 66_400; at += 1) bits.put(0, 1); // a byte each
  return rar5Block(bits);
};
