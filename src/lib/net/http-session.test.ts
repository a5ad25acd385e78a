import { createHash } from 'node:crypto';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCertificates } from '../../../test/support/net/certificates.ts';
import { type HttpSessionOptions, openHttpSession, type RequestBody } from './http-session.ts';
import { createNetwork } from './network.ts';

const { signal } = new AbortController();
const certificates = makeCertificates(['localhost']);
afterAll(() => certificates[Symbol.dispose]());

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // it listens on a port, not on a path
};

const openAt = (origin: string, options: Partial<HttpSessionOptions> = {}) =>
  openHttpSession({ origin: new URL(origin), network: createNetwork(), rules: { allowPrivate: true }, ...options });

/** A session with a server of Node's own; counts its connections. */
const openWithHttp = async (listener: RequestListener, options: Partial<HttpSessionOptions> = {}, isSecure = false) => {
  const server = isSecure ? createHttps({ cert: certificates.cert, key: certificates.key }, listener) : createHttp(listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  const session = openAt(isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`, { ca: certificates.ca, ...options });
  return {
    session,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** A session with a server that does as it likes with each connection. */
const openWithTcp = async (onConnection: (socket: Socket, at: number) => void, options: Partial<HttpSessionOptions> = {}) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket, sockets.size);
  });
  const session = openAt(`http://127.0.0.1:${await listen(server)}`, options);
  return {
    session,
    get connections() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
};

/** A body whose chunks use the same memory again. */
const reused = (texts: readonly string[], isLengthKnown = true): RequestBody => ({
  ...(isLengthKnown && { bytes: texts.join('').length }),
  chunks: (async function* () {
    const memory = Buffer.alloc(1000);
    for (const text of texts) yield memory.subarray(0, memory.write(text));
  })(),
});

const echo: RequestListener = async (request, response) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of request) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  response
    .setHeader('x-two', ['a', 'b'])
    .end(JSON.stringify([request.method, request.url, bytes, hash.digest('hex').slice(0, 8), length ?? coding ?? null]));
};
const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex').slice(0, 8);

describe.each([false, true])('over TLS: %s', (isSecure) => {
  test('a request goes out as it was written, and the answer comes back as it was sent, over one connection', async () => {
    await using at = await openWithHttp(echo, {}, isSecure);
    const send = async (method: string, body?: Uint8Array | RequestBody) => {
      const answer = await at.session.send({ method, path: '/a%2Fb/%2e?q=%41', ...(body && { body }), signal });
      expect([answer.status, answer.headers['x-two']]).toEqual([200, 'a, b']);
      return JSON.parse((await answer.bytes(1000)).toString());
    };
    const url = '/a%2Fb/%2e?q=%41';
    expect(await send('PROPFIND', reused(['abc', 'def']))).toEqual(['PROPFIND', url, 6, sha('abcdef'), '6']);
    expect(await send('PUT', reused(['abc', 'def'], false))).toEqual(['PUT', url, 6, sha('abcdef'), 'chunked']);
    expect(await send('PUT', reused([]))).toEqual(['PUT', url, 0, sha(''), '0']);
    expect(await send('PUT', reused([], false))).toEqual(['PUT', url, 0, sha(''), 'chunked']);
    expect(await send('POST', Buffer.from('xyz'))).toEqual(['POST', url, 3, sha('xyz'), '3']);
    expect(await send('POST')).toEqual(['POST', url, 0, sha(''), '0']);
    expect(await send('MKCOL')).toEqual(['MKCOL', url, 0, sha(''), null]);
    expect(at.connections).toBe(1);
  });

  test('megabytes go and come whole, though whoever reads is slow', async () => {
    const large = Buffer.alloc(5_000_003, 'the quick brown fox ');
    await using at = await openWithHttp(
      (request, response) =>
        request.method === 'PUT'
          ? void echo(request, response)
          : void response.writeHead(200, { 'content-length': large.length }).end(large),
      {},
      isSecure,
    );
    const body = () => ({
      chunks: (async function* () {
        for (let from = 0; from < large.length; from += 70_001) yield Buffer.from(large.subarray(from, from + 70_001));
      })(),
    });
    for (const sent of [large, { ...body(), bytes: large.length }, body()]) {
      const answer = await at.session.send({ method: 'PUT', path: '/', body: sent, signal });
      expect(JSON.parse((await answer.bytes(1000)).toString()).slice(2, 4)).toEqual([large.length, sha(large)]);
    }
    const hash = createHash('sha256');
    const answer = await at.session.send({ method: 'GET', path: '/', signal });
    for await (const chunk of answer.body) {
      await new Promise((resolve) => setImmediate(resolve));
      hash.update(chunk);
    }
    expect(hash.digest('hex').slice(0, 8)).toBe(sha(large));
    expect(at.connections).toBe(1);
  });
});

test('an answer in chunks, or to the end of the connection, comes whole', async () => {
  await using chunked = await openWithHttp((_, response) => {
    response.write('one ');
    response.end('two');
  });
  await using closing = await openWithTcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nto the end')));
  const get = async ({ session }: typeof chunked | typeof closing) =>
    (await (await session.send({ method: 'GET', path: '/', signal })).bytes(100)).toString();
  expect([await get(chunked), await get(closing)]).toEqual(['one two', 'to the end']);
});

test('no more connections than allowed, and all get their turn', async () => {
  await using at = await openWithHttp((_, response) => void setImmediate(() => response.end('x')), { maxConnections: 3 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => (await (await at.session.send({ method: 'GET', path: '/', signal })).bytes(10)).toString()),
  );
  expect([answers.join('').length, at.connections]).toEqual([50, 3]);
});

test('an answer before the end of the request stops the sending', async () => {
  await using at = await openWithTcp((socket) =>
    socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too large\r\ncontent-length: 2\r\n\r\nno')),
  );
  let isGivenUp = false;
  const body = {
    bytes: 10_000_000_000,
    chunks: (async function* () {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        isGivenUp = true;
      }
    })(),
  };
  const answer = await at.session.send({ method: 'PUT', path: '/', body, signal });
  expect([answer.status, (await answer.bytes(10)).toString()]).toEqual([413, 'no']);
  await expect.poll(() => isGivenUp).toBe(true);
});

describe('a kept connection', () => {
  /** Answers once and ends the connection at the next request. */
  const fickle = (socket: Socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
      socket.once('data', () => socket.destroy());
    });

  test('that is gone when it is used is replaced, where asking twice is asking once', async () => {
    await using at = await openWithTcp(fickle);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await (await at.session.send({ method: 'GET', path: '/', signal })).bytes(9)).toString()).toBe('x');
    expect(at.connections).toBe(3);
    await expect(at.session.send({ method: 'POST', path: '/', signal })).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|EPIPE/),
    });
    expect(at.connections).toBe(3);
  });

  test.each([
    ['the server says so', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\nx'],
    ['more came than was said', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nxHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'],
  ])('is not used again where %s', async (_, answer) => {
    await using at = await openWithTcp((socket) => socket.on('data', () => socket.write(answer)));
    for (let turn = 0; turn < 2; turn += 1)
      expect((await (await at.session.send({ method: 'GET', path: '/', signal })).bytes(9)).toString()).toBe('x');
    expect(at.connections).toBe(2);
  });

  test('is not used again where the body was given up', async () => {
    await using at = await openWithHttp(
      (_, response) => void response.writeHead(200, { 'content-length': 5_000_000 }).end(Buffer.alloc(5_000_000)),
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await at.session.send({ method: 'GET', path: '/', signal });
      if (turn === 0) await body[Symbol.asyncIterator]().return?.();
      else for await (const _ of body) break;
    }
    await (await at.session.send({ method: 'GET', path: '/', signal })).bytes(5_000_000);
    expect(at.connections).toBe(3);
  });
});

describe('a server that breaks off', () => {
  test('gives what it sent before that is told', async () => {
    await using at = await openWithTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel')),
    );
    const { body } = await at.session.send({ method: 'GET', path: '/', signal });
    await new Promise((resolve) => setImmediate(resolve));
    let got = '';
    const reading = (async () => {
      for await (const chunk of body) got += Buffer.from(chunk).toString();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(got).toBe('hel');
  });

  test('before its head is told so', async () => {
    await using at = await openWithTcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 2')));
    await expect(at.session.send({ method: 'GET', path: '/', signal })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('silence ends after its time', () => {
  test('before the head, though a byte comes now and then', async () => {
    await using at = await openWithTcp(
      (socket) => {
        const timer = setInterval(() => socket.write('H'), 20);
        socket.once('close', () => clearInterval(timer));
      },
      { firstByteMs: 100 },
    );
    await expect(at.session.send({ method: 'GET', path: '/', signal })).rejects.toMatchObject({
      code: expect.stringMatching(/ETIMEDOUT|HPE_INVALID_ANSWER/),
    });
  });

  test('in the body, however patient it was before the head', async () => {
    await using at = await openWithTcp(
      (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel')),
      {
        firstByteMs: 60_000,
        idleMs: 100,
      },
    );
    await expect((await at.session.send({ method: 'GET', path: '/', signal })).bytes(10)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  test('while it takes nothing', async () => {
    await using at = await openWithTcp((socket) => void socket.pause(), { idleMs: 100 });
    const body = {
      bytes: 1e9,
      chunks: (async function* () {
        for (;;) yield Buffer.alloc(100_000);
      })(),
    };
    await expect(at.session.send({ method: 'PUT', path: '/', body, signal })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });
});

describe('calling off', () => {
  const stalled = (socket: Socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel'));

  test('ends a request, a body and a wait for a turn with the reason', async () => {
    await using silent = await openWithTcp(() => {}, { maxConnections: 1 });
    const stop = new AbortController();
    const asked = [1, 2].map(() => silent.session.send({ method: 'GET', path: '/', signal: stop.signal }));
    setImmediate(() => stop.abort(new Error('enough')));
    for (const each of asked) await expect(each).rejects.toThrow('enough');
    await using at = await openWithTcp(stalled);
    const other = new AbortController();
    const { body } = await at.session.send({ method: 'GET', path: '/', signal: other.signal });
    const reading = (async () => {
      for await (const _ of body) other.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    await expect(at.session.send({ method: 'GET', path: '/', signal: other.signal })).rejects.toThrow('enough');
  });

  test('the session ends what is under way', async () => {
    await using at = await openWithTcp(stalled);
    const answer = await at.session.send({ method: 'GET', path: '/', signal });
    const reading = answer.bytes(100);
    await at.session[Symbol.asyncDispose]();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(at.session.send({ method: 'GET', path: '/', signal })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  test('a body is given up while somebody waits for it', async () => {
    await using at = await openWithTcp(stalled);
    const { body } = await at.session.send({ method: 'GET', path: '/', signal });
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    const waiting = chunks.next();
    await chunks.return?.();
    await expect(waiting).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

test.each<[string, number | undefined, readonly string[]]>([
  ['longer', 3, ['abcd']],
  ['shorter', 9, ['abc']],
])('a body that is %s than it said is a fault', async (_, bytes, texts) => {
  await using at = await openWithHttp(echo);
  await expect(at.session.send({ method: 'PUT', path: '/', body: { ...reused(texts), bytes }, signal })).rejects.toMatchObject({
    code: 'ERR_BODY_LENGTH',
  });
});

test('what a source throws comes out as it is', async () => {
  await using at = await openWithHttp(echo);
  const body = {
    chunks: (async function* () {
      yield Buffer.from('x');
      throw new Error('the source broke');
    })(),
  };
  await expect(at.session.send({ method: 'PUT', path: '/', body, signal })).rejects.toThrow('the source broke');
});

test('an answer that is too long for whoever wants all of it is refused', async () => {
  await using at = await openWithHttp((_, response) => void response.end('x'.repeat(100)));
  await expect((await at.session.send({ method: 'GET', path: '/', signal })).bytes(99)).rejects.toMatchObject({
    type: 'DownloadException',
  });
});

test('an address that is not allowed is never asked', async () => {
  await using session = openAt('http://127.0.0.1:9', { rules: {} });
  await expect(session.send({ method: 'GET', path: '/', signal })).rejects.toMatchObject({ name: 'UrlValidationException' });
});
