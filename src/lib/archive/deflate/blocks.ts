/** Where blocks come from; the default makes new ones. */
export type NewBlock = (bytes: number) => Uint8Array<ArrayBuffer>;

/**
 * Cuts a stream into blocks of one size, each with a buffer of its own that may be handed to another thread; the last may be shorter.
 * The chunks of the stream are copied, so they need be good only until the next one is asked for.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes: number,
  newBlock: NewBlock = (bytes) => new Uint8Array(bytes),
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = newBlock(blockBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.byteLength; ) {
      const part = chunk.subarray(taken, taken + blockBytes - filled);
      block.set(part, filled);
      filled += part.byteLength;
      taken += part.byteLength;
      if (filled < blockBytes) continue;
      yield block;
      block = newBlock(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Tells of each item whether it is the last one. */
export async function* markingLast<T>(items: AsyncIterable<T>): AsyncGenerator<{ readonly item: T; readonly isLast: boolean }> {
  let held: { readonly item: T } | undefined;
  for await (const item of items) {
    if (held !== undefined) yield { item: held.item, isLast: false };
    held = { item };
  }
  if (held !== undefined) yield { item: held.item, isLast: true };
}
