import { deflateRawSync } from 'node:zlib';
import { ArchiveException } from '../../../core/errors.ts';
import { crc32 } from '../../hash/crc32.ts';
import { type DeflateOptions, deflateStream } from '../deflate/deflate-stream.ts';
import { shortName } from '../entry.ts';
import { centralHeader, endRecords, localHeader, METHOD_DEFLATED, METHOD_STORED, type ZipRecord } from './records.ts';

/** Where the bytes go: a file open for writing at any place. */
export interface ZipSink {
  write(chunk: Uint8Array): Promise<void>;
  writeAt(chunk: Uint8Array, position: number): Promise<void>;
}

/** What is known of an entry before its content. */
export interface ZipMember {
  /** Relative, with `/`; a directory ends with one. */
  readonly name: string;
  readonly mtimeMs: number;
  readonly mode: number;
}

/** Content that is ready to be stored as it is. */
export interface ReadyContent {
  readonly data: Uint8Array;
  readonly isDeflated: boolean;
  readonly checksum: number;
  /** Before compression. */
  readonly size: number;
}

/** Writes entries one after the other; equal input gives equal bytes. */
export interface ZipWriter {
  add(member: ZipMember, content: ReadyContent): Promise<void>;
  /** Stores a few bytes as they are: a link's target, or none for a directory. */
  addBytes(member: ZipMember, bytes: Uint8Array): Promise<void>;
  /** Streams a content of any length; level 0 stores it, and so does content that would not shrink. A chunk is done with when the next is asked for. */
  addStream(member: ZipMember, expectedBytes: number, chunks: AsyncIterable<Uint8Array>, options: DeflateOptions): Promise<void>;
  /** Writes the directory; nothing may be added afterwards. */
  finish(): Promise<void>;
}

/** A file this large may end above 4 GiB once packed, so its header keeps room for wide numbers. */
const ZIP64_FROM_BYTES = 0xf000_0000;
const LARGEST_PLAIN_BYTES = 0xffff_fffe;
const SAMPLE_BYTES = 64 * 1024;
/** Small pieces are written together. */
const BYTES_PER_WRITE = 1024 * 1024;

export const createZipWriter = (sink: ZipSink): ZipWriter => {
  const directory: Buffer[] = [];
  let position = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;

  const flush = async () => {
    const pieces = pending;
    pending = [];
    pendingBytes = 0;
    if (pieces.length > 0) await sink.write(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
  };

  const put = async (chunk: Uint8Array) => {
    pending.push(chunk);
    pendingBytes += chunk.byteLength;
    position += chunk.byteLength;
    if (pendingBytes >= BYTES_PER_WRITE) await flush();
  };

  const recordOf = ({ name, mtimeMs, mode }: ZipMember, isZip64: boolean) => {
    const bytes = Buffer.from(name);
    return { name: bytes, isUtf8: bytes.byteLength !== name.length, mtimeMs, mode, isZip64, offset: position };
  };

  const add: ZipWriter['add'] = async (member, { data, isDeflated, checksum, size }) => {
    const record: ZipRecord = {
      ...recordOf(member, false),
      method: isDeflated ? METHOD_DEFLATED : METHOD_STORED,
      checksum,
      size,
      compressedSize: data.byteLength,
    };
    await put(localHeader(record));
    await put(data);
    directory.push(centralHeader(record));
  };

  return {
    add,
    addBytes: (member, bytes) => add(member, { data: bytes, isDeflated: false, checksum: crc32(bytes), size: bytes.byteLength }),

    async addStream(member, expectedBytes, chunks, options) {
      const { sample, rest } = await peek(chunks);
      const method = options.level > 0 && shrinks(sample) ? METHOD_DEFLATED : METHOD_STORED;
      const start = recordOf(member, expectedBytes >= ZIP64_FROM_BYTES);
      let record: ZipRecord = { ...start, method, checksum: 0, size: 0, compressedSize: 0 };
      await put(localHeader(record));
      await flush();
      const contentAt = position;
      let checksum = 0;
      let size = 0;
      const measure = (chunk: Uint8Array) => {
        checksum = crc32(chunk, checksum);
        size += chunk.byteLength;
        options.onInput?.(chunk);
      };
      const packed = method === METHOD_STORED ? seen(rest, measure) : deflateStream(rest, { ...options, onInput: measure });
      for await (const chunk of packed) {
        await sink.write(chunk); // at once: its buffer is used again
        position += chunk.byteLength;
      }
      record = { ...record, checksum, size, compressedSize: position - contentAt };
      if (!record.isZip64 && Math.max(size, record.compressedSize) > LARGEST_PLAIN_BYTES) throw grewTooMuch(member.name);
      // Now that check sum and sizes are known, the header is written again in its place.
      await sink.writeAt(localHeader(record), record.offset);
      directory.push(centralHeader(record));
    },

    async finish() {
      const offset = position;
      for (const header of directory) await put(header);
      await put(endRecords({ count: directory.length, size: position - offset, offset }));
      await flush();
    },
  };
};

const grewTooMuch = (name: string) =>
  new ArchiveException(`${name} grew beyond 4 GiB while it was packed; pack it again when nobody writes to it.`, {
    context: { entry: shortName(name) },
  });

/** The start of a stream, and the stream as if nobody had looked. */
const peek = async (chunks: AsyncIterable<Uint8Array>) => {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const sample = first.done === true ? new Uint8Array(0) : first.value.subarray(0, SAMPLE_BYTES);
  async function* rest(): AsyncGenerator<Uint8Array> {
    if (first.done === true) return;
    try {
      yield first.value;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { sample, rest: rest() };
};

/** Pictures, films and archives do not shrink; trying costs more than it saves. */
const shrinks = (sample: Uint8Array): boolean => deflateRawSync(sample, { level: 1 }).byteLength < sample.byteLength * 0.97;

async function* seen(chunks: AsyncIterable<Uint8Array>, look: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    look(chunk);
    yield chunk;
  }
}
