import { expect, test } from 'vitest';
import type { Slot } from './crew.ts';
import { createMemoryWatch } from './memory.ts';

const MAX = 256;
const MAX_THREAD = 2048;
const AT_REST = 100;

/** Threads that take what they are told to, in a process whose memory is a number. */
const openRoom = () => {
  let nowMs = 0;
  let taken = AT_REST;
  const ended: string[] = [];
  const restEnded: boolean[] = [];
  const memory = createMemoryWatch({
    maxBytes: MAX,
    maxThreadBytes: MAX_THREAD,
    taken: () => taken,
    now: () => nowMs,
    end: ({ thread: { tag } }, why) => void ended.push(`${tag}: ${why}`),
    endHeavyAtRest: () => restEnded.pop() ?? false,
  });
  const slots: Slot[] = [];
  /** A thread at work; `measured` is what Node says of its heap, where it can. */
  const add = (tag: string, { isLimited = true, measured }: { isLimited?: boolean; measured?: () => number } = {}): Slot => {
    const slot: Slot = {
      thread: {
        tag,
        send() {},
        cpuMs: () => 0,
        heapBytes: () => (measured === undefined ? undefined : Promise.resolve(measured())),
        end: async () => {},
      },
      isReady: true,
      run: { id: tag, caller: tag, isLimited },
      work: new Set(),
      idleSinceMs: 0,
      isStuck: false,
    };
    slots.push(slot);
    memory.began(slot);
    return slot;
  };
  /** The process takes more, and somebody looks. */
  const take = (more: number): boolean => {
    taken += more;
    nowMs += 100;
    return memory.look(slots);
  };
  const leave = (slot: Slot): void => {
    slots.splice(slots.indexOf(slot), 1);
    memory.gone(slot);
  };
  memory.atRest();
  return { memory, add, take, leave, ended, restEnded };
};

test('a silent thread of a limited caller is ended when the process has taken too much', () => {
  const { add, take, ended } = openRoom();
  add('ann');
  expect(take(100)).toBe(false);
  expect(take(50)).toBe(true); // from here on it is looked at more often
  expect(ended).toEqual([]);
  take(150);
  expect(ended).toEqual(['ann: shared_memory']);
});

test('of several the one is ended that has been silent longest', () => {
  const { memory, add, take, ended } = openRoom();
  const ann = add('ann');
  add('bob');
  take(80);
  memory.told(ann, 20);
  take(200);
  expect(ended).toEqual(['bob: shared_memory']);
});

test('a thread that answers is ended where it says that it has grown', () => {
  const { memory, add, take, ended } = openRoom();
  const ann = add('ann');
  const bob = add('bob');
  take(250);
  memory.told(bob, 10);
  memory.told(ann, 240);
  take(10);
  expect(ended).toEqual(['ann: shared_memory']);
});

test('who took little is spared, whatever the process takes', () => {
  const { memory, add, take, ended } = openRoom();
  const ann = add('ann');
  for (let look = 0; look < 20; look += 1) {
    take(40);
    memory.told(ann, 20);
  }
  expect(ended).toEqual([]);
});

test('the heap that Node measures inside a computation tells who it was', async () => {
  const { add, take, ended } = openRoom();
  add('ann', { measured: () => 20 });
  add('bob', { measured: () => 230 });
  take(240);
  await Promise.resolve().then(() => {});
  take(20);
  expect(ended).toEqual(['bob: shared_memory']);
});

test('work of the owner is ended only when its thread takes more than one may', () => {
  const { add, take, ended } = openRoom();
  add('owner', { isLimited: false });
  take(2_000);
  expect(ended).toEqual([]);
  take(100);
  expect(ended).toEqual(['owner: memory']);
});

test('nobody else is ended until the memory of the last one is given back', () => {
  const { add, take, leave, ended } = openRoom();
  const ann = add('ann');
  take(1);
  add('bob');
  take(300);
  expect(ended).toEqual(['ann: shared_memory']);
  take(10);
  expect(ended).toHaveLength(1);
  leave(ann);
  take(-300);
  expect(ended).toHaveLength(1);
  take(300);
  expect(ended).toEqual(['ann: shared_memory', 'bob: shared_memory']);
});

test('one that does not go in half a second is not waited for', () => {
  const { add, take, ended } = openRoom();
  add('ann');
  take(300);
  for (let look = 0; look < 5; look += 1) take(0);
  expect(ended).toHaveLength(2);
});

test('a thread that waits for a device takes nothing', () => {
  const { add, take, ended } = openRoom();
  add('ann').isStuck = true;
  take(1_000);
  expect(ended).toEqual([]);
});

test('threads without work go first', () => {
  const { add, take, ended, restEnded } = openRoom();
  add('ann');
  restEnded.push(true);
  take(300);
  expect(ended).toEqual([]);
  take(0);
  expect(ended).toEqual(['ann: shared_memory']);
});

test('what one work leaves behind makes no room for the next', () => {
  const { memory, add, take, leave, ended } = openRoom();
  const ann = add('ann');
  take(200);
  leave(ann);
  memory.atRest();
  add('bob');
  take(100);
  expect(ended).toEqual(['bob: shared_memory']);
});
