import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Steps, Verdict } from '../run.ts';
import { type Graph, graphBuilder } from './graph.ts';
import { type Order, orderOf } from './order.ts';
import { schedule } from './schedule.ts';

/** How one command behaves: what it ends as, and after how many turns of the loop (0: at once). */
interface Behaviour {
  readonly verdict: Verdict;
  readonly turns: number;
  readonly always: boolean;
}

interface World {
  readonly count: number;
  readonly edges: readonly (readonly [from: number, to: number])[];
  readonly behaviours: readonly Behaviour[];
  readonly width: number;
  readonly failFast: boolean;
}

const graphOf = (count: number, edges: World['edges']): Graph => {
  const builder = graphBuilder(count, edges.length);
  for (const [from, to] of edges) builder.connect(from, to);
  return builder.build();
};

const orderIn = (graph: Graph): Order => orderOf('graph', graph.count, graph);
const chainOf = (count: number): Order => orderOf('serial', count, undefined);
const looseOf = (count: number): Order => orderOf('parallel', count, undefined);

/** Random graphs: numbers are dealt out in a random order, edges lead from the earlier to the later. */
const worlds: fc.Arbitrary<World> = fc.integer({ min: 0, max: 200 }).chain((count) => {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const places = fc.nat({ max: Math.max(0, count - 1) });
  return fc.record({
    count: fc.constant(count),
    edges: fc
      .tuple(
        fc.shuffledSubarray(numbers, { minLength: count }),
        fc.uniqueArray(fc.tuple(places, places), { maxLength: 3 * count, selector: (edge) => edge.join() }),
      )
      .map(([order, pairs]) => pairs.filter(([a, b]) => a < b).map(([a, b]) => [order[a] ?? 0, order[b] ?? 0] as const)),
    behaviours: fc.array(
      fc.record({
        verdict: fc.oneof({ weight: 4, arbitrary: fc.constant<Verdict>('good') }, { weight: 1, arbitrary: fc.constant<Verdict>('bad') }),
        turns: fc.integer({ min: 0, max: 3 }),
        always: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      }),
      { minLength: count, maxLength: count },
    ),
    width: fc.integer({ min: 1, max: 8 }),
    failFast: fc.boolean(),
  });
});

type Event = { readonly kind: 'taken' | 'ended' | 'skipped' | 'cancelled'; readonly at: number };

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs a world and writes down what happened in what order. */
const play = async (
  { count, edges, behaviours, width, failFast }: World,
  stop?: { readonly after: number; readonly controller: AbortController },
  order: Order = orderIn(graphOf(count, edges)),
): Promise<Event[]> => {
  const events: Event[] = [];
  const happen = (kind: Event['kind'], at: number) => {
    events.push({ kind, at });
    if (events.length === stop?.after) stop.controller.abort();
  };
  const steps: Steps = {
    take(at) {
      happen('taken', at);
      const { verdict = 'good', turns = 0 } = behaviours[at] ?? {};
      if (turns === 0) {
        happen('ended', at);
        return verdict;
      }
      return (async () => {
        for (let left = turns; left > 0; left -= 1) await turn();
        happen('ended', at);
        return verdict;
      })();
    },
    leave: (at, status) => happen(status, at),
  };
  const signal = stop?.controller.signal ?? new AbortController().signal;
  await schedule(order, { ...steps, always: (at) => behaviours[at]?.always === true }, { width, failFast, signal });
  return events;
};

const dependenciesOf = ({ count, edges }: World): number[][] => {
  const before = Array.from({ length: count }, (): number[] => []);
  for (const [from, to] of edges) before[to]?.push(from);
  return before;
};

/** Which commands a run without interruption holds back, told from the graph alone. */
const modelOfSkipped = (world: World): Set<number> => {
  const before = dependenciesOf(world);
  const fates = new Map<number, 'good' | 'bad' | 'skipped'>();
  const fateOf = (at: number): 'good' | 'bad' | 'skipped' => {
    const known = fates.get(at);
    if (known !== undefined) return known;
    const { verdict = 'good', always = false } = world.behaviours[at] ?? {};
    const isHeld = (before[at] ?? []).map(fateOf).some((fate) => fate !== 'good');
    const fate = world.failFast && isHeld && !always ? 'skipped' : verdict;
    fates.set(at, fate);
    return fate;
  };
  return new Set(Array.from({ length: world.count }, (_, at) => at).filter((at) => fateOf(at) === 'skipped'));
};

const numbersOf = (events: readonly Event[], ...kinds: Event['kind'][]): number[] =>
  events.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => at);
const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);
const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Checks that nothing began before what it waits for was over, and that no more than `width` were ever under way. */
const expectOrder = (world: World, events: readonly Event[]) => {
  const before = dependenciesOf(world);
  const over = new Set<number>();
  let underWay = 0;
  for (const { kind, at } of events) {
    if (kind === 'ended') underWay -= 1;
    else expect(before[at]?.filter((each) => !over.has(each))).toEqual([]);
    if (kind === 'taken') underWay += 1;
    else over.add(at);
    expect(underWay).toBeLessThanOrEqual(world.width);
  }
  expect(underWay).toBe(0);
};

describe('random graphs', () => {
  test('take or leave every command once, in order, within the width, and skip what the graph says', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const events = await play(world);
        expectOrder(world, events);
        expect(sorted(numbersOf(events, 'taken', 'skipped'))).toEqual(all(world.count));
        expect(sorted(numbersOf(events, 'ended'))).toEqual(sorted(numbersOf(events, 'taken')));
        expect(sorted(numbersOf(events, 'skipped'))).toEqual(sorted(modelOfSkipped(world)));
        expect(numbersOf(events, 'cancelled')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('leave nothing running and take nothing more once they are cancelled, whenever that happens', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.nat({ max: 400 }), async (world, after) => {
        const controller = new AbortController();
        if (after === 0) controller.abort();
        const events = await play(world, { after, controller });
        expectOrder(world, events);
        expect(sorted(numbersOf(events, 'taken', 'skipped', 'cancelled'))).toEqual(all(world.count));
        expect(sorted(numbersOf(events, 'ended'))).toEqual(sorted(numbersOf(events, 'taken')));
        if (controller.signal.aborted) expect(events.slice(after).filter(({ kind }) => kind === 'taken' || kind === 'skipped')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('random lists', () => {
  test('one after the other run as the graph that is a chain does', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const chain = { ...world, width: 1, edges: all(Math.max(0, world.count - 1)).map((at) => [at, at + 1] as const) };
        expect(await play(chain, undefined, chainOf(world.count))).toEqual(await play(chain));
      }),
    );
  });

  test('side by side are taken in turn, within the width, whatever becomes of the others', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const loose = { ...world, edges: [] };
        const events = await play(loose, undefined, looseOf(world.count));
        expectOrder(loose, events);
        expect(numbersOf(events, 'taken')).toEqual(all(world.count));
      }),
    );
  });
});

describe('graphs of 100,000 commands', () => {
  const COUNT = 100_000;
  const shapes: readonly { readonly name: string; readonly edges: () => [number, number][] }[] = [
    { name: 'a chain', edges: () => all(COUNT - 1).map((at) => [at, at + 1]) },
    { name: 'a backward chain', edges: () => all(COUNT - 1).map((at) => [at + 1, at]) },
    { name: 'one before all others', edges: () => all(COUNT - 1).map((at) => [0, at + 1]) },
    { name: 'one after all others', edges: () => all(COUNT - 1).map((at) => [at, COUNT - 1]) },
    {
      name: 'layers of 100',
      edges: () =>
        all(COUNT - 100).flatMap((at): [number, number][] => [
          [at, at + 100],
          [at, at + 101 - (at % 100 === 99 ? 100 : 0)],
        ]),
    },
    { name: 'no edges', edges: () => [] },
  ];
  for (const { name, edges } of shapes) {
    for (const turns of [0, 1]) {
      test(`${name}, ${turns === 0 ? 'ending at once' : 'ending later'}`, async () => {
        const pairs = edges();
        const graph = graphOf(COUNT, pairs);
        const endedAt = new Int32Array(COUNT);
        let taken = 0;
        const end = (at: number): Verdict => {
          taken += 1;
          endedAt[at] = taken;
          return 'good';
        };
        const steps: Steps = {
          take: (at) => (turns === 0 ? end(at) : Promise.resolve().then(() => end(at))),
          leave: () => expect.unreachable(),
        };
        await schedule(orderIn(graph), steps, { width: 4, failFast: true, signal: new AbortController().signal });
        expect(taken).toBe(COUNT);
        expect(pairs.filter(([from, to]) => (endedAt[from] ?? 0) >= (endedAt[to] ?? 0))).toEqual([]);
      });
    }
  }

  test('a failure at the head of a chain skips the rest without overflow', async () => {
    let skipped = 0;
    const steps: Steps = {
      take: () => 'bad',
      leave: (_, status) => {
        if (status === 'skipped') skipped += 1;
      },
    };
    await schedule(chainOf(COUNT), steps, { width: 4, failFast: true, signal: new AbortController().signal });
    expect(skipped).toBe(COUNT - 1);
  });
});

describe('the thread', () => {
  test('is given to others while a long list of synchronous commands runs', async () => {
    let turns = 0;
    const ticker = setInterval(() => (turns += 1), 0);
    const busy = (ms: number) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    const count = 640;
    const steps: Steps = {
      take: () => {
        busy(0.25);
        return 'good';
      },
      leave: () => expect.unreachable(),
    };
    await schedule(chainOf(count), steps, { width: 1, failFast: true, signal: new AbortController().signal });
    clearInterval(ticker);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});

test('a fault of the steps themselves ends the schedule with it', async () => {
  const broken: Steps = {
    take: () => {
      throw new Error('broken');
    },
    leave: () => expect.unreachable(),
  };
  expect(() => schedule(chainOf(1), broken, { width: 1, failFast: true, signal: new AbortController().signal })).toThrow('broken');
});
