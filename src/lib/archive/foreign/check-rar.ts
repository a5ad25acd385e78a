import { crc32 } from 'node:zlib';
import { broken } from '../broken.ts';

const RAR5 = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1');
const RAR4_MARK_BYTES = 7;
const RAR4_HEADER_BYTES = 7;
const RAR4_TYPES = { entry: 0x74, end: 0x7b };
const RAR4_HAS_DATA = 0x8000;
const RAR5_TYPES = { entry: 2, end: 5 };

/** Walks over the blocks of a rar archive and counts its entries, so that one that is cut or damaged is noticed. */
export const checkRar = (bytes: Buffer): number => {
  const isNew = bytes.subarray(0, RAR5.byteLength).equals(RAR5);
  let at = isNew ? RAR5.byteLength : RAR4_MARK_BYTES;
  let entries = 0;
  for (;;) {
    const block = isNew ? newBlock(bytes, at) : oldBlock(bytes, at);
    if (block.end > bytes.byteLength || block.end <= at) throw damaged();
    if (block.kind === 'end') return entries;
    if (block.kind === 'entry') entries += 1;
    at = block.end;
  }
};

interface Block {
  readonly end: number;
  readonly kind: 'entry' | 'end' | 'other';
}

const kindOf = (type: number, { entry, end }: { readonly entry: number; readonly end: number }): Block['kind'] => {
  if (type === end) return 'end';
  return type === entry ? 'entry' : 'other';
};

const oldBlock = (bytes: Buffer, at: number): Block => {
  if (at + RAR4_HEADER_BYTES > bytes.byteLength) throw damaged();
  const type = bytes.readUInt8(at + 2);
  const size = bytes.readUInt16LE(at + 5);
  if ((crc32(bytes.subarray(at + 2, at + size)) & 0xffff) !== bytes.readUInt16LE(at) || size < RAR4_HEADER_BYTES) throw damaged();
  const hasData = (bytes.readUInt16LE(at + 3) & RAR4_HAS_DATA) !== 0;
  const dataBytes = hasData && size >= RAR4_HEADER_BYTES + 4 ? bytes.readUInt32LE(at + RAR4_HEADER_BYTES) : 0;
  return { end: at + size + dataBytes, kind: kindOf(type, RAR4_TYPES) };
};

const newBlock = (bytes: Buffer, at: number): Block => {
  if (at + 7 > bytes.byteLength) throw damaged();
  const size = varint(bytes, at + 4);
  const end = size.next + size.value;
  if (end > bytes.byteLength || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32LE(at)) throw damaged();
  const type = varint(bytes, size.next);
  const flags = varint(bytes, type.next);
  const extra = (flags.value & 1) === 0 ? { value: 0, next: flags.next } : varint(bytes, flags.next);
  const data = (flags.value & 2) === 0 ? 0 : varint(bytes, extra.next).value;
  return { end: end + data, kind: kindOf(type.value, RAR5_TYPES) };
};

/** Seven bits in each byte, the lowest first. */
const varint = (bytes: Buffer, at: number): { readonly value: number; readonly next: number } => {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, next: at + index + 1 };
  }
  throw damaged();
};

const damaged = () => broken('is a damaged or cut rar file');
