import { type ForeignThreads, openForeignThreads } from '../../../workers/foreign/threads.ts';
import { inOrder } from '../../../workers/in-order.ts';
import { sharedPool } from '../../../workers/pool.ts';
import { ownBuffers } from '../../../workers/task.ts';
import { broken } from '../../broken.ts';
import { readerEnded } from '../../reader-ended.ts';
import type { UnpackOptions } from '../compression.ts';
import { type Bits, joinBits } from './bits.ts';
import { type Segment, segmentsOf } from './segments.ts';
import type { UnpackedBlock } from './unpack-block.ts';

const PIECE_BYTES = 256 * 1024;
/** How many marks by chance are put up with in one block. */
const MAX_PARTS = 4;

/** The content of a bzip2 file, its blocks unpacked on all threads. */
export async function* unpackBz2(
  chunks: AsyncIterable<Uint8Array>,
  { signal, lenient = false }: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  const { width } = sharedPool();
  const threads = openForeignThreads({ signal, width, isKept: true, ended: readerEnded('bz2') });
  const pieces = unpackWith(threads, segmentsOf(chunks, { lenient }), width);
  try {
    for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) yield step.value;
  } finally {
    // The threads go first: whoever leaves early need not wait for a block that never ends.
    await threads[Symbol.asyncDispose]();
    await pieces.return(undefined);
  }
}

async function* unpackWith(threads: ForeignThreads, segments: AsyncIterable<Segment>, width: number): AsyncGenerator<Uint8Array> {
  const spares: ArrayBuffer[] = [];
  const unpack = (bits: Bits): Promise<UnpackedBlock> => {
    const spare = spares.pop();
    const transfer = [...ownBuffers(bits.bytes), ...(spare === undefined ? [] : [spare])];
    return threads.run('unpack_bz2_block', { bits, spare }, { transfer });
  };
  const unpackSegment = async (segment: Segment) => (segment.kind === 'end' ? segment : unpack(segment.bits));

  let combined = 0;
  let unfinished: { readonly bits: Bits; readonly parts: number } | undefined;
  for await (const result of inOrder(segments, width + 1, unpackSegment)) {
    if (result.kind === 'end') {
      if (unfinished !== undefined || result.checksum !== combined) throw damaged();
      combined = 0;
      continue;
    }
    if (unfinished !== undefined && (result.kind === 'content' || unfinished.parts >= MAX_PARTS)) throw damaged();
    const block = unfinished === undefined || result.kind === 'content' ? result : await unpack(joinBits([unfinished.bits, result.bits]));
    if (block.kind === 'part') {
      unfinished = { bits: block.bits, parts: (unfinished?.parts ?? 0) + 1 };
      continue;
    }
    unfinished = undefined;
    combined = (((combined << 1) | (combined >>> 31)) ^ block.checksum) >>> 0;
    for (let at = 0; at < block.content.byteLength; at += PIECE_BYTES) yield block.content.subarray(at, at + PIECE_BYTES);
    spares.push(...ownBuffers(block.content));
  }
}

const damaged = () => broken('is a damaged bzip2 file');
