import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { crc32 } from '../../hash/crc32.ts';
import { broken } from '../broken.ts';
import { type ByteSource, bytesAt } from '../byte-source.ts';
import { counted } from '../counted.ts';
import { shortName, shownName } from '../entry.ts';
import type { Meter } from '../limits.ts';
import { through } from '../through.ts';
import { needsThread, unpackedBy } from './methods.ts';
import { METHOD_STORED } from './records.ts';
import type { ZipEntry } from './zip-entry.ts';

/** Up to this size an entry is unpacked in one call. */
const SMALL_BYTES = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** The content of an entry, counted and compared with its check sum; `contentAt` comes from `locateContents`. */
export async function* readContent(
  source: ByteSource,
  entry: ZipEntry,
  contentAt: number,
  { meter, signal }: Reading,
): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let size = 0;
  for await (const chunk of unpacked(source, entry, contentAt, { meter, signal })) {
    size += chunk.byteLength;
    if (size > entry.size) throw tooLong(entry);
    meter.produced(chunk.byteLength);
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size !== entry.size) throw broken(`holds less of ${shownName(entry.name)} than it says`, { entry: shortName(entry.name) });
  if (checksum !== entry.checksum)
    throw broken(`holds ${shownName(entry.name)} with another check sum than it says`, { entry: shortName(entry.name) });
}

interface Reading {
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

const unpacked = (source: ByteSource, entry: ZipEntry, contentAt: number, { meter, signal }: Reading): AsyncIterable<Uint8Array> => {
  if (needsThread(entry.method)) {
    meter.consumed(entry.packedSize);
    return unpackedBy(source, entry, contentAt, signal);
  }
  if (entry.packedSize <= SMALL_BYTES && entry.size <= SMALL_BYTES) return inOnePiece(source, entry, contentAt, meter);
  const packed = counted(source.stream({ start: contentAt, end: contentAt + entry.packedSize }), meter.consumed);
  return entry.method === METHOD_STORED ? packed : inflated(packed, entry);
};

async function* inOnePiece(source: ByteSource, entry: ZipEntry, contentAt: number, meter: Meter): AsyncGenerator<Uint8Array> {
  const packed = await bytesAt(source, contentAt, entry.packedSize);
  meter.consumed(packed.byteLength);
  yield entry.method === METHOD_STORED ? packed : inflatedAtOnce(packed, entry);
}

const inflatedAtOnce = (packed: Uint8Array, entry: ZipEntry): Uint8Array => {
  try {
    return inflateRawSync(packed, { maxOutputLength: entry.size + 1, chunkSize: Math.max(64, entry.size) });
  } catch (fault) {
    throw hasCode(fault, 'ERR_BUFFER_TOO_LARGE') ? tooLong(entry) : damaged(entry, fault);
  }
};

async function* inflated(packed: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* through(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }));
  } catch (fault) {
    throw isZlibFault(fault) ? damaged(entry, fault) : fault;
  }
}

const tooLong = ({ name }: ZipEntry) => broken(`holds more of ${shownName(name)} than it says`, { entry: shortName(name) });
const damaged = ({ name }: ZipEntry, cause: unknown) => broken(`is damaged in ${shownName(name)}`, { entry: shortName(name) }, cause);

const hasCode = (fault: unknown, code: string): boolean => fault instanceof Error && 'code' in fault && fault.code === code;
const isZlibFault = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' && fault.code.startsWith('Z_');
