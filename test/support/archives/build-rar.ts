import { crc32 } from 'node:zlib';

/** A file in a rar archive, stored as it is. */
export interface RarFile {
  readonly name: string;
  readonly data: string;
}

const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** A rar archive of the older format. */
export const buildRar4 = (files: readonly RarFile[]): Buffer => {
  const block = (type: number, flags: number, fields: Buffer, data = Buffer.alloc(0)) => {
    const header = Buffer.concat([Buffer.from([type]), u16(flags), u16(7 + fields.byteLength), fields]);
    return Buffer.concat([u16(crc32(header) & 0xffff), header, data]);
  };
  const file = ({ name, data }: RarFile) => {
    const bytes = Buffer.from(data);
    const fields = [
      u32(bytes.byteLength),
      u32(bytes.byteLength),
      Buffer.from([3]),
      u32(crc32(bytes)),
      u32(0x58221883),
      Buffer.from([20, 0x30]),
      u16(name.length),
      u32(0o100644),
      Buffer.from(name),
    ];
    return block(0x74, 0x8000, Buffer.concat(fields), bytes);
  };
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x00', 'latin1'),
    block(0x73, 0, Buffer.alloc(6)),
    ...files.map(file),
    block(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
};

/** A rar archive of the newer format. */
export const buildRar5 = (files: readonly RarFile[]): Buffer => {
  const varint = (value: number): Buffer =>
    value < 0x80 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), varint(value >> 7)]);
  const block = (fields: Buffer, data = Buffer.alloc(0)) => {
    const header = Buffer.concat([varint(fields.byteLength), fields]);
    return Buffer.concat([u32(crc32(header)), header, data]);
  };
  const file = ({ name, data }: RarFile) => {
    const bytes = Buffer.from(data);
    const fields = [
      varint(2),
      varint(2),
      varint(bytes.byteLength),
      varint(4),
      varint(bytes.byteLength),
      varint(0o100644),
      u32(crc32(bytes)),
      varint(0),
      varint(1),
      varint(Buffer.byteLength(name)),
      Buffer.from(name),
    ];
    return block(Buffer.concat(fields), bytes);
  };
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'),
    block(Buffer.from([1, 0, 0])),
    ...files.map(file),
    block(Buffer.from([5, 4, 0])),
  ]);
};
