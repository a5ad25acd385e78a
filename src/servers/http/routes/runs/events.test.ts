import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createEvents } from './events.ts';

test('who follows a run that is deleted meanwhile is let go', async () => {
  let looks = 0;
  const follow = createEvents({
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
