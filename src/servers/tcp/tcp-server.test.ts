import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectTo, type LineClient, openTcpHouse } from '../../../test/support/tcp-door.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';

const SECRET = 'tok-0123456789abcdef';
const values = (lines: readonly unknown[]): unknown[] =>
  (lines as { results?: { value: unknown }[]; error?: { type: string } }[]).map(({ results, error }) => error?.type ?? results?.[0]?.value);

/** Waits until a count has begun to grow and stands still. */
const untilSettled = async (count: () => number): Promise<void> => {
  for (let before = 0, now = count(); now === 0 || now > before; now = count()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe('lists of one connection', () => {
  test('are answered in their order, one line each, after the client has ended its side', async () => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    const numbers = Array.from({ length: 5_000 }, (_, at) => at);
    client.socket.end(numbers.map((value) => `[["FA_t_echo",{"value":${value}}]]`).join(''));
    expect(values(await client.rest())).toEqual(numbers);
  });

  test('run one after another, and an answer does not wait for the list behind it', async () => {
    await using tcp = await openTcpHouse();
    const waiting = waitingActions();
    tcp.house.factotum.registry.registerMany(waiting.actions);
    using client = connectTo(tcp.door.port);
    client.socket.end('[["FA_t_echo",[1]]][["FA_t_wait",["a"]]][["FA_t_wait",["b"]]]');
    expect(values([await client.next()])).toEqual([1]);
    await waiting.untilBegun(1);
    expect(waiting.begun).toEqual(['a']);
    waiting.release('a');
    waiting.release('b');
    expect(values(await client.rest())).toEqual(['a', 'b']);
  });

  test('that are refused are answered with their error, and those after them run', async () => {
    await using tcp = await openTcpHouse({ acl: { deny: ['FA_t_deny'] } });
    using client = connectTo(tcp.door.port);
    const lists = [
      '{"a":1,"a":2}',
      '[["FA_t_echo",[12345678901234567890]]]',
      '{"actions":[["FA_no_such"]],"validate_first":true}',
      '{"nodes":[{"id":"a","action":["FA_t_touch"],"depends_on":["a"]}]}',
      '[["FA_t_touch"],["FA_t_deny"]]',
      '{"actions":[["FA_t_touch"]],"expect_plan":"00"}',
      '{"unknown":[]}',
      '[["FA_t_echo",["still here"]]]',
    ];
    client.socket.end(lists.join('\n'));
    expect(values(await client.rest())).toEqual([
      'JsonActionException',
      'JsonActionException',
      'ValidationException',
      'DagException',
      'ActionNotPermittedException',
      'PlanChangedException',
      'JsonActionException',
      'still here',
    ]);
    expect(tcp.house.touched).toBe(0);
  });

  test.each([
    ['a word of no kind', '[["FA_t_touch"],nope]'],
    ['brackets that do not match', '[["FA_t_touch"]}'],
    ['a missing quotation mark, after which the inside of a text would pass for a list', '["oops][["FA_t_echo",["][[1]]"]]]'],
    ['bytes that are not UTF-8', Buffer.from('5b5b2246415f745f746f756368222c5b22ff225d5d5d', 'hex')],
  ])('end at one that is no JSON: %s', async (_, broken) => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    client.socket.write(Buffer.concat([Buffer.from(broken), Buffer.from('[["FA_t_touch"]]')]));
    expect(await client.rest()).toMatchObject([{ error: { type: 'JsonActionException' } }]);
    expect(tcp.house.touched).toBe(0);
  });

  test('show no secret of the house', async () => {
    await using tcp = await openTcpHouse({ env: { TOK: SECRET } });
    using client = connectTo(tcp.door.port);
    client.socket.end('[["FA_t_echo",["${env:TOK}"]],["FA_t_echo",["a"]]]');
    expect(values(await client.rest())).toEqual(['***']);
  });

  test('come no faster than their answers are taken', async () => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    const repeated = 'a'.repeat(200_000);
    tcp.house.factotum.registry.register('FA_t_large', () => repeated);
    client.socket.write('[["FA_t_touch"],["FA_t_large"]]'.repeat(200));
    await untilSettled(() => tcp.house.touched);
    expect(tcp.house.touched).toBeLessThan(150);
    client.socket.end();
    expect(await client.rest()).toHaveLength(200);
  });
});

describe('a secret', () => {
  test('may be sent again and is checked again', async () => {
    await using tcp = await openTcpHouse({ secret: SECRET });
    using client = connectTo(tcp.door.port);
    client.socket.write(`AUTH ${SECRET}\n[["FA_t_touch"]]AUTH ${SECRET}\n[["FA_t_touch"]]AUTH wrong\n[["FA_t_touch"]]`);
    expect(values(await client.rest())).toEqual([1, 2, 'TCPAuthException']);
  });

  test('is not asked for where none is set, and does no harm', async () => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    client.socket.end('AUTH anything\n[["FA_t_touch"]]');
    expect(values(await client.rest())).toEqual([1]);
  });

  test('that is wrong too often is told to wait, and a right one passes all the same', async () => {
    await using tcp = await openTcpHouse({ secret: SECRET, limits: { wrongSecretsPerMinute: 2 } });
    const tryOnce = async (secret: string) => {
      using client = connectTo(tcp.door.port);
      client.socket.end(`AUTH ${secret}\n[["FA_t_touch"]]`);
      return await client.next();
    };
    expect(await tryOnce('a')).toMatchObject({ error: { type: 'TCPAuthException', retryable: false } });
    await tryOnce('b');
    expect(await tryOnce('c')).toMatchObject({ error: { type: 'TCPAuthException', retryable: true, context: { retry_after_s: 60 } } });
    expect(await tryOnce(SECRET)).toMatchObject({ status: 'ok' });
  });
});

describe('limits', () => {
  test('a client that stops in the middle of a list is told so and closed', async () => {
    await using tcp = await openTcpHouse({ limits: { bodyIdleTimeoutS: 0.1 } });
    using client = connectTo(tcp.door.port);
    client.socket.write('[["FA_t_touch"]][[');
    expect(values(await client.rest())).toEqual([1, 'TimeoutException']);
  });

  test('a client that sends a list byte by byte is told so and closed', async () => {
    await using tcp = await openTcpHouse({ limits: { bodyTimeoutS: 0.2 } });
    using client = connectTo(tcp.door.port);
    const drip = setInterval(() => client.socket.write('['), 20);
    expect(values(await client.rest())).toEqual(['TimeoutException']);
    clearInterval(drip);
  });

  test('a client that is silent between lists is closed without a word', async () => {
    await using tcp = await openTcpHouse({ limits: { tcpIdleS: 0.1 } });
    using client = connectTo(tcp.door.port);
    client.socket.write('[["FA_t_touch"]]');
    expect(values(await client.rest())).toEqual([1]);
  });

  test('a client that keeps us waiting for its secret is closed', async () => {
    await using tcp = await openTcpHouse({ secret: SECRET, limits: { headersTimeoutS: 0.1 } });
    using client = connectTo(tcp.door.port);
    const drip = setInterval(() => client.socket.write(' '), 20);
    expect(values(await client.rest())).toEqual(['TCPAuthException']);
    clearInterval(drip);
  });

  test('a list that takes longer than any of them is finished', async () => {
    await using tcp = await openTcpHouse({ limits: { tcpIdleS: 0.05, bodyIdleTimeoutS: 0.05, bodyTimeoutS: 0.05 } });
    tcp.house.factotum.registry.register('FA_t_pause', () => new Promise((resolve) => setTimeout(resolve, 200, 'done')));
    using client = connectTo(tcp.door.port);
    client.socket.write('[["FA_t_pause"]]');
    expect(values(await client.rest())).toEqual(['done']);
  });

  test('connections beyond the limit are closed at once', async () => {
    await using tcp = await openTcpHouse({ limits: { tcpConnections: 8 } });
    const clients = Array.from({ length: 12 }, () => connectTo(tcp.door.port));
    const answers = await Promise.all(
      clients.map(async ({ socket, rest, next }) => {
        socket.on('error', () => {}); // those turned away may notice while they write
        socket.write('[["FA_t_echo",["in"]]]');
        return values([(await next()) ?? (await rest())])[0];
      }),
    );
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(8);
    for (const client of clients) client[Symbol.dispose]();
  });

  describe('where all connections are taken', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
    afterEach(() => void vi.useRealTimers());
    const later = () => vi.advanceTimersByTime(10_000);
    const echo = async (client: LineClient, word: string) => {
      client.socket.write(`[["FA_t_echo",["${word}"]]]`);
      return values([await client.next()])[0];
    };

    test('one that is idle makes room, the longest first; those with a list under way never do', async () => {
      await using tcp = await openTcpHouse({ limits: { tcpConnections: 3 } });
      const waiting = waitingActions();
      tcp.house.factotum.registry.registerMany(waiting.actions);
      using working = connectTo(tcp.door.port);
      working.socket.write('[["FA_t_wait",["a"]]]');
      await waiting.untilBegun(1);
      using halfway = connectTo(tcp.door.port);
      halfway.socket.write('[["FA_t_echo",["first"]]][[');
      expect(values([await halfway.next()])).toEqual(['first']);
      using idle = connectTo(tcp.door.port);
      expect(await echo(idle, 'in')).toBe('in');
      later();
      using next = connectTo(tcp.door.port);
      expect(await echo(next, 'in too')).toBe('in too');
      expect(await idle.rest()).toEqual([]);
      using tooMany = connectTo(tcp.door.port); // the one before it has just been answered
      expect(await tooMany.rest()).toEqual([]);
      waiting.release('a');
      expect(values([await working.next()])).toEqual(['a']);
      halfway.socket.end('"FA_t_echo",["whole"]]]');
      expect(values(await halfway.rest())).toEqual(['whole']);
    });

    test('those that have not shown a secret go first', async () => {
      await using tcp = await openTcpHouse({ secret: SECRET, limits: { tcpConnections: 3 } });
      const enter = async () => {
        const client = connectTo(tcp.door.port);
        client.socket.write(`AUTH ${SECRET}\n`);
        expect(await echo(client, 'in')).toBe('in');
        return client;
      };
      using known = await enter();
      later();
      using stranger = connectTo(tcp.door.port);
      using other = await enter(); // so the one before it has been let in too
      later();
      using next = await enter();
      expect(await stranger.rest()).toEqual([]);
      for (const client of [known, other, next]) expect(await echo(client, 'still in')).toBe('still in');
    });

    test('a list that came together with the secret is not cut off', async () => {
      await using tcp = await openTcpHouse({ secret: SECRET, limits: { tcpConnections: 1 } });
      const waiting = waitingActions();
      tcp.house.factotum.registry.registerMany(waiting.actions);
      using working = connectTo(tcp.door.port);
      working.socket.write(`AUTH ${SECRET}\n[["FA_t_wait",["a"]]]`);
      await waiting.untilBegun(1);
      later();
      using tooMany = connectTo(tcp.door.port);
      expect(await tooMany.rest()).toEqual([]);
      waiting.release('a');
      expect(values([await working.next()])).toEqual(['a']);
    });
  });

  test('a list beyond those under way is told to try again', async () => {
    await using tcp = await openTcpHouse({ limits: { inFlight: 0 } });
    using client = connectTo(tcp.door.port);
    client.socket.end('[["FA_t_touch"]]');
    expect(await client.rest()).toMatchObject([{ error: { type: 'RateLimitExceededException', retryable: true } }]);
  });
});

describe('closing the door', () => {
  test('finishes and answers the list under way, refuses those behind it, and lets nobody in', async () => {
    await using tcp = await openTcpHouse();
    const waiting = waitingActions();
    tcp.house.factotum.registry.registerMany(waiting.actions);
    using client = connectTo(tcp.door.port);
    client.socket.write('[["FA_t_wait",["a"]]][["FA_t_touch"]]');
    await waiting.untilBegun(1);
    const closed = tcp.door.close();
    using late = connectTo(tcp.door.port);
    await once(late.socket, 'error');
    waiting.release('a');
    expect(values(await client.rest())).toEqual(['a', 'CancelledException']);
    await closed;
    expect(tcp.house.touched).toBe(0);
  });

  test('ends clients that wait, also those that never close their side', async () => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    client.socket.write('[]');
    await client.next();
    await tcp.door.close();
    expect(await client.rest()).toEqual([]);
  });
});

test('a service that stops takes no more lists', async () => {
  await using tcp = await openTcpHouse();
  using client = connectTo(tcp.door.port);
  await tcp.turnstile.drain();
  client.socket.end('[["FA_t_touch"]]');
  expect(await client.rest()).toMatchObject([{ error: { type: 'CancelledException', context: { reason: 'draining' } } }]);
});

test('a client that went away cancels nothing', async () => {
  await using tcp = await openTcpHouse();
  const waiting = waitingActions();
  tcp.house.factotum.registry.registerMany(waiting.actions);
  const client = connectTo(tcp.door.port);
  client.socket.write('[["FA_t_wait",["a"]],["FA_t_touch"]]');
  await waiting.untilBegun(1);
  client.socket.resetAndDestroy();
  waiting.release('a');
  while (tcp.turnstile.inFlight > 0) await new Promise(setImmediate);
  expect(tcp.house.touched).toBe(1);
});

test('an address that others can reach is refused unless it is allowed', async () => {
  await expect(openTcpHouse({ host: '0.0.0.0' })).rejects.toMatchObject({ type: 'BindRefusedException' });
  await using tcp = await openTcpHouse({ host: '0.0.0.0', allowNonLoopback: true });
  expect(tcp.house.lines.join()).toContain('no secret is set');
  await expect(openTcpHouse({ host: '0.0.0.0', allowNonLoopback: true, demandSecret: true })).rejects.toThrow(/no secret is set/);
});
