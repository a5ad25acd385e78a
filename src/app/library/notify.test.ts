import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../../test/support/net/receiver.ts';
import { sinkCertificates } from '../../../test/support/notify/open-notifier.ts';
import { notification_manager, notify_on_failure, validate_http_url } from '../../spec.ts';
import { notificationManager, notifyOnFailure } from './notify.ts';
import { validateHttpUrl } from './validate-http-url.ts';

const certificates = sinkCertificates();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver(certificates);
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  certificates[Symbol.dispose]();
});

test('without a sink nothing is sent, and a failure is nobody’s business', async () => {
  expect(await notificationManager.notify('hello')).toEqual({});
  await notifyOnFailure('scheduler[nightly]', new Error('no'));
});

test('a program registers a sink of its own network, sends to it, and takes it away', async () => {
  const url = `http://127.0.0.1:${receiver.httpPort}/hook`;
  const table = { type: 'webhook', name: 'here', url, allow_private_hosts: true };
  expect(await notificationManager.register(table)).toMatchObject({ name: 'here', type: 'webhook' });
  expect(await notificationManager.notify('hello', 'you', 'warning')).toEqual({ here: 'sent' });
  await notify_on_failure('scheduler[nightly]', new Error('no'));
  expect(receiver.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
    { subject: 'hello', body: 'you', level: 'warning' },
    { subject: 'factotum: scheduler[nightly] failed', body: 'Error: no', level: 'error' },
  ]);
  expect(await notification_manager.list()).toHaveLength(1);
  expect(await notification_manager.unregister_all()).toBe(1);
});

test('a URL is judged at both doors', async () => {
  await expect(validate_http_url('http://127.0.0.1/')).rejects.toMatchObject({ type: 'UrlValidationException' });
  expect(await validateHttpUrl('http://127.0.0.1/', true)).toBe('http://127.0.0.1/');
});
