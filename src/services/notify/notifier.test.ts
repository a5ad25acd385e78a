import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import corpus from '../../../test/fixtures/corpus/secrets-masking.json' with { type: 'json' };
import {
  byPath,
  ERROR,
  hook,
  openNotifier,
  sinkCertificates,
  type TestNotifierOptions,
} from '../../../test/support/notify/open-notifier.ts';
import { readSink } from '../../app/state/read-sink.ts';
import { SecretNotFoundException } from '../../core/errors.ts';
import type { SinkTable } from '../../core/ports/notify.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const open = (sinks: readonly object[], options: Partial<TestNotifierOptions> = {}) => openNotifier({ certificates, sinks, ...options });

describe('sending', () => {
  test('without a sink nothing is sent and nothing remembered', async () => {
    await using world = await open([]);
    expect(await world.notifier.send(ERROR)).toEqual({});
    await world.notifier.add(hook('late'));
    expect(await world.notifier.send(ERROR)).toEqual({ late: 'sent' });
  });

  test('every sink gets the message, and one that fails disturbs no other', async () => {
    const sinks = [hook('good'), hook('bad', { url: 'https://hook.example/500' }), hook('closed', { url: 'https://10.0.0.1/secret' })];
    await using world = await open(sinks, { answer: byPath });
    expect(await world.notifier.send(ERROR)).toEqual({
      good: 'sent',
      bad: 'hook.example answered 500: no thanks.',
      closed: 'Its address at 10.0.0.1 is refused: it leads to an address that is not public; allow private hosts if that is meant.',
    });
    expect(world.counted.toSorted()).toEqual(['bad failed', 'closed failed', 'good sent']);
  });

  test('those that are named get it alone, and an unknown name is told', async () => {
    await using world = await open([hook('one'), hook('two')]);
    expect(await world.notifier.send(ERROR, ['two'])).toEqual({ two: 'sent' });
    expect(await world.notifier.send(ERROR, ['one'])).toEqual({ one: 'sent' });
    await expect(world.notifier.send(ERROR, ['three'])).rejects.toThrow(/no sink named three/);
  });

  test('a sink may take important messages only', async () => {
    await using world = await open([hook('all'), hook('errors', { min_level: 'error' })]);
    expect(await world.notifier.send({ subject: 'fine' })).toEqual({ all: 'sent', errors: 'skipped' });
    expect(await world.notifier.send(ERROR)).toEqual({ all: 'sent', errors: 'sent' });
  });

  test.each(['', 'two\r\nlines', 'nul\0'])('the subject %j is refused', async (subject) => {
    await using world = await open([hook('one')]);
    await expect(world.notifier.send({ subject })).rejects.toMatchObject({ type: 'NotificationException' });
  });

  test('no redirect is followed', async () => {
    await using world = await open([hook('one')], {
      answer: (_, response) => response.writeHead(307, { location: 'https://other.example/' }).end(),
    });
    expect(await world.notifier.send(ERROR)).toEqual({ one: expect.stringContaining('redirects') });
    expect(world.receiver.requests).toHaveLength(1);
  });

  test('a sink that is slow is given up after its own time', async () => {
    const answer: TestNotifierOptions['answer'] = () => {}; // says nothing
    await using world = await open([hook('slow', { timeout: 0.1 })], { answer });
    expect(await world.notifier.send(ERROR)).toEqual({ slow: 'The sink slow did not take the message within 0.1 s.' });
  });
});

describe('the same message', () => {
  test('is dropped within a minute of the last one sent, however often it comes', async () => {
    await using world = await open([hook('one')]);
    const answers: string[] = [];
    for (const seconds of [0, 30, 29, 2]) {
      await world.pass(seconds);
      answers.push((await world.notifier.send(ERROR)).one ?? '');
    }
    expect(answers).toEqual(['sent', 'dedup', 'dedup', 'sent']);
    expect(world.bodies()).toMatchObject([{ context: {} }, { context: { held_back: 2 } }]);
  });

  test('is another one with another body or level, and facts beside it do not count', async () => {
    await using world = await open([hook('one')]);
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'sent' });
    expect(await world.notifier.send({ ...ERROR, body: 'other' })).toEqual({ one: 'sent' });
    expect(await world.notifier.send({ ...ERROR, level: 'warning' })).toEqual({ one: 'sent' });
    expect(await world.notifier.send({ ...ERROR, context: { run_id: 'x' } })).toEqual({ one: 'dedup' });
  });

  test('is remembered over a restart, and forgotten with all sinks', async () => {
    await using world = await open([hook('one')]);
    await world.notifier.send(ERROR);
    const restarted = world.restarted();
    expect(await restarted.send(ERROR)).toEqual({ one: 'dedup' });
    expect(await restarted.unregisterAll()).toBe(1);
    await restarted.add(hook('one'));
    expect(await restarted.send(ERROR)).toEqual({ one: 'sent' });
  });
});

describe('messages that wait', () => {
  test('a digest gathers what came meanwhile into one', async () => {
    await using world = await open([hook('one', { digest_s: 60 })]);
    world.notifier.start();
    expect(await world.notifier.send({ subject: 'a', body: 'first' })).toEqual({ one: 'held' });
    expect(await world.notifier.send({ subject: 'b', level: 'warning' })).toEqual({ one: 'held' });
    await world.pass(65);
    expect(world.bodies()).toMatchObject([
      {
        subject: '2 notifications',
        level: 'warning',
        body: '[info] 2026-03-02T12:00:00.000Z a\nfirst\n\n[warning] 2026-03-02T12:00:00.000Z b',
        context: { count: 2 },
      },
    ]);
    await world.notifier.send({ subject: 'alone' });
    await world.pass(65);
    expect(world.bodies()[1]).toMatchObject({ subject: 'alone' });
  });

  test('in quiet hours only errors are told at once; the rest follows in the morning', async () => {
    const quiet = { quiet_hours: '22:00-07:00', time_zone: 'UTC' };
    await using world = await open([hook('one', quiet)], { startAt: '2026-03-02T23:00:00Z' });
    world.notifier.start();
    expect(await world.notifier.send({ subject: 'later' })).toEqual({ one: 'held' });
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'sent' });
    await world.pass(8 * 3_600 - 1);
    expect(world.bodies()).toMatchObject([{ subject: 'broken' }]);
    await world.pass(6);
    expect(world.bodies()).toMatchObject([{ subject: 'broken' }, { subject: 'later' }]);
  });

  test('a pager is never sent a digest', async () => {
    await using world = await open([{ type: 'pagerduty', name: 'pager', routing_key: 'k', digest_s: 60 }]);
    world.notifier.start();
    await world.notifier.send({ subject: 'a' });
    await world.notifier.send({ subject: 'b' });
    await world.pass(65);
    expect(world.bodies()).toMatchObject([{ payload: { summary: 'a' } }, { payload: { summary: 'b' } }]);
  });
});

describe('sinks', () => {
  test('are listed without anything secret', async () => {
    await using world = await open([
      hook('hook', { url: 'https://hook.example/secret' }),
      { type: 'slack', name: 'slack', webhook_url: '${env:SLACK}' },
      {
        type: 'email',
        name: 'mail',
        host: 'mail.example',
        sender: 'a@b.example',
        recipients: ['c@d.example'],
        username: 'u',
        password: 'pw',
      },
      { type: 'telegram', name: 'bot', bot_token: '1:secret', chat_id: '7' },
      { type: 'pagerduty', name: 'pager', routing_key: 'secret' },
    ]);
    expect(await world.notifier.list()).toEqual([
      { name: 'hook', type: 'webhook', url_host: 'hook.example' },
      { name: 'slack', type: 'slack', url_host: null },
      { name: 'mail', type: 'email', host: 'mail.example', port: 587, recipients: ['c@d.example'] },
      { name: 'bot', type: 'telegram', chat_id: '7' },
      { name: 'pager', type: 'pagerduty', source: 'factotum' },
    ]);
  });

  test('are registered, replaced and removed', async () => {
    await using world = await open([]);
    expect(await world.notifier.register(hook('one'))).toEqual({ name: 'one', type: 'webhook', url_host: 'hook.example' });
    await world.notifier.register(hook('one', { url: 'https://other.example/' }));
    expect(await world.notifier.list()).toMatchObject([{ url_host: 'other.example' }]);
    expect(await world.notifier.unregister('one')).toBe(true);
    expect(await world.notifier.unregister('one')).toBe(false);
  });

  test.each([
    ['an unknown kind', { type: 'pigeon', name: 'one' }, 'ConfigException', /webhook, slack, discord/],
    ['a missing key', { type: 'webhook', name: 'one' }, 'ConfigException', /sink\.url is missing/],
    ['an unknown key', hook('one', { urll: 'x' }), 'ConfigException', /no key sink\.urll/],
    ['no table at all', 'one', 'ConfigException', /sink/],
    ['a private network', hook('one', { allow_private_hosts: true }), 'NotificationException', /put it into the configuration/],
    ['a file of certificates', hook('one', { ca_file: '/etc/x.pem' }), 'NotificationException', /ca_file/],
    [
      'two addresses in one',
      { type: 'email', name: 'one', host: 'h', sender: 'a@b.example', recipients: ['a@b.example, c@d.example'] },
      'NotificationException',
      /plain form/,
    ],
  ])('a sink with %s is refused', async (_, table, type, message) => {
    await using world = await open([]);
    await expect(world.notifier.register(table)).rejects.toMatchObject({ type, message: expect.stringMatching(message) });
    expect(await world.notifier.list()).toEqual([]);
  });

  test('an address that may not be reached is refused without showing it', async () => {
    await using world = await open([], { addresses: ['10.0.0.1'] });
    const fault = await world.notifier.register(hook('one', { url: 'https://hook.example/T0PSECRET' })).catch((each: unknown) => each);
    expect(fault).toMatchObject({ type: 'UrlValidationException', context: { reason: 'address', host: 'hook.example' } });
    expect(inspect(fault, { depth: 9 })).not.toContain('T0PSECRET');
  });

  test('a new configuration takes the place of the old one; what callers registered stays', async () => {
    await using world = await open([hook('old')]);
    await world.notifier.add(hook('mine'));
    world.notifier.configure([]);
    expect(await world.notifier.list()).toMatchObject([{ name: 'mine' }]);
  });

  test('a new configuration brings its secrets and its time between equal messages', async () => {
    await using world = await open([]);
    const sink = await readSink(hook('one', { url: '${env:HOOK}' }));
    world.notifier.configure([sink], { dedupMs: 0, resolveSecret: async () => 'https://hook.example/new' });
    expect([await world.notifier.send(ERROR), await world.notifier.send(ERROR)]).toEqual([{ one: 'sent' }, { one: 'sent' }]);
    expect(world.receiver.requests).toMatchObject([{ url: 'https://hook.example/new' }, { url: 'https://hook.example/new' }]);
  });
});

describe('secrets', () => {
  const TOKEN = corpus.cases.find(({ id }) => id === 'notify')?.secrets[0] ?? '';

  test('of the configuration are looked up when they are used', async () => {
    await using world = await open([hook('one', { url: '${env:HOOK}', extra_headers: { 'X-Key': '${env:KEY}' } })], {
      secrets: { HOOK: 'https://hook.example/real', KEY: TOKEN },
    });
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'sent' });
    expect(world.receiver.requests).toMatchObject([{ url: 'https://hook.example/real', headers: { 'x-key': TOKEN } }]);
  });

  test('that are missing may be there at the next attempt', async () => {
    const resolveSecret = () => Promise.reject(new SecretNotFoundException('The reference ${env:HOOK} cannot be resolved.'));
    await using world = await open([hook('one', { url: '${env:HOOK}' })], { parts: { resolveSecret } });
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'The reference ${env:HOOK} cannot be resolved.' });
    expect(await world.store.notifications.waiting()).toBe(1);
  });

  test('are told from words that stand everywhere', async () => {
    await using world = await open([hook('one', { url: 'https://hook.example/backup', extra_headers: { Accept: 'text/plain' } })]);
    expect(world.masker.text('/backup/a of text/plain')).toBe('/backup/a of text/plain');
  });

  test('are not looked up for a sink that a caller registered', async () => {
    await using world = await open([], { secrets: { KEY: TOKEN } });
    await world.notifier.register(hook('one', { extra_headers: { 'X-Key': '${env:KEY}' } }));
    await world.notifier.send(ERROR);
    expect(world.receiver.requests[0]?.headers['x-key']).toBe('${env:KEY}');
  });

  test('are masked in what is sent and stored', async () => {
    await using world = await open([hook('one'), hook('digest', { digest_s: 60 })]);
    world.masker.learn(TOKEN);
    await world.notifier.send({ subject: `uses ${TOKEN}`, body: `Bearer ${TOKEN}`, context: { password: 'x', at: TOKEN } });
    const waiting = await world.store.notifications.due({ max: 9, leaseMs: 0 });
    world.notifier.start();
    await world.pass(65);
    expect(world.receiver.requests).toHaveLength(2);
    expect(JSON.stringify([world.receiver.requests, waiting, world.lines])).not.toContain(TOKEN);
    expect(world.bodies()[0]).toMatchObject({ subject: 'uses ***', body: 'Bearer ***', context: { password: '***', at: '***' } });
  });

  const SECRET = corpus.cases.find(({ id }) => id === 'emailsink')?.secrets[0] ?? '';
  test.each<[SinkTable['type'], object]>([
    ['webhook', { url: `https://hook.example/${SECRET}`, extra_headers: { 'X-Api-Key': SECRET }, hmac_secret: SECRET }],
    ['webhook', { url: 'https://hook.example/', extra_headers: { 'X-Team': SECRET } }],
    ['slack', { webhook_url: `https://hook.example/${SECRET}` }],
    ['discord', { webhook_url: `https://hook.example/${SECRET}` }],
    ['teams', { webhook_url: `https://hook.example/?sig=${SECRET}` }],
    ['telegram', { bot_token: SECRET, chat_id: '1' }],
    ['pagerduty', { routing_key: SECRET }],
    ['email', { host: 'hook.example', sender: 'a@b.example', recipients: ['a@b.example'], username: 'u', password: SECRET, timeout: 0.2 }],
  ])('of a sink of the kind %s show nowhere, even if the server sends them back', async (type, table) => {
    const answer: TestNotifierOptions['answer'] = ({ url, body, headers }, response) =>
      response.writeHead(500).end(`${new URL(url).pathname} ${url} ${body} ${JSON.stringify(headers)}`);
    await using world = await open([{ type, name: 'one', ...table }], { answer });
    const answers = await world.notifier.send(ERROR);
    expect(answers.one).not.toBe('sent');
    const waiting = await world.store.notifications.due({ max: 9, leaseMs: 0 });
    const shown = [answers, world.notifier, await world.notifier.list(), world.lines, waiting].map((each) =>
      inspect(each, { depth: 9, showHidden: true }),
    );
    expect(shown.join('\n')).not.toContain(SECRET);
  });
});
