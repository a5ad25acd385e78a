import { afterAll, expect, test, vi } from 'vitest';
import { createMasker } from '../../../src/access/mask.ts';
import { openNotifier } from '../../../src/app/state/notify.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { silentLog } from '../../../src/services/log/log.ts';
import { makeCertificates } from '../../support/net/certificates.ts';
import { openReceiver } from '../../support/net/receiver.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundle } from '../files/bundle.ts';
import { startChild } from '../store/children.ts';

const certificates = makeCertificates([]);
afterAll(() => certificates[Symbol.dispose]());

const trial = trialOf('killed-notifier');
const AN_HOUR_MS = 3_600_000;

test('a notification whose process was killed while it was sent goes out after the next start, under the same id', async () => {
  using state = tempDir();
  using script = await bundle(new URL('./sending-child.ts', import.meta.url));
  await using receiver = await openReceiver(certificates, (_, response) => {
    if (receiver.requests.length > 1) response.end();
  });
  const url = `http://127.0.0.1:${receiver.httpPort}/`;
  const child = startChild(script.path, state.path, url);
  child.started.catch(() => {}); // it says nothing
  await vi.waitUntil(() => receiver.requests.length === 1, { timeout: 15_000 });
  child.process.kill('SIGKILL');
  trial.did();
  await child.ended;

  const now = () => Date.now() + AN_HOUR_MS; // nobody alive still claims the message
  const store = embeddedStore({ file: storeFileIn(state.path), now });
  const notifier = await openNotifier({ store, clock: { now, monotonic: now }, log: silentLog, masker: createMasker() });
  await notifier.add({ type: 'webhook', name: 'hook', url, allow_private_hosts: true });
  notifier.start();
  await vi.waitUntil(() => receiver.requests.length === 2, { timeout: 15_000 });
  await notifier.close();
  expect(await store.notifications.waiting()).toBe(0);
  await store.close();
  const [first, second] = receiver.requests;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(JSON.parse(second?.body ?? '')).toMatchObject({ subject: 'half sent', level: 'error' });
});
