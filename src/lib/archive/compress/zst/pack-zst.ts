import { inOrder } from '../../../workers/in-order.ts';
import { sharedPool } from '../../../workers/pool.ts';
import { blocksOf } from '../../deflate/blocks.ts';
import type { PackOptions } from '../compression.ts';
import { packFrame } from './pack-frame.ts';

/** Frames are independent, so that they can be packed on all threads; a larger one would hardly be smaller. */
const FRAME_BYTES = 4 * 1024 * 1024;
/** With room for a frame that cannot be made smaller. */
const BUFFER_BYTES = FRAME_BYTES + FRAME_BYTES / 128;

/** A zstd file of frames of 4 MiB, each with a check sum. A chunk is good only until the next one is asked for. */
export async function* packZst(chunks: AsyncIterable<Uint8Array>, { signal }: PackOptions): AsyncGenerator<Uint8Array> {
  const pool = sharedPool();
  const spare: ArrayBuffer[] = [];
  const blocks = blocksOf(chunks, FRAME_BYTES, (bytes) => new Uint8Array(spare.pop() ?? new ArrayBuffer(BUFFER_BYTES), 0, bytes));
  let isEmpty = true;
  for await (const frame of inOrder(blocks, pool.width + 1, (block) =>
    pool.run('pack_zst_frame', block, { signal, transfer: [block.buffer] }),
  )) {
    isEmpty = false;
    yield frame;
    if (frame.buffer instanceof ArrayBuffer && frame.buffer.byteLength === BUFFER_BYTES) spare.push(frame.buffer);
  }
  if (isEmpty) yield (await packFrame(new Uint8Array(0))).value;
}
