import { afterAll, expect, test, vi } from 'vitest';
import { openNotifier, sinkCertificates } from '../../support/notify/open-notifier.ts';
import { openQueueRoom } from '../../support/queue-room.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const HOOK = { type: 'webhook', name: 'hook', url: 'https://hook.example/' };

test.each([
  ['schedule', 'scheduler[nightly]'],
  ['watch', 'trigger[nightly]'],
  ['queue', 'queue[nightly]'],
] as const)('a stored run of a %s that fails is told, and the next that works too', async (source, shown) => {
  await using world = await openNotifier({ certificates, sinks: [HOOK] });
  await using room = openQueueRoom({ onEnded: (run) => void world.notifier.runEnded(run) });
  await room.dispatcher.start();
  await room.submit([['FA_file_checksum', ['/no/such/file']]], { source, name: 'nightly', maxAttempts: 1 });
  await vi.waitUntil(() => world.bodies().length === 1, { timeout: 15_000 });
  await room.submit([['FA_t_once', ['a']]], { source, name: 'nightly' });
  await vi.waitUntil(() => world.bodies().length === 2, { timeout: 15_000 });
  expect(world.bodies()).toMatchObject([
    { subject: `factotum: ${shown} failed`, level: 'error', body: expect.stringContaining('FileNotExistsException') },
    { subject: `factotum: ${shown} works again`, level: 'info' },
  ]);
});
