import { crc32 } from '../../../hash/crc32.ts';
import type { ByteSource } from '../../byte-source.ts';
import type { EntryStep } from '../libarchive/read-entries.ts';
import type { ForeignInput } from '../unpack.ts';
import type { RarEntry } from './rar-entry.ts';

/** An entry for the reader, and whether anybody wants what it gives. */
export interface LoneRarEntry {
  readonly entry: RarEntry;
  readonly use: EntryStep['use'];
}

/**
 * Presents entries as a rar file of their own, with headers that we write: of the archive, the reader sees packed contents and how they
 * were packed, and nothing else.
 */
export const entriesAlone = (source: ByteSource, lone: readonly LoneRarEntry[]): ForeignInput => {
  const isNew = lone.some(({ entry }) => entry.packing.kind === 'new');
  const start = isNew ? newStart(lone.some(({ entry }) => entry.isSolid)) : oldStart();
  const end = isNew ? newBlock(Buffer.from([5, 0, 0])) : oldBlock(0x7b, 0x4000, Buffer.alloc(0));
  const parts = lone.map(({ entry }, index) => ({ entry, header: headerFor(entry, index) }));
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield start;
    for (const { entry, header } of parts) {
      yield header;
      yield* source.stream({ start: entry.dataAt, end: entry.dataAt + entry.packedSize });
    }
    yield end;
  }
  return {
    format: 'rar',
    bytes: parts.reduce((sum, { entry, header }) => sum + header.byteLength + entry.packedSize, start.byteLength + end.byteLength),
    stream,
    steps: lone.map(({ entry, use }) => ({ size: entry.size, use })),
  };
};

const UNIX_FILE = 0o100644;

/** Neighbours of one name would be taken for parts of one file. */
const headerFor = (entry: RarEntry, index: number): Buffer => {
  const name = Buffer.from(String(index));
  const { size, packedSize, packing } = entry;
  if (packing.kind === 'new')
    return newBlock(
      Buffer.concat([
        Buffer.from([2, 2]),
        varint(packedSize),
        Buffer.from([0]),
        varint(size),
        varint(UNIX_FILE),
        varint(packing.compression),
        Buffer.from([1]),
        varint(name.byteLength),
        name,
      ]),
    );
  const fields = Buffer.concat([
    u32(packedSize),
    u32(size),
    Buffer.from([3]),
    u32(packing.checksum),
    u32(0),
    Buffer.from([packing.packer, packing.method]),
    u16(name.byteLength),
    u32(UNIX_FILE),
    u32(Math.floor(packedSize / 2 ** 32)),
    u32(Math.floor(size / 2 ** 32)),
    name,
  ]);
  return oldBlock(0x74, 0x8100 | packing.window, fields);
};

const oldBlock = (type: number, flags: number, fields: Buffer): Buffer => {
  const header = Buffer.concat([Buffer.from([type]), u16(flags), u16(7 + fields.byteLength), fields]);
  return Buffer.concat([u16(crc32(header) & 0xffff), header]);
};

const oldStart = (): Buffer => Buffer.concat([Buffer.from('Rar!\x1a\x07\x00', 'latin1'), oldBlock(0x73, 0, Buffer.alloc(6))]);

const newBlock = (fields: Buffer): Buffer => {
  const header = Buffer.concat([varint(fields.byteLength), fields]);
  return Buffer.concat([u32(crc32(header)), header]);
};

const newStart = (isSolid: boolean): Buffer =>
  Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), newBlock(Buffer.from([1, 0, isSolid ? 4 : 0]))]);

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 0x80)) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left % 0x80) | 0x80);
  }
};

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
