import type { ByteSource } from '../byte-source.ts';
import { endRecords } from './records.ts';
import type { ZipEntry } from './zip-entry.ts';

const NAME = Buffer.from('entry');
const LIMIT_32 = 0xffffffff;
const FLAG_UTF8 = 0x800;

/** Presents one entry as a zip file of its own, so that a library which wants a whole file sees nothing that was not judged. */
export const loneEntry = (source: ByteSource, entry: ZipEntry, contentAt: number): ByteSource => {
  const before = Buffer.concat([u32(0x04034b50), u16(51), common(entry), nameAndExtra(entry), NAME, extraOf(entry)]);
  const contentEnd = before.byteLength + entry.packedSize;
  const central = Buffer.concat([
    u32(0x02014b50),
    u16(51),
    u16(51),
    common(entry),
    nameAndExtra(entry),
    u16(0),
    u16(0),
    u16(0),
    u32(0),
    u32(0),
    NAME,
    extraOf(entry),
  ]);
  const after = Buffer.concat([central, endRecords({ count: 1, size: central.byteLength, offset: contentEnd })]);
  const size = contentEnd + after.byteLength;

  const readAt = async (into: Uint8Array, position: number): Promise<number> => {
    if (position >= size) return 0;
    if (position < before.byteLength) return copy(before.subarray(position), into);
    if (position >= contentEnd) return copy(after.subarray(position - contentEnd), into);
    return source.readAt(into.subarray(0, contentEnd - position), contentAt + position - before.byteLength);
  };

  return {
    size,
    async readAt(into, position) {
      let filled = 0;
      while (filled < into.byteLength) {
        const read = await readAt(into.subarray(filled), position + filled);
        if (read === 0) break;
        filled += read;
      }
      return filled;
    },
    async *stream() {
      yield before;
      if (entry.packedSize > 0) yield* source.stream({ start: contentAt, end: contentAt + entry.packedSize });
      yield after;
    },
  };
};

const copy = (from: Buffer, into: Uint8Array): number => from.copy(into);

/** Flags, method, times, check sum and sizes as the entry has them; sizes that need it stand in the wide field. */
const common = ({ flags, method, dosTime, dosDate, checksum, packedSize, size }: ZipEntry): Buffer =>
  Buffer.concat([
    u16(flags & ~FLAG_UTF8),
    u16(method),
    u16(dosTime),
    u16(dosDate),
    u32(checksum),
    u32(Math.min(packedSize, LIMIT_32)),
    u32(Math.min(size, LIMIT_32)),
  ]);

const nameAndExtra = (entry: ZipEntry): Buffer => Buffer.concat([u16(NAME.byteLength), u16(extraOf(entry).byteLength)]);

/** What encryption needs to know, and sizes of 4 GiB and more. */
const extraOf = ({ aesField, size, packedSize }: ZipEntry): Buffer => {
  const wide = [size, packedSize].filter((value) => value >= LIMIT_32);
  const fields = [
    ...(wide.length > 0 ? [u16(0x0001), u16(wide.length * 8), ...wide.map(u64)] : []),
    ...(aesField === undefined ? [] : [u16(0x9901), u16(aesField.byteLength), aesField]),
  ];
  return Buffer.concat(fields);
};

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
