import { ArchiveException } from '../../core/errors.ts';
import { type ByteSource, bytesAt } from './byte-source.ts';
import type { Compression } from './compress/compression.ts';
import { COMPRESSIONS, type CompressionName, compressionCalled } from './compress/compressions.ts';
import { isSkippable } from './compress/zst/frame-header.ts';
import { BLOCK_BYTES, readHeader } from './tar/header.ts';
import { endsAsZip } from './zip/find-directory.ts';

/** Every format that is recognised; a bare compression holds one file without a name. */
export const ARCHIVE_FORMATS = ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'gz', 'bz2', 'xz', 'zst', '7z', 'rar'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

const SIGNATURES: readonly { readonly format: ArchiveFormat; readonly magic: Buffer }[] = [
  { format: 'zip', magic: Buffer.from('PK\x03\x04', 'latin1') },
  // An empty archive has nothing but its end.
  { format: 'zip', magic: Buffer.from('PK\x05\x06', 'latin1') },
  { format: '7z', magic: Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1') },
  { format: 'rar', magic: Buffer.from('Rar!\x1a\x07', 'latin1') },
];

/** The compression that a file begins with, by its first bytes. */
export const compressionOf = async (source: ByteSource): Promise<Compression | undefined> => {
  const start = await bytesAt(source, 0, 16);
  return COMPRESSIONS.find(({ magic }) => start.subarray(0, magic.byteLength).equals(magic)) ?? (await behindNotes(source, start));
};

/** How many frames to jump over until one tells what the file is. */
const MAX_NOTES = 64;

/** A zstd file may begin with frames that are jumped over; one of nothing else is empty. Files of LZ4 have them too. */
const behindNotes = async (source: ByteSource, start: Buffer): Promise<Compression | undefined> => {
  const zst = compressionCalled('zst');
  let at = 0;
  let head = start.subarray(0, 8);
  for (let notes = 0; notes < MAX_NOTES && isSkippable(head) && head.byteLength === 8; notes += 1) {
    at += 8 + head.readUInt32LE(4);
    if (at === source.size) return zst;
    if (at > source.size) return undefined;
    head = await bytesAt(source, at, 8);
  }
  return at > 0 && head.subarray(0, zst.magic.byteLength).equals(zst.magic) ? zst : undefined;
};

interface Detecting {
  readonly signal: AbortSignal;
  /** A zip file may have something before its first entry. */
  readonly lenient?: boolean;
}

/** The format of a file by its content alone; undefined where it is none. */
export const detectFormat = async (source: ByteSource, { signal, lenient = false }: Detecting): Promise<ArchiveFormat | undefined> => {
  const start = await bytesAt(source, 0, BLOCK_BYTES);
  const signed = SIGNATURES.find(({ magic }) => start.subarray(0, magic.byteLength).equals(magic));
  if (signed !== undefined) return signed.format;
  const compression = await compressionOf(source);
  if (compression !== undefined) return (await holdsTar(source, compression, signal)) ? tarred(compression.name) : compression.name;
  if (isTarStart(start)) return 'tar';
  return lenient && (await endsAsZip(source)) ? 'zip' : undefined;
};

const tarred = (name: CompressionName) => `tar.${name}` as const;

/** Unpacks no more than the first block. */
const holdsTar = async (source: ByteSource, compression: Compression, signal: AbortSignal): Promise<boolean> => {
  const parts: Uint8Array[] = [];
  try {
    for await (const chunk of compression.unpack(source.stream(), { signal, lenient: true })) {
      parts.push(Buffer.from(chunk)); // a copy, see `unpack`
      if (parts.reduce((sum, part) => sum + part.byteLength, 0) >= BLOCK_BYTES) break;
    }
  } catch (fault) {
    if (!(fault instanceof ArchiveException)) throw fault; // damaged further on, but of this format
  }
  return isTarStart(Buffer.concat(parts).subarray(0, BLOCK_BYTES));
};

const isTarStart = (block: Buffer): boolean => {
  try {
    return readHeader(block) !== undefined;
  } catch (fault) {
    if (fault instanceof ArchiveException) return false;
    throw fault;
  }
};
