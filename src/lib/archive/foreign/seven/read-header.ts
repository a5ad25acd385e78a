import { crc32 } from '../../../hash/crc32.ts';
import { type ByteSource, bytesAt } from '../../byte-source.ts';
import { fieldsOf } from '../fields.ts';
import { encryptedHeaders } from '../rar/rar-entry.ts';
import { unpackForeign } from '../unpack.ts';
import { type ListedFile, readFiles } from './files.ts';
import { foldersAlone } from './folders-alone.ts';
import { whyUnreadable } from './methods.ts';
import { damaged7z, number } from './seven-fields.ts';
import { readStreams, type Streams } from './streams.ts';

/** All that a 7z archive says of itself. */
export interface SevenHeader {
  readonly streams: Streams;
  readonly files: readonly ListedFile[];
}

const START_BYTES = 32;
const ID = { end: 0, header: 1, properties: 2, additional: 3, mainStreams: 4, files: 5, packedHeader: 23 };
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const NO_STREAMS: Streams = { folders: [], contents: [] };

/** Reads the header, which is often packed itself, and compares its check sums. */
export const readSevenHeader = async (source: ByteSource, signal: AbortSignal): Promise<SevenHeader> => {
  const start = await bytesAt(source, 0, START_BYTES);
  if (start.byteLength < START_BYTES || crc32(start.subarray(12)) !== start.readUInt32LE(8)) throw damaged7z();
  const place = fieldsOf(start.subarray(12));
  const [offset, size, checksum] = [place.u64(), place.u64(), place.u32()];
  if (size === 0) return { streams: NO_STREAMS, files: [] };
  if (size > MAX_HEADER_BYTES || START_BYTES + offset + size > source.size) throw damaged7z();
  let header = await bytesAt(source, START_BYTES + offset, size);
  if (crc32(header) !== checksum) throw damaged7z();
  // It may be packed more than once, but not for ever.
  for (let rounds = 0; header[0] === ID.packedHeader; rounds += 1) {
    if (rounds > 4) throw damaged7z();
    header = await unpackHeader(source, header, signal);
  }
  return parse(header);
};

const parse = (header: Buffer): SevenHeader => {
  const fields = fieldsOf(header);
  if (number(fields) !== ID.header) throw damaged7z();
  let streams = NO_STREAMS;
  let files: ListedFile[] = [];
  for (let id = number(fields); id !== ID.end; id = number(fields)) {
    if (id === ID.properties) for (let type = number(fields); type !== ID.end; type = number(fields)) fields.take(number(fields));
    else if (id === ID.mainStreams) streams = readStreams(fields, START_BYTES);
    else if (id === ID.files) files = readFiles(fields);
    else throw damaged7z();
  }
  return { streams, files };
};

const unpackHeader = async (source: ByteSource, packed: Buffer, signal: AbortSignal): Promise<Buffer> => {
  const fields = fieldsOf(packed);
  number(fields);
  const { folders } = readStreams(fields, START_BYTES);
  const [folder] = folders;
  if (folder === undefined || folders.length > 1 || folder.size > MAX_HEADER_BYTES) throw damaged7z();
  if (folder.packs.some(({ at, size }) => at + size > source.size)) throw damaged7z();
  if (whyUnreadable(folder.methods)?.startsWith('is encrypted') === true) throw encryptedHeaders('7z');
  let header: Buffer = Buffer.alloc(0);
  await unpackForeign(foldersAlone(source, [folder], '7z'), signal, async (contents) => {
    header = await contents.take(folder.size);
  });
  if (header.byteLength !== folder.size || (folder.crc32 !== undefined && crc32(header) !== folder.crc32)) throw damaged7z();
  return header;
};
