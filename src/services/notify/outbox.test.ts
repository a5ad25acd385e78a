import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import {
  byPath,
  ERROR,
  hook,
  openNotifier,
  sinkCertificates,
  type TestNotifierOptions,
} from '../../../test/support/notify/open-notifier.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import type { Store } from '../engine/port.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const open = (sinks: readonly object[], options: Partial<TestNotifierOptions> = {}) => openNotifier({ certificates, sinks, ...options });

describe('a message that was not taken', () => {
  test('is sent again after growing pauses, under the same id', async () => {
    let failures = 2;
    await using world = await open([hook('one')], {
      answer: (_, response) => {
        failures -= 1;
        response.writeHead(failures >= 0 ? 503 : 200).end();
      },
    });
    world.notifier.start();
    await world.pass(1);
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'hook.example answered 503.' });
    await world.pass(14);
    expect(world.receiver.requests).toHaveLength(1);
    await world.pass(6);
    expect(world.receiver.requests).toHaveLength(2);
    await world.pass(40);
    expect(world.receiver.requests).toHaveLength(3);
    await world.pass(600);
    expect(world.receiver.requests).toHaveLength(3);
    expect(new Set(world.receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await world.store.notifications.waiting()).toBe(0);
  });

  test('is sent by the next process, if this one dies', async () => {
    let isDown = true;
    await using world = await open([hook('one')], { answer: (_, response) => response.writeHead(isDown ? 503 : 200).end() });
    await world.notifier.send(ERROR);
    isDown = false;
    const next = world.restarted();
    next.start();
    await world.pass(60);
    expect(world.receiver.requests).toHaveLength(2);
    await next.close();
  });

  test('is not given up early because many wait with it', async () => {
    let isDown = true;
    await using world = await open([hook('one')], { answer: (_, response) => response.writeHead(isDown ? 503 : 200).end() });
    world.notifier.start();
    for (let each = 0; each < 30; each += 1) await world.notifier.send({ subject: `message ${each}` });
    await world.pass(3 * 3_600);
    const tried = world.receiver.requests.length;
    isDown = false;
    await world.pass(3_700);
    expect(world.receiver.requests.length - tried).toBe(30);
    expect(world.lines.join()).not.toContain('given up');
    expect(tried).toBeLessThan(30 + 30); // a sink that is down is not asked for each of them
  });

  test('does not keep others from a sink that will never take it', async () => {
    let isDown = true;
    const answer: TestNotifierOptions['answer'] = ({ body }, response) =>
      response.writeHead(isDown || body.includes('bad') ? 500 : 200).end();
    await using world = await open([hook('one')], { answer });
    for (const subject of ['bad', 'good', 'also good']) await world.notifier.send({ subject });
    world.notifier.start();
    await world.pass(20);
    isDown = false;
    await world.pass(60);
    expect(await world.store.notifications.waiting()).toBe(1);
  });

  test('is one try for all that wait for a sink that is down, however many there are', async () => {
    await using world = await open([hook('one')], { answer: (_, response) => response.writeHead(503).end() });
    for (let each = 0; each < 250; each += 1) await world.notifier.send({ subject: `message ${each}` });
    const before = world.receiver.requests.length;
    world.notifier.start();
    await world.pass(20);
    expect(world.receiver.requests.length - before).toBe(1); // not one for each page of the store
  });

  test('waits as long as the server asks', async () => {
    await using world = await open([hook('one')], { answer: (_, response) => response.writeHead(429, { 'retry-after': '100' }).end() });
    world.notifier.start();
    await world.notifier.send(ERROR);
    await world.pass(99);
    expect(world.receiver.requests).toHaveLength(1);
    await world.pass(10);
    expect(world.receiver.requests).toHaveLength(2);
  });

  test.each(['99999999', '1e400'])('waits an hour at most, even if the server asks for %s seconds', async (seconds) => {
    await using world = await open([hook('one')], { answer: (_, response) => response.writeHead(503, { 'retry-after': seconds }).end() });
    world.notifier.start();
    await world.notifier.send(ERROR);
    await world.pass(3_700);
    expect(world.receiver.requests).toHaveLength(2);
  });

  test('is told from one whose answer never ends', async () => {
    const answer: TestNotifierOptions['answer'] = (_, response) => void response.writeHead(200).write('ok, and');
    await using world = await open([hook('one', { timeout: 5 })], { answer });
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'sent' });
    expect(await world.store.notifications.waiting()).toBe(0);
  });

  test.each([
    ['is long', (response: ServerResponse) => response.end('<p>down</p>'.repeat(20_000))],
    ['breaks off', (response: ServerResponse) => response.write('down', () => response.destroy())],
  ])('waits where the page that says why %s', async (_, end) => {
    await using world = await open([hook('one')], { answer: (_, response) => void end(response.writeHead(503)) });
    expect(await world.notifier.send(ERROR)).toEqual({ one: expect.stringMatching(/^hook\.example answered 503/) });
    expect(await world.store.notifications.waiting()).toBe(1);
  });

  test.each([400, 401, 404])('is given up at once where the server says %i', async (status) => {
    await using world = await open([hook('one', { url: `https://hook.example/${status}` })], { answer: byPath });
    await world.notifier.send(ERROR);
    expect(await world.store.notifications.waiting()).toBe(0);
    expect(world.lines.join()).toContain('given up');
  });

  test('is given up in the end', async () => {
    await using world = await open([hook('one', { url: 'https://hook.example/500' })], { answer: byPath });
    world.notifier.start();
    await world.notifier.send(ERROR);
    for (let hours = 0; hours < 12; hours += 1) await world.pass(3_600);
    expect(await world.store.notifications.waiting()).toBe(0);
    expect(world.receiver.requests).toHaveLength(12);
  });

  test('is kept for the next start when the service stops meanwhile', async () => {
    const isGrace = (ms: number) => ms === 3_000;
    const setTimer = (work: () => void, ms: number) => {
      if (isGrace(ms)) setImmediate(work);
      return () => {};
    };
    await using world = await open([hook('one')], { answer: () => {}, parts: { setTimer } });
    const answers = world.notifier.send(ERROR);
    await expect.poll(() => world.receiver.requests.length).toBe(1);
    await world.notifier.close();
    expect(await answers).toEqual({ one: 'The service stops; the message is sent after its next start.' });
    expect(await world.store.notifications.waiting()).toBe(1);
  });

  test('of a sink that is gone waits for its return', async () => {
    await using world = await open([hook('one', { url: 'https://hook.example/503' })], { answer: byPath });
    world.notifier.start();
    await world.notifier.send(ERROR);
    await world.notifier.unregister('one');
    await world.pass(60);
    expect(world.receiver.requests).toHaveLength(1);
    await world.notifier.add(hook('one'));
    await world.pass(120);
    expect(world.receiver.requests.at(-1)?.url).toBe('https://hook.example/one');
    expect(await world.store.notifications.waiting()).toBe(0);
  });

  test('of a very patient sink is sent again too', async () => {
    let isDown = true;
    await using world = await open([hook('one', { timeout: 3_600 })], {
      answer: (_, response) => response.writeHead(isDown ? 503 : 200).end(),
    });
    world.notifier.start();
    await world.notifier.send(ERROR);
    isDown = false;
    await world.pass(30);
    expect(world.receiver.requests).toHaveLength(2);
  });

  test('is sent even where the store fails', async () => {
    const store = memoryStore();
    const fail = () => Promise.reject(new Error('the disk is full'));
    const broken: Store = { ...store, notifications: { ...store.notifications, admit: fail, post: fail } };
    await using world = await open([hook('one'), hook('digest', { digest_s: 60 })], { store: broken });
    expect(await world.notifier.send(ERROR)).toEqual({ one: 'sent', digest: 'sent' });
    expect(world.lines.join()).toContain('the disk is full');
  });
});

describe('a flood of reports', () => {
  const failed = (world: Awaited<ReturnType<typeof open>>, name: string | null, at: number) =>
    world.notifier.runEnded({ claim: { source: 'queue', name, runId: `r-${at}` }, outcome: new Error(`no ${at}`) });
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise(setImmediate);
  };
  const COUNT = 150;

  test.each([
    ['of lists without a name', null, { going: 16, connections: 16 }],
    ['of one job, whose messages go one after the other', 'nightly', { going: 2, connections: 1 }],
  ])('%s waits in the store, not in connections to a sink that hangs, and each is sent in the end', async (_, name, most) => {
    let hung: ServerResponse[] | undefined = [];
    await using world = await open([hook('one')], {
      answer: (_request, response) => (hung === undefined ? response.end() : void hung.push(response)),
    });
    for (let at = 0; at < COUNT; at += 1) void failed(world, name, at);
    await until(() => world.counted.length === COUNT - most.going);
    expect(new Set(world.counted)).toEqual(new Set(['one held']));
    expect(await world.store.notifications.waiting()).toBe(COUNT);
    await until(() => hung?.length === most.connections);
    const waiting = hung;
    hung = undefined;
    for (const response of waiting) response.end();
    await until(async () => (await world.store.notifications.waiting()) === COUNT - most.going);
    world.notifier.start();
    await world.pass(60);
    const bodies = world.bodies().map((each) => (each as { body: string }).body);
    expect(bodies).toHaveLength(COUNT);
    expect(new Set(bodies).size).toBe(COUNT);
  });
});

test.each([
  ['a date', { 'retry-after': 'Mon, 02 Mar 2026 12:01:40 GMT' }, ''],
  ['a number in the body, as Telegram does', {}, '{"ok":false,"parameters":{"retry_after":100}}'],
])('a sink that says by %s how long it wants to be left alone is not asked earlier', async (_, headers, body) => {
  await using world = await open([hook('one')], { answer: (_request, response) => response.writeHead(429, headers).end(body) });
  world.notifier.start();
  await world.pass(0);
  await world.notifier.send(ERROR);
  await world.pass(99);
  expect(world.receiver.requests).toHaveLength(1);
  await world.pass(7);
  expect(world.receiver.requests).toHaveLength(2);
});
