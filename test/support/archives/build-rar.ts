import { crc32 } from 'node:zlib';
import { packRar4Literals, packRar5Literals } from './pack-rar-literals.ts';

/** A file in a rar archive; without further words stored as it is. */
export interface RarFile {
  readonly name: string | Buffer;
  readonly data: string | Buffer;
  readonly isPacked?: boolean;
  /** The packed content where `data` is not what it should give. */
  readonly packed?: Buffer;
  /** What the header says of the content where that is not true. */
  readonly size?: number;
  readonly checksum?: number | 'none';
  readonly mode?: number;
  /** Added to the flags of the block. */
  readonly flags?: number;
  /** Records of the newer format: number and content. */
  readonly extra?: readonly (readonly [number, Buffer])[];
  readonly packer?: number;
}

/** Flags of the whole. */
export interface RarFlags {
  readonly main?: number;
  readonly end?: number;
}

const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const FILE_MODE = 0o100644;

/** A rar archive of the older format. */
export const buildRar4 = (files: readonly RarFile[], { main = 0, end = 0 }: RarFlags = {}): Buffer => {
  const block = (type: number, flags: number, fields: Buffer, data: Buffer = Buffer.alloc(0)) => {
    const header = Buffer.concat([Buffer.from([type]), u16(flags), u16(7 + fields.byteLength), fields]);
    return Buffer.concat([u16(crc32(header) & 0xffff), header, data]);
  };
  const file = ({
    name,
    data,
    packed,
    isPacked = packed !== undefined,
    size,
    checksum,
    mode = FILE_MODE,
    flags = 0,
    packer = 29,
  }: RarFile) => {
    const content = Buffer.from(data);
    const bytes = packed ?? (isPacked ? packRar4Literals(content) : content);
    const fields = [
      u32(bytes.byteLength),
      u32(size ?? content.byteLength),
      Buffer.from([3]),
      u32(typeof checksum === 'number' ? checksum : crc32(content)),
      u32(0x58221883),
      Buffer.from([packer, isPacked ? 0x33 : 0x30]),
      u16(Buffer.from(name).byteLength),
      u32(mode),
      Buffer.from(name),
    ];
    return block(0x74, 0x8000 | flags, Buffer.concat(fields), bytes);
  };
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x00', 'latin1'),
    block(0x73, main, Buffer.alloc(6)),
    ...files.map(file),
    block(0x7b, 0x4000 | end, Buffer.alloc(0)),
  ]);
};

/** A number of the newer format. */
export const rarNumber = (value: number): Buffer =>
  value < 0x80 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), rarNumber(Math.floor(value / 0x80))]);

/** A rar archive of the newer format. */
export const buildRar5 = (files: readonly RarFile[], { main = 0, end = 0 }: RarFlags = {}): Buffer => {
  const block = (fields: Buffer, data: Buffer = Buffer.alloc(0)) => {
    const header = Buffer.concat([rarNumber(fields.byteLength), fields]);
    return Buffer.concat([u32(crc32(header)), header, data]);
  };
  const record = ([type, content]: readonly [number, Buffer]) => {
    const bytes = Buffer.concat([rarNumber(type), content]);
    return Buffer.concat([rarNumber(bytes.byteLength), bytes]);
  };
  const file = ({
    name,
    data,
    packed,
    isPacked = packed !== undefined,
    size,
    checksum,
    mode = FILE_MODE,
    flags = 0,
    extra = [],
  }: RarFile) => {
    const content = Buffer.from(data);
    const bytes = packed ?? (isPacked ? packRar5Literals(content) : content);
    const records = Buffer.concat(extra.map(record));
    const fields = [
      rarNumber(2),
      rarNumber(2 | flags | (records.byteLength > 0 ? 1 : 0)),
      ...(records.byteLength > 0 ? [rarNumber(records.byteLength)] : []),
      rarNumber(bytes.byteLength),
      rarNumber(checksum === 'none' ? 0 : 4),
      rarNumber(size ?? content.byteLength),
      rarNumber(mode),
      ...(checksum === 'none' ? [] : [u32(checksum ?? crc32(content))]),
      rarNumber(isPacked ? 3 << 7 : 0),
      rarNumber(1),
      rarNumber(Buffer.from(name).byteLength),
      Buffer.from(name),
      records,
    ];
    return block(Buffer.concat(fields), bytes);
  };
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'),
    block(Buffer.concat([Buffer.from([1, 0]), rarNumber(main)])),
    ...files.map(file),
    block(Buffer.concat([Buffer.from([5, 4]), rarNumber(end)])),
  ]);
};
