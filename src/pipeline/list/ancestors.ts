import type { Steps } from '../../lib/async/steps.ts';
import { type Graph, NO_EDGE } from './graph.ts';

/** A node that reads the result of another. */
export interface Wish {
  readonly reader: number;
  readonly target: number;
}

/** Nodes that are looked at in one step. */
const SOME = 16;
/** Targets that are followed through the graph at once: one bit each. */
const BATCH = 32;

/**
 * Finds a wish for a result that is not sure to be there, because no path leads from target to reader. `order` is a topological one.
 * One walk over the part of the order between them serves 32 targets with all their readers, so that no graph a caller can send takes long.
 */
export function* findStranger(graph: Graph, order: readonly number[], wishes: readonly Wish[]): Steps<Wish | undefined> {
  const rank = new Int32Array(graph.count);
  for (const [place, at] of order.entries()) rank[at] = place;
  const rankOf = (at: number) => rank[at] ?? 0;
  const early = wishes.find(({ reader, target }) => rankOf(target) >= rankOf(reader));
  if (early !== undefined) return early;

  const readers = readersByTarget(wishes);
  const targets = [...readers.keys()].sort((a, b) => rankOf(a) - rankOf(b));
  const reached = new Int32Array(graph.count);
  for (let from = 0; from < targets.length; from += BATCH) {
    const batch = targets.slice(from, from + BATCH);
    const last = batch.reduce(
      (high, target) => (readers.get(target) ?? []).reduce((most, reader) => Math.max(most, rankOf(reader)), high),
      0,
    );
    reached.fill(0);
    for (const [bit, target] of batch.entries()) reached[target] = 1 << bit;
    yield* spread(graph, order, reached, { first: rankOf(batch[0] ?? 0), last });
    for (const [bit, target] of batch.entries()) {
      const reader = readers.get(target)?.find((each) => ((reached[each] ?? 0) & (1 << bit)) === 0);
      if (reader !== undefined) return { reader, target };
    }
  }
  return undefined;
}

const readersByTarget = (wishes: readonly Wish[]): ReadonlyMap<number, readonly number[]> => {
  const readers = new Map<number, number[]>();
  for (const { reader, target } of wishes) {
    const known = readers.get(target);
    if (known === undefined) readers.set(target, [reader]);
    else known.push(reader);
  }
  return readers;
};

/** Hands the bits of each node on to those that follow it, for the part of the order from `first` up to `last`. */
function* spread(
  { head, next, to }: Graph,
  order: readonly number[],
  reached: Int32Array,
  { first, last }: { readonly first: number; readonly last: number },
): Steps<void> {
  for (let place = first; place < last; place += 1) {
    const at = order[place] ?? 0;
    const bits = reached[at] ?? 0;
    if (bits === 0) continue;
    for (let edge = head[at] ?? NO_EDGE; edge !== NO_EDGE; edge = next[edge] ?? NO_EDGE) {
      const follower = to[edge] ?? 0;
      reached[follower] = (reached[follower] ?? 0) | bits;
    }
    if (place % SOME === 0) yield;
  }
}
