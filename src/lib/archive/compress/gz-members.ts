import { once } from 'node:events';
import { createInflateRaw } from 'node:zlib';
import { crc32 } from '../../hash/crc32.ts';
import { broken } from '../broken.ts';

const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const FLAG_HEADER_CHECKSUM = 0x02;
const FLAG_EXTRA = 0x04;
const FLAG_NAME = 0x08;
const FLAG_COMMENT = 0x10;
/** What goes in at once; a thousand times as much may come out. */
const PIECE_BYTES = 4096;

/** The members of a gzip file one by one: it ends before the first thing that is no member. */
export async function* unpackMembers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = inputOf(chunks);
  try {
    for (let isFirst = true; isFirst || (await input.startsWith(MAGIC)); isFirst = false) {
      await passHeader(input);
      yield* unpackMember(input);
    }
  } finally {
    await input.close();
  }
}

type Input = ReturnType<typeof inputOf>;

/** Bytes that are looked at before they are taken, and of which some may be handed back. */
const inputOf = (chunks: AsyncIterable<Uint8Array>) => {
  const iterator = chunks[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const want = async (bytes: number): Promise<void> => {
    while (held.byteLength < bytes) {
      const step = await iterator.next();
      if (step.done === true) return;
      held = held.byteLength === 0 ? Buffer.from(step.value) : Buffer.concat([held, step.value]);
    }
  };
  const upTo = async (bytes: number): Promise<Buffer> => {
    await want(1);
    const taken = held.subarray(0, bytes);
    held = held.subarray(taken.byteLength);
    return taken;
  };
  return {
    async startsWith(mark: Buffer): Promise<boolean> {
      await want(mark.byteLength);
      return held.subarray(0, mark.byteLength).equals(mark);
    },
    /** Some of the next bytes; none at the end. */
    upTo,
    async exactly(bytes: number): Promise<Buffer> {
      await want(bytes);
      if (held.byteLength < bytes) throw damaged();
      return upTo(bytes);
    },
    handBack(bytes: Buffer): void {
      held = Buffer.concat([bytes, held]);
    },
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
};

const passHeader = async (input: Input): Promise<void> => {
  const header = await input.exactly(HEADER_BYTES);
  const flags = header.readUInt8(3);
  if (!header.subarray(0, MAGIC.byteLength).equals(MAGIC)) throw damaged();
  if ((flags & FLAG_EXTRA) !== 0) await input.exactly((await input.exactly(2)).readUInt16LE(0));
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) if ((flags & flag) !== 0) while ((await input.exactly(1)).readUInt8(0) !== 0);
  if ((flags & FLAG_HEADER_CHECKSUM) !== 0) await input.exactly(2);
};

async function* unpackMember(input: Input): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw();
  let ready: Uint8Array[] = [];
  inflate.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const ended = once(inflate, 'end');
  ended.catch(() => {}); // whoever writes is told too
  let checksum = 0;
  let size = 0;
  try {
    for (let isOver = false, fed = 0; !isOver; ) {
      const piece = await input.upTo(PIECE_BYTES);
      if (piece.byteLength === 0) throw damaged();
      fed += piece.byteLength;
      const written = new Promise<void>((resolve, reject) => {
        inflate.write(piece, (fault) => (fault ? reject(fault) : resolve()));
      });
      written.catch(() => {}); // told by the race
      await Promise.race([written, ended]);
      isOver = inflate.bytesWritten < fed; // what is not taken lies behind the end
      if (isOver) await ended;
      for (const chunk of ready) {
        checksum = crc32(chunk, checksum);
        size += chunk.byteLength;
        yield chunk;
      }
      ready = [];
      if (isOver) input.handBack(piece.subarray(piece.byteLength - (fed - inflate.bytesWritten)));
    }
  } finally {
    inflate.destroy();
  }
  const trailer = await input.exactly(TRAILER_BYTES);
  if (trailer.readUInt32LE(0) !== checksum || trailer.readUInt32LE(4) !== size % 2 ** 32) throw damaged();
}

const damaged = () => broken('is a damaged or cut gzip file');
