import { crc32 } from '../../../hash/crc32.ts';
import type { ByteSource } from '../../byte-source.ts';
import type { ForeignInput } from '../unpack.ts';
import { numberBytes } from './seven-fields.ts';
import type { Folder, Pack } from './streams.ts';

const ID = {
  end: 0,
  header: 1,
  mainStreams: 4,
  files: 5,
  packInfo: 6,
  unpackInfo: 7,
  contents: 8,
  size: 9,
  folder: 11,
  unpackSize: 12,
  names: 17,
};

/**
 * Presents folders as a 7z file of their own, each as one file: the reader sees nothing but packed streams and how they are unpacked,
 * and gives their contents in this order. Names, links and the cutting into files are ours.
 */
export const foldersAlone = (source: ByteSource, folders: readonly Folder[], format: string): ForeignInput => {
  const packs = folders.flatMap((folder) => folder.packs);
  const packedBytes = packs.reduce((sum, { size }) => sum + size, 0);
  const header = headerOf(folders, packs);
  const start = startOf(packedBytes, header);
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield start;
    for (const { at, size } of packs) if (size > 0) yield* source.stream({ start: at, end: at + size });
    yield header;
  }
  return {
    format,
    bytes: start.byteLength + packedBytes + header.byteLength,
    stream,
    steps: folders.map(({ size }) => ({ size, use: 'give' })),
  };
};

const headerOf = (folders: readonly Folder[], packs: readonly Pack[]): Buffer => {
  const names = Buffer.from(folders.map((_, index) => `${index}\0`).join(''), 'utf16le');
  return Buffer.concat([
    Buffer.from([ID.header, ID.mainStreams]),
    Buffer.from([ID.packInfo]),
    numberBytes(0),
    numberBytes(packs.length),
    Buffer.from([ID.size]),
    ...packs.map(({ size }) => numberBytes(size)),
    Buffer.from([ID.end]),
    Buffer.from([ID.unpackInfo, ID.folder]),
    numberBytes(folders.length),
    Buffer.from([0]),
    ...folders.map(({ raw }) => raw),
    Buffer.from([ID.unpackSize]),
    ...folders.flatMap(({ unpackSizes }) => unpackSizes.map(numberBytes)),
    Buffer.from([ID.end]),
    Buffer.from([ID.contents, ID.end]), // one in each
    Buffer.from([ID.end]),
    Buffer.from([ID.files]),
    numberBytes(folders.length),
    Buffer.from([ID.names]),
    numberBytes(names.byteLength + 1),
    Buffer.from([0]),
    names,
    Buffer.from([ID.end]),
    Buffer.from([ID.end]),
  ]);
};

const startOf = (headerAt: number, header: Buffer): Buffer => {
  const start = Buffer.alloc(32);
  start.write('7z\xbc\xaf\x27\x1c\x00\x04', 'latin1');
  start.writeBigUInt64LE(BigInt(headerAt), 12);
  start.writeBigUInt64LE(BigInt(header.byteLength), 20);
  start.writeUInt32LE(crc32(header), 28);
  start.writeUInt32LE(crc32(start.subarray(12)), 8);
  return start;
};
