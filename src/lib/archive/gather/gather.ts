import { inOrder } from '../../workers/in-order.ts';
import { type Pool, sharedPool } from '../../workers/pool.ts';
import { type Gathered, type GatherOrder, gatherFiles } from './gather-files.ts';

export type { Gathered } from './gather-files.ts';

export interface GatherOptions extends Omit<GatherOrder, 'entries'> {
  readonly signal: AbortSignal;
  readonly pool?: Pool;
}

/** An entry with its content where it was small enough to be read along. */
export interface Collected {
  readonly segments: readonly string[];
  readonly found: Gathered;
  readonly content: Uint8Array;
}

const ENTRIES_PER_BATCH = 16;

/** Reads entries below a root on all threads, in their order, a few batches ahead of the reader. */
export async function* gather(
  entries: readonly (readonly string[])[],
  { signal, pool = sharedPool(), ...order }: GatherOptions,
): AsyncGenerator<Collected> {
  // A thread costs more to wake than a single batch takes.
  const isOneBatch = entries.length <= ENTRIES_PER_BATCH;
  const harvests = inOrder(batches(entries), pool.width * 2 + 1, async (batch) => {
    const batchOrder = { ...order, entries: batch };
    return { batch, harvest: isOneBatch ? gatherFiles(batchOrder).value : await pool.run('gather_files', batchOrder, { signal }) };
  });
  for await (const { batch, harvest } of harvests) {
    for (const [at, found] of harvest.found.entries()) {
      const content = found.kind === 'file' ? harvest.contents.subarray(found.start, found.end) : new Uint8Array(0);
      yield { segments: batch[at] ?? [], found, content };
    }
  }
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += ENTRIES_PER_BATCH) yield items.slice(at, at + ENTRIES_PER_BATCH);
}
