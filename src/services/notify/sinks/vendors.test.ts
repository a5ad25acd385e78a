import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { openNotifier, sinkCertificates } from '../../../../test/support/notify/open-notifier.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const MESSAGE = {
  subject: 'disk <full>',
  body: 'All of *it* [is](http://x) & <!channel> @everyone',
  level: 'error',
  context: { run_id: 'r1' },
} as const;

/** Sends one message through one sink; answers the request that reached the server. */
const sendThrough = async (sink: object, message: object = MESSAGE) => {
  await using world = await openNotifier({ certificates, sinks: [{ name: 'one', ...sink }] });
  expect(await world.notifier.send({ ...MESSAGE, ...message })).toEqual({ one: 'sent' });
  const [request] = world.receiver.requests;
  return { request, body: world.bodies()[0] };
};

describe('each vendor gets the payload that it documents', () => {
  test('a webhook gets our JSON', async () => {
    const { request, body } = await sendThrough({
      type: 'webhook',
      url: 'https://hook.example/in?x=1',
      extra_headers: { 'X-Team': 'ops' },
    });
    expect(request).toMatchObject({ method: 'POST', url: 'https://hook.example/in?x=1' });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'factotum', 'x-team': 'ops' });
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(body).toEqual({ ...MESSAGE, source: 'factotum', host: hostname(), at: '2026-03-02T12:00:00.000Z' });
  });

  test.each([
    ['a plain secret', 'hunter2-hunter2', Buffer.from('hunter2-hunter2')],
    [
      'a secret as Standard Webhooks writes it',
      `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`,
      Buffer.from('0123456789abcdef'),
    ],
  ])('a webhook with %s is signed over id, time and body', async (_, hmac_secret, key) => {
    const { request } = await sendThrough({ type: 'webhook', url: 'https://hook.example/in', hmac_secret });
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request?.headers ?? {};
    expect(time).toBe(String(Date.parse('2026-03-02T12:00:00Z') / 1000));
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${time}.${request?.body}`).digest('base64')}`);
  });

  test('Slack gets blocks and a text, in which nothing mentions anybody', async () => {
    const { request, body } = await sendThrough({ type: 'slack', webhook_url: 'https://hooks.slack.com/services/T0/B0/secret' });
    expect(request?.url).toBe('https://hooks.slack.com/services/T0/B0/secret');
    expect(body).toEqual({
      text: '🚨 disk &lt;full&gt;\nAll of *it* [is](http://x) &amp; &lt;!channel&gt; @everyone\n\nrun_id: r1',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '🚨 disk <full>', emoji: true } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'All of *it* [is](http://x) &amp; &lt;!channel&gt; @everyone\n\nrun_id: r1' },
        },
      ],
    });
  });

  test('Discord gets an embed and may mention nobody', async () => {
    const { body } = await sendThrough({ type: 'discord', webhook_url: 'https://discord.com/api/webhooks/1/secret' });
    expect(body).toEqual({
      embeds: [
        {
          title: '🚨 disk <full>',
          description: `${MESSAGE.body}\n\nrun_id: r1`,
          color: 0xc0392b,
          timestamp: '2026-03-02T12:00:00.000Z',
          footer: { text: 'factotum' },
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  test('Teams gets an adaptive card, in which no text becomes a link', async () => {
    const { body } = await sendThrough({ type: 'teams', webhook_url: 'https://tenant.webhook.office.com/workflows/secret' });
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: '🚨 disk <full>', color: 'attention', wrap: true },
              { type: 'TextBlock', text: expect.stringContaining('\\[is\\](http://x)'), wrap: true },
            ],
          },
        },
      ],
    });
  });

  test('Telegram gets a plain text at the address of the bot', async () => {
    const { request, body } = await sendThrough({ type: 'telegram', bot_token: '123:abc_DEF-1', chat_id: '-1001' });
    expect(request?.url).toBe('https://api.telegram.org/bot123:abc_DEF-1/sendMessage');
    expect(body).toEqual({
      chat_id: '-1001',
      text: `🚨 disk <full>\n${MESSAGE.body}\n\nrun_id: r1`,
      link_preview_options: { is_disabled: true },
    });
  });

  test.each([
    ['us', 'https://events.pagerduty.com/v2/enqueue'],
    ['eu', 'https://events.eu.pagerduty.com/v2/enqueue'],
  ])('PagerDuty gets an event of its second interface in the region %s', async (region, url) => {
    const { request, body } = await sendThrough({ type: 'pagerduty', routing_key: 'r'.repeat(32), region });
    expect(request?.url).toBe(url);
    expect(body).toEqual({
      routing_key: 'r'.repeat(32),
      event_action: 'trigger',
      payload: {
        summary: 'disk <full>',
        source: 'factotum',
        severity: 'error',
        timestamp: '2026-03-02T12:00:00.000Z',
        custom_details: { body: MESSAGE.body, run_id: 'r1' },
      },
      client: 'factotum',
    });
  });
});

const long = 'é'.repeat(70_000);
const VENDORS = [
  { type: 'webhook', url: 'https://hook.example/in' },
  { type: 'slack', webhook_url: 'https://hooks.slack.com/services/x' },
  { type: 'discord', webhook_url: 'https://discord.com/api/webhooks/x' },
  { type: 'teams', webhook_url: 'https://tenant.webhook.office.com/x' },
  { type: 'telegram', bot_token: '1:x', chat_id: '1' },
  { type: 'pagerduty', routing_key: 'x' },
];

test.each(VENDORS)('$type gets no more text than it takes', async (sink) => {
  const { body } = await sendThrough(sink, { body: long, subject: 's'.repeat(1_000) });
  const texts: number[] = [];
  JSON.stringify(body, (_, value) => {
    if (typeof value === 'string') texts.push(value.length);
    return value;
  });
  const most = { webhook: 65_536, slack: 4_000, discord: 4_096, teams: 12_000, telegram: 4_096, pagerduty: 65_536 }[sink.type] ?? 0;
  expect(Math.max(...texts)).toBeLessThanOrEqual(most);
  expect(JSON.stringify(body)).toMatch(/…\\*\[truncated/);
});

test.each(['\\', '\n', '\u0001', '*', '漢', '😀'])('a card for Teams stays below 28 KB, even full of %j', async (letter) => {
  const { request } = await sendThrough(
    { type: 'teams', webhook_url: 'https://tenant.webhook.office.com/x' },
    { body: letter.repeat(30_000), subject: 'ß'.repeat(500) },
  );
  expect(Buffer.byteLength(request?.body ?? '')).toBeLessThan(28 * 1024);
});

test.each([
  { type: 'slack', webhook_url: 'https://hooks.slack.com/services/x' },
  { type: 'discord', webhook_url: 'https://discord.com/api/webhooks/x' },
  { type: 'teams', webhook_url: 'https://tenant.webhook.office.com/x' },
  { type: 'telegram', bot_token: '1:x', chat_id: '1' },
])('$type gets no character that steers the terminal or turns the text round', async (sink) => {
  const { request } = await sendThrough(sink, { subject: 'a\u001b[31mb\u202ec', body: 'one\r\n\ttwo\u0000\u2066three' });
  expect(request?.body).toMatch(/a.\\{0,2}\[31mb.c/);
  expect(request?.body).toMatch(/one(?:\\n)+\\ttwo..three/);
  expect(request?.body).not.toMatch(/\\u00|[\u202a-\u202e\u2066-\u2069]/);
});

test.each(VENDORS)('$type gets a message without a body too', async (sink) => {
  await sendThrough(sink, { body: '', context: {} });
});

test('a header that would write headers of its own is refused', async () => {
  await using world = await openNotifier({
    certificates,
    sinks: [{ name: 'one', type: 'webhook', url: 'https://hook.example/', extra_headers: { 'X-A': 'b\r\nX-Evil: 1' } }],
  });
  expect(await world.notifier.send({ subject: 's' })).toEqual({ one: expect.stringContaining('characters that no header may') });
  expect(world.receiver.requests).toEqual([]);
});
