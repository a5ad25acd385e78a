import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createProgressRegistry } from '../../../../core/progress.ts';
import { createEvents } from './events.ts';

test('who follows a run that is deleted meanwhile is let go', async () => {
  let looks = 0;
  const { follow } = createEvents({
    runs: {
      events: async () => [],
      async head() {
        looks += 1;
        return looks < 3 ? ({} as never) : null; // only whether there is one matters
      },
    },
    progress: {
      seenBy: () => ({ list: () => [], lookup: () => undefined, cancel: () => false, forget: () => false, clearFinished: () => 0 }),
    },
    masker: { known: (value) => value },
    beatMs: 0,
  });
  const server = createServer((_, response) => void follow(response, { runId: 'r', after: 0, caller: 'owner' })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.text()).toBe(': still here\n\n'.repeat(2));
  server.close();
});

const RUN = { runAt: 0, submittedAt: 0, startedAt: 0, endedAt: 0 };

test('a thousand who follow a run that is over leave the thread to others between them', async () => {
  let asked = 0;
  const { follow, hasNews } = createEvents({
    runs: {
      async events(_, after) {
        asked += 1;
        return after === 0 ? [{ id: 1, kind: 'done', run: RUN as never }] : []; // only that it is the last matters
      },
      head: async () => ({}) as never,
    },
    progress: createProgressRegistry(),
    masker: { known: (value) => value },
  });
  /** A response that takes a millisecond of the thread for each write. */
  const slow = () => {
    const response = Object.assign(new EventEmitter(), {
      writeHead: () => response,
      flushHeaders() {},
      write() {
        const until = performance.now() + 1;
        while (performance.now() < until);
        return true;
      },
      end() {},
    });
    return response as unknown as ServerResponse; // as much of one as a follower needs
  };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await hasNews('r', 0)).toBe(true);
  await Promise.all(Array.from({ length: 1_000 }, () => follow(slow(), { runId: 'r', after: 0, caller: 'owner' })));
  isOver = true;
  expect(turns).toBeGreaterThan(50);
  expect(asked).toBeLessThan(10);
});
