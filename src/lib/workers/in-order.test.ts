import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from './in-order.ts';

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

test('results come in the order of the items, however long each takes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3)), fc.integer({ min: 1, max: 5 }), async (turns, ahead) => {
      const work = async (item: { readonly turns: number; readonly at: number }) => {
        for (let turn = 0; turn < item.turns; turn += 1) await new Promise(setImmediate);
        return item.at;
      };
      const items = turns.map((each, at) => ({ turns: each, at }));
      expect(await all(inOrder(items, ahead, work))).toEqual(items.map(({ at }) => at));
    }),
  );
});

test('no more is under way than asked for', async () => {
  let underWay = 0;
  let most = 0;
  await all(
    inOrder(Array.from({ length: 20 }), 3, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    }),
  );
  expect(most).toBe(3);
});

test('a failure comes at its turn, after what was before it', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('two');
    return item;
  };
  const reading = async () => {
    for await (const item of inOrder([0, 1, 2, 3], 4, work)) seen.push(item);
  };
  await expect(reading()).rejects.toThrow('two');
  expect(seen).toEqual([0, 1]);
});

test('a reader that leaves waits for what is under way', async () => {
  let finished = 0;
  const work = async () => {
    await new Promise(setImmediate);
    finished += 1;
  };
  for await (const _ of inOrder(Array.from({ length: 10 }), 4, work)) break;
  expect(finished).toBe(4);
});
