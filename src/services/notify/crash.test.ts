import { afterAll, expect, test } from 'vitest';
import { dyingStore } from '../../../test/support/dying-store.ts';
import { ERROR, hook, openNotifier, sinkCertificates } from '../../../test/support/notify/open-notifier.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const BEGIN = Date.parse('2026-03-02T12:00:00Z');
/** Longer than any lease. */
const LATER = '2026-03-02T13:00:00Z';

/** Sends a message in a process that dies at a call of the store, and lets another one go on; tells whether it died. */
const surviveDeath = async (calls: number, side: 'before' | 'after'): Promise<boolean> => {
  let now = BEGIN;
  const store = memoryStore({ now: () => now });
  const dying = dyingStore(store, calls, side);
  const doomed = await openNotifier({ certificates, sinks: [hook('one')], store: dying.store });
  const sent = doomed.notifier.send(ERROR).then(() => false);
  const isDead = await Promise.race([dying.died.then(() => true), sent]);
  const isPosted = (await store.notifications.waiting()) > 0;

  now = Date.parse(LATER);
  const next = await openNotifier({ certificates, sinks: [hook('one')], store, startAt: LATER });
  next.notifier.start();
  await next.pass(60);
  const requests = [...doomed.receiver.requests, ...next.receiver.requests];
  const where = `${calls} calls, ${side}`;
  if (!isDead || isPosted) expect(requests.length, where).toBeGreaterThan(0);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, where).toBeLessThanOrEqual(1);
  expect(await store.notifications.waiting(), where).toBe(0);
  await doomed.receiver[Symbol.asyncDispose](); // a dead process cleans nothing up
  await next[Symbol.asyncDispose]();
  return isDead;
};

test.each(['before', 'after'] as const)('a process that sends may be killed %s any call of the store', async (side) => {
  let calls = 0;
  while (await surviveDeath(calls, side)) calls += 1;
  expect(calls).toBe(3); // is it new, post it, strike it off
});
