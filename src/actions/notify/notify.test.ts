import { afterAll, expect, test } from 'vitest';
import { runWith } from '../../../test/support/notify/notify-house.ts';
import { openNotifier, sinkCertificates } from '../../../test/support/notify/open-notifier.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const HOOK = { type: 'webhook', name: 'hook', url: 'https://hook.example/in' };
const open = () => openNotifier({ certificates });

test('sinks are registered, listed, sent to and removed by name', async () => {
  await using world = await open();
  const { results } = await runWith(world)([
    ['FA_notify_send', ['nobody there']],
    ['FA_notify_register', [HOOK]],
    ['FA_notify_register', [{ ...HOOK, name: 'other' }]],
    ['FA_notify_list'],
    ['FA_notify_send', ['hello', 'you', 'warning']],
    ['FA_notify_send', ['hello', 'you', 'warning']],
    ['FA_notify_send', { subject: 'one only', sinks: ['other'] }],
    ['FA_notify_unregister', ['hook']],
    ['FA_notify_unregister', ['hook']],
    ['FA_notify_unregister_all'],
  ]);
  expect(results.map(({ value }) => value)).toEqual([
    {},
    { name: 'hook', type: 'webhook', url_host: 'hook.example' },
    { name: 'other', type: 'webhook', url_host: 'hook.example' },
    [
      { name: 'hook', type: 'webhook', url_host: 'hook.example' },
      { name: 'other', type: 'webhook', url_host: 'hook.example' },
    ],
    { hook: 'sent', other: 'sent' },
    { hook: 'dedup', other: 'dedup' },
    { other: 'sent' },
    true,
    false,
    1,
  ]);
  expect(world.receiver.requests).toHaveLength(3);
});

test('what cannot be sent or registered fails with a type', async () => {
  await using world = await open();
  const { results } = await runWith(world)([
    ['FA_notify_send', ['two\nlines']],
    ['FA_notify_send', { subject: 'x', level: 'fatal' }],
    ['FA_notify_send', { subject: 'x', sinks: ['nobody'] }],
    ['FA_notify_register', [{ ...HOOK, type: 'pigeon' }]],
    ['FA_notify_register', [{ ...HOOK, url: 'https://10.0.0.1/' }]],
    ['FA_notify_register', [{ ...HOOK, allow_private_hosts: true }]],
  ]);
  expect(results.map(({ error }) => error?.type)).toEqual([
    'NotificationException',
    'ArgumentException',
    'NotificationException',
    'ConfigException',
    'UrlValidationException',
    'NotificationException',
  ]);
});

test('a caller that may not reach every machine can register no sink', async () => {
  await using world = await open();
  for (const policy of [createPolicy({}), createPolicy({ hosts: ['hook.example'] })]) {
    const { results } = await runWith(world)([['FA_notify_register', [HOOK]]], { ...OWNER, name: 'limited', policy });
    expect(results).toMatchObject([{ status: 'failed', error: { type: 'PolicyException' } }]);
  }
  expect(await world.notifier.list()).toEqual([]);
});

test('a sink of the configuration is not replaced by a list', async () => {
  await using world = await openNotifier({ certificates, sinks: [{ ...HOOK, name: 'ops' }] });
  const { results } = await runWith(world)([['FA_notify_register', [{ ...HOOK, name: 'ops', url: 'https://other.example/' }]]]);
  expect(results).toMatchObject([{ status: 'failed', error: { type: 'NotificationException', context: { sink: 'ops' } } }]);
  expect(await world.notifier.list()).toMatchObject([{ name: 'ops' }]);
});

test('a dry run sends nothing and says that it cannot know', async () => {
  await using world = await open();
  await world.notifier.add(HOOK);
  const { results } = await runWith(world)({ actions: [['FA_notify_send', ['hello']]], dry_run: true });
  expect(results).toMatchObject([{ status: 'planned', plan: { complete: false } }]);
  expect(world.receiver.requests).toEqual([]);
});

test('references of a list are read by the list, never by the sink', async () => {
  await using world = await open();
  const { results } = await runWith(world, { HOOK_KEY: 'value-of-the-list' })([
    ['FA_notify_register', [{ ...HOOK, extra_headers: { 'X-Read': '${env:HOOK_KEY}', 'X-Kept': '$${env:HOOK_KEY}' } }]],
    ['FA_notify_send', ['hello']],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(world.receiver.requests[0]?.headers).toMatchObject({ 'x-read': 'value-of-the-list', 'x-kept': '${env:HOOK_KEY}' });
});
