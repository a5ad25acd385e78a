import { inOrder } from '../../../workers/in-order.ts';
import { sharedPool } from '../../../workers/pool.ts';
import { ownBuffers } from '../../../workers/task.ts';
import { broken } from '../../broken.ts';
import type { PackOptions } from '../compression.ts';
import { type Bits, joinBits } from './bits.ts';
import { type Segment, segmentsOf } from './segments.ts';
import type { UnpackedBlock } from './unpack-block.ts';

const PIECE_BYTES = 256 * 1024;
/** How many marks by chance are put up with in one block. */
const MAX_PARTS = 4;

/** The content of a bzip2 file, its blocks unpacked on all threads. */
export async function* unpackBz2(chunks: AsyncIterable<Uint8Array>, { signal }: PackOptions): AsyncGenerator<Uint8Array> {
  const pool = sharedPool();
  const spares: ArrayBuffer[] = [];
  const unpack = (bits: Bits): Promise<UnpackedBlock> => {
    const spare = spares.pop();
    return pool.run(
      'unpack_bz2_block',
      { bits, spare },
      { signal, transfer: [...ownBuffers(bits.bytes), ...(spare === undefined ? [] : [spare])] },
    );
  };
  const unpackSegment = async (segment: Segment) => (segment.kind === 'end' ? segment : unpack(segment.bits));

  let combined = 0;
  let unfinished: { readonly bits: Bits; readonly parts: number } | undefined;
  for await (const result of inOrder(segmentsOf(chunks), pool.width + 1, unpackSegment)) {
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
