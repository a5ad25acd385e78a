import { DagException } from '../../core/errors.ts';
import type { Registry } from '../../core/registry.ts';
import { doAtOnce, doInSlices, type Steps } from '../../lib/async/steps.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';
import { referencesOf } from '../command/references.ts';
import type { Command, Job } from '../run.ts';
import { findStranger, type Wish } from './ancestors.ts';
import { eachFollower, type Graph, graphBuilder } from './graph.ts';
import { withoutNested } from './tree.ts';

/** The edges between the nodes of a graph and where each id stands; other jobs have neither. */
export interface Linked {
  readonly graph: Graph | undefined;
  readonly places: ReadonlyMap<string, number> | undefined;
}

/** Turns the dependencies of a graph into edges; a bad graph is refused whole (`DagException`). */
export const link = ({ commands, mode }: Job, registry: Registry): Linked =>
  mode === 'graph' ? doAtOnce(linkNodes(commands, registry)) : UNLINKED;

/** The same, giving way in between. */
export const linkInSlices = ({ commands, mode }: Job, registry: Registry, slice: TimeSlice): Linked | Promise<Linked> =>
  mode === 'graph' ? doInSlices(linkNodes(commands, registry), slice) : UNLINKED;

export const UNLINKED: Linked = { graph: undefined, places: undefined };

function* linkNodes(nodes: readonly Command[], registry: Registry): Steps<Linked> {
  const places = new Map<string, number>();
  for (const { id = '', index } of nodes) {
    if (places.has(id)) throw new DagException(`Two nodes are called ${id}; every id may stand once.`, { context: { id } });
    places.set(id, index);
    yield;
  }
  const builder = graphBuilder(
    nodes.length,
    nodes.reduce((sum, { after = [] }) => sum + after.length, 0),
  );
  for (const { id = '', after = [], index } of nodes) {
    for (const name of after.length > 1 ? new Set(after) : after) {
      const from = places.get(name);
      if (from === undefined) {
        throw new DagException(`Node ${id} depends on ${name}, which no node is called; correct the id or add the node.`, {
          context: { id, unknown: name },
        });
      }
      if (from === index) throw new DagException(`Node ${id} depends on itself; remove that dependency.`, { context: { id, ids: [id] } });
      builder.connect(from, index);
      yield;
    }
  }
  const graph = builder.build();
  const order = yield* demandNoCircle(nodes, graph, places);
  yield* demandAncestors(nodes, graph, { places, order, registry });
  return { graph, places };
}

/** A topological order of the nodes. */
function* demandNoCircle(nodes: readonly Command[], graph: Graph, places: ReadonlyMap<string, number>): Steps<readonly number[]> {
  const waits = graph.waits.slice();
  const free: number[] = [];
  waits.forEach((count, at) => {
    if (count === 0) free.push(at);
  });
  const order: number[] = [];
  for (let at = free.pop(); at !== undefined; at = free.pop()) {
    order.push(at);
    eachFollower(graph, at, (target) => {
      const left = (waits[target] ?? 0) - 1;
      waits[target] = left;
      if (left === 0) free.push(target);
    });
    yield;
  }
  if (order.length === nodes.length) return order;
  const ids = findCircle(nodes, waits, places);
  throw new DagException(`The nodes ${ids.join(' -> ')} -> ${ids[0]} wait for each other; remove one of these dependencies.`, {
    context: { ids },
  });
}

/** Walks backwards among the nodes that never became free: each has a dependency among them, so a node must repeat. */
const findCircle = (nodes: readonly Command[], waits: Int32Array, places: ReadonlyMap<string, number>): string[] => {
  const trail: number[] = [];
  const seenAt = new Map<number, number>();
  let at = waits.findIndex((count) => count > 0);
  while (!seenAt.has(at)) {
    seenAt.set(at, trail.length);
    trail.push(at);
    const stuck: string | undefined = (nodes[at]?.after ?? []).find((name) => (waits[places.get(name) ?? -1] ?? 0) > 0);
    at = places.get(stuck ?? '') ?? at;
  }
  return trail
    .slice(seenAt.get(at))
    .map((index) => nodes[index]?.id ?? '')
    .reverse();
};

interface Surroundings {
  readonly places: ReadonlyMap<string, number>;
  readonly order: readonly number[];
  readonly registry: Registry;
}

/** A node may only refer to nodes that are sure to have finished before it. */
function* demandAncestors(nodes: readonly Command[], graph: Graph, { places, order, registry }: Surroundings): Steps<void> {
  const wishes: Wish[] = [];
  for (const node of nodes) {
    for (const reference of referencesOf(withoutNested(node, registry))) {
      if (reference.kind !== 'node') continue;
      const target = places.get(reference.id);
      if (target === undefined) throw notBefore(node, reference.id);
      wishes.push({ reader: node.index, target });
    }
    yield;
  }
  const stranger = wishes.length === 0 ? undefined : yield* findStranger(graph, order, wishes);
  if (stranger !== undefined) throw notBefore(nodes[stranger.reader], nodes[stranger.target]?.id ?? '');
}

const notBefore = (node: Command | undefined, stranger: string) =>
  new DagException(`Node ${node?.id} refers to \${nodes.${stranger}…}, which does not come before it; add ${stranger} to its depends_on.`, {
    context: { id: node?.id ?? '', reference: stranger },
  });
