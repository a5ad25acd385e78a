import { inOrder } from '../../workers/in-order.ts';
import { type Pool, sharedPool } from '../../workers/pool.ts';
import { blocksOf, markingLast } from './blocks.ts';
import { type DeflateBlock, deflateBlock, roomFor } from './deflate-block.ts';

export interface DeflateOptions {
  readonly level: number;
  readonly signal: AbortSignal;
  readonly pool?: Pool;
  /** Called with each block before it is compressed, in order: for check sums and progress. */
  readonly onInput?: (block: Uint8Array) => void;
}

const BLOCK_BYTES = 1024 * 1024;
const BUFFER_BYTES = roomFor(BLOCK_BYTES);
const WINDOW_BYTES = 32 * 1024;

/**
 * Compresses a stream on all threads into one deflate stream; equal input gives equal bytes. Memory stays at a few blocks, because they
 * are used again: each chunk that this gives is good only until the next one is asked for.
 */
export async function* deflateStream(
  chunks: AsyncIterable<Uint8Array>,
  { level, signal, pool = sharedPool(), onInput }: DeflateOptions,
): AsyncGenerator<Uint8Array> {
  const spare: ArrayBuffer[] = [];
  // With room for a block that cannot be made smaller.
  const newBlock = (bytes: number) => new Uint8Array(spare.pop() ?? new ArrayBuffer(BUFFER_BYTES), 0, bytes);

  async function* blocks(): AsyncGenerator<DeflateBlock & { readonly data: Uint8Array<ArrayBuffer> }> {
    let dictionary: Uint8Array | undefined;
    for await (const { item: data, isLast } of markingLast(blocksOf(chunks, BLOCK_BYTES, newBlock))) {
      onInput?.(data);
      const tail = data.slice(-WINDOW_BYTES); // a copy: the block itself is handed over
      yield { data, dictionary, isLast, level };
      dictionary = tail;
    }
  }

  let isEmpty = true;
  const packed = inOrder(blocks(), pool.width * 2 + 1, async (block) => {
    // A thread costs more to wake than a single block takes.
    const isAlone = block.isLast && block.dictionary === undefined;
    return isAlone ? deflateBlock(block).value : pool.run('deflate_block', block, { signal, transfer: [block.data.buffer] });
  });
  for await (const chunk of packed) {
    isEmpty = false;
    yield chunk;
    if (chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === BUFFER_BYTES) spare.push(chunk.buffer);
  }
  if (isEmpty) yield deflateBlock({ data: new Uint8Array(0), dictionary: undefined, isLast: true, level }).value;
}
