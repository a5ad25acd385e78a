import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { fixtureActions } from '../../../test/support/fixture-actions.ts';
import { nodes, steps } from '../../core/args.ts';
import { DagException } from '../../core/errors.ts';
import { createRegistry } from '../../core/registry.ts';
import * as shapes from '../../core/shapes.ts';
import { eachFollower, type Graph } from './graph.ts';
import { link } from './link.ts';
import { parse } from './parse.ts';

const registry = createRegistry();
registry.registerMany(fixtureActions().actions);
registry.register('FA_t_graph', {
  name: 'FA_t_graph',
  summary: 'Holds a graph and a list.',
  args: { nodes: nodes('Nodes.'), list: steps('Commands.', { default: [] }) },
  returns: shapes.json(),
  examples: [],
  run: () => null,
});

const linkRequest = (request: unknown) => link(parse(request), registry);

const refusalOf = (request: unknown): DagException => {
  try {
    linkRequest(request);
  } catch (fault) {
    if (fault instanceof DagException) return fault;
    throw fault;
  }
  return expect.unreachable('the graph was not refused');
};

const node = (id: string, after: readonly string[] = [], value: unknown = 1) => ({
  id,
  action: ['FA_t_echo', { value }],
  depends_on: after,
});

const graphIn = (request: unknown): Graph => linkRequest(request).graph ?? expect.unreachable('it is no graph');

const followersOf = (request: unknown): number[][] => {
  const graph = graphIn(request);
  return Array.from({ length: graph.count }, (_, at) => {
    const targets: number[] = [];
    eachFollower(graph, at, (target) => targets.push(target));
    return targets.sort((a, b) => a - b);
  });
};

describe('edges', () => {
  test('of a list are not written down: it is a chain, or has none', () => {
    const actions = [['FA_a'], ['FA_b'], ['FA_c']];
    expect(linkRequest({ actions }).graph).toBeUndefined();
    expect(linkRequest({ actions, mode: 'parallel' }).graph).toBeUndefined();
  });

  test('of a graph are its dependencies, each counted once', () => {
    const request = { nodes: [node('c', ['a', 'b', 'a']), node('a'), node('b', ['a'])] };
    expect(followersOf(request)).toEqual([[], [0, 2], [0]]);
    expect([...graphIn(request).waits]).toEqual([2, 0, 1]);
    expect(linkRequest(request).places).toEqual(
      new Map([
        ['c', 0],
        ['a', 1],
        ['b', 2],
      ]),
    );
  });
});

describe('a graph is refused', () => {
  test('when an id stands twice', () => {
    expect(refusalOf({ nodes: [node('a'), node('b'), node('a')] })).toMatchObject({
      message: 'Two nodes are called a; every id may stand once.',
      context: { id: 'a' },
    });
  });

  test('when a dependency is unknown', () => {
    expect(refusalOf({ nodes: [node('a', ['z'])] })).toMatchObject({
      message: 'Node a depends on z, which no node is called; correct the id or add the node.',
      context: { id: 'a', unknown: 'z' },
    });
  });

  test('when a node waits for itself', () => {
    expect(refusalOf({ nodes: [node('a', ['a'])] }).context).toEqual({ id: 'a', ids: ['a'] });
  });

  test('when nodes wait for each other: the circle is told in the order of running, and nothing beside it', () => {
    const refusal = refusalOf({ nodes: [node('free'), node('tail', ['c']), node('a', ['c', 'free']), node('b', ['a']), node('c', ['b'])] });
    expect(refusal.context.ids).toHaveLength(3);
    expect(refusal.message).toBe('The nodes a -> b -> c -> a wait for each other; remove one of these dependencies.');
  });

  test('when random edges close a circle, naming only nodes that truly lie on one', () => {
    const graphs = fc
      .integer({ min: 2, max: 40 })
      .chain((count) => fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 }).map((edges) => ({ count, edges })));
    fc.assert(
      fc.property(graphs, ({ count, edges }) => {
        const after = Array.from({ length: count }, (_, at) =>
          edges.flatMap(([from, to]) => (to === at && from !== at ? [`n${from}`] : [])),
        );
        try {
          linkRequest({ nodes: after.map((before, at) => node(`n${at}`, before)) });
        } catch (fault) {
          if (!(fault instanceof DagException)) throw fault;
          const ids = fault.context.ids as readonly string[];
          expect(new Set(ids).size).toBe(ids.length);
          for (const [at, id] of ids.entries()) expect(after[Number(ids[(at + 1) % ids.length]?.slice(1))]).toContain(id);
          return;
        }
        const open = after.map((before) => new Set(before));
        for (let free = open.findIndex((before) => before.size === 0); free >= 0; free = open.findIndex((before) => before.size === 0)) {
          for (const before of open) before.delete(`n${free}`);
          open[free]?.add('done');
        }
        expect(open.every((before) => before.has('done'))).toBe(true);
      }),
    );
  });
});

describe('a reference to a node', () => {
  test('may name any ancestor', () => {
    expect(() =>
      linkRequest({ nodes: [node('c', ['b'], ['${nodes.a.value}', '${nodes.b.value.x[0]}']), node('b', ['a']), node('a')] }),
    ).not.toThrow();
  });

  test.each([
    ['a node beside it', { nodes: [node('a'), node('b', [], '${nodes.a.value}')] }, 'a'],
    ['a node after it', { nodes: [node('a', [], '${nodes.b.value}'), node('b', ['a'])] }, 'b'],
    ['itself', { nodes: [node('b', [], 'x ${nodes.b.value}')] }, 'b'],
    ['nobody', { nodes: [node('b', [], { deep: ['${nodes.z.value}'] })] }, 'z'],
  ])('may not name %s', (_, request, stranger) => {
    const refusal = refusalOf(request);
    expect(refusal.context.reference).toBe(stranger);
    expect(refusal.message).toContain(`add ${stranger} to its depends_on`);
  });

  test('inside a nested list belongs to that list', () => {
    const inner = [node('a'), node('b', ['a'], '${nodes.a.value}')];
    const list = [['FA_t_echo', { value: '${nodes.elsewhere.value}' }]];
    expect(() => linkRequest({ nodes: [{ id: 'x', action: ['FA_t_graph', { nodes: inner, list }] }] })).not.toThrow();
    expect(() => linkRequest({ nodes: [{ id: 'x', action: ['FA_t_graph', [inner, { nodes: inner }]] }] })).not.toThrow();
  });

  test('that stands for a whole nested list belongs to the graph', () => {
    expect(refusalOf({ nodes: [{ id: 'x', action: ['FA_t_run_list', { action_list: '${nodes.y.value}' }] }] }).context.reference).toBe('y');
  });

  test('may not name the one node among many that it does not wait for', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `n${at}`);
    for (const stranger of ids.slice(1)) {
      const request = {
        nodes: [
          ...ids.map((id) => node(id)),
          node(
            'reader',
            ids.filter((id) => id !== stranger),
            ids.map((id) => `\${nodes.${id}.value}`),
          ),
        ],
      };
      expect(refusalOf(request).context).toEqual({ id: 'reader', reference: stranger });
    }
  });

  test('is judged like a search through the graph would', () => {
    const worlds = fc.integer({ min: 2, max: 120 }).chain((count) =>
      fc.record({
        edges: fc.array(
          fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).filter(([a, b]) => a < b),
          { maxLength: 2 * count },
        ),
        order: fc.shuffledSubarray(
          Array.from({ length: count }, (_, at) => at),
          { minLength: count },
        ),
        wishes: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 80 }),
        count: fc.constant(count),
      }),
    );
    fc.assert(
      fc.property(worlds, ({ count, edges, order, wishes }) => {
        const before = Array.from({ length: count }, (_, at) => new Set(edges.flatMap(([from, to]) => (to === at ? [from] : []))));
        const ancestors = before.map((direct) => new Set(direct));
        for (const [at, met] of ancestors.entries())
          for (const each of before[at] ?? []) for (const older of ancestors[each] ?? []) met.add(older);
        const request = {
          nodes: order.map((at) =>
            node(
              `n${at}`,
              [...(before[at] ?? [])].map((each) => `n${each}`),
              wishes.flatMap(([reader, target]) => (reader === at ? [`\${nodes.n${target}.value}`] : [])),
            ),
          ),
        };
        const isRight = wishes.every(([reader, target]) => ancestors[reader]?.has(target));
        if (isRight) return void linkRequest(request);
        const { context } = refusalOf(request);
        const [reader, target] = [context.id, context.reference].map((id) => Number(String(id).slice(1)));
        expect(ancestors[reader ?? -1]?.has(target ?? -1)).toBe(false);
      }),
    );
  });
});

describe('large graphs are linked in a moment', () => {
  const COUNT = 20_000;
  const chain = (wish: (at: number) => number | undefined) => ({
    nodes: Array.from({ length: COUNT }, (_, at) =>
      node(`n${at}`, at === 0 ? [] : [`n${at - 1}`], wish(at) === undefined ? 1 : `\${nodes.n${wish(at)}.value}`),
    ),
  });
  test.each<[string, (at: number) => number | undefined]>([
    ['each reads the one before it', (at) => (at === 0 ? undefined : at - 1)],
    ['each reads the first', (at) => (at === 0 ? undefined : 0)],
    ['each of the second half reads one of the first', (at) => (at < COUNT / 2 ? undefined : at - COUNT / 2)],
  ])('%s', (_, wish) => {
    const job = parse(chain(wish));
    const started = cpuMs();
    link(job, registry);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('a node may name 300,000 dependencies', () => {
    const request = { nodes: [node('a'), { ...node('b', [], '${nodes.a.value}'), depends_on: new Array(300_000).fill('a') }] };
    expect([...graphIn(request).waits]).toEqual([0, 1]);
  });
});
