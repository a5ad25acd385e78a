import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { WebDAVException } from '../../../src/core/errors.ts';
import type { Outgoing, Storage } from '../../../src/core/storage.ts';
import { createNetwork } from '../../../src/lib/net/network.ts';
import type { WebdavSettings } from '../../../src/storage/backends/webdav/settings.ts';
import { openWebdav } from '../../../src/storage/backends/webdav/webdav.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { seeded } from '../../support/seeded.ts';
import { patience, rounds, seedOf } from '../../support/torture.ts';

const { signal } = new AbortController();
const openAt = (settings: WebdavSettings, allowPrivate = true) =>
  openWebdav(settings, { location: 'webdav+test:/', network: createNetwork(), rules: { allowPrivate }, clock: { now: Date.now } });

type Handler = (request: IncomingMessage & { readonly text: string }, response: ServerResponse) => unknown;

/** A server that answers as a test likes; OPTIONS by itself unless told otherwise. */
const serve = async (handler: Handler, settings: Partial<WebdavSettings> = {}, path = '/dav/') => {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const text = Buffer.concat(chunks).toString();
    asked.push(`${request.method} ${request.url}`);
    handler(Object.assign(request, { text }), response);
    if (!response.writableEnded && !response.headersSent && request.method === 'OPTIONS') response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  const base_url = `http://127.0.0.1:${port}${path}`;
  return {
    asked,
    base_url,
    open: () => openAt({ base_url, timeout: 2, ...settings }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const multistatus = (...responses: readonly string[]) =>
  `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${responses.join('')}</D:multistatus>`;
const file = (href: string, bytes: number | string = 1, more = '') =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength>${bytes}</D:getcontentlength>${more}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
const answering =
  (body: string, status = 207): Handler =>
  ({ method }, response) =>
    method === 'PROPFIND' && response.writeHead(status, { 'content-type': 'application/xml' }).end(body);

describe('a server that answers nonsense', () => {
  test.each<[string, string]>([
    ['no XML', 'hello'],
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${multistatus()}`],
    ['an entity of its own', multistatus(file('/dav/&evil;'))],
    ['half a document', multistatus(file('/dav/a')).slice(0, -10)],
    ['another root', '<x xmlns="DAV:"/>'],
    ['a response without a name', multistatus('<D:response/>')],
    ['a length that is none', multistatus(file('/dav/a', '-5'))],
    ['a name above the base', multistatus(file('/dav/../etc/passwd'))],
    ['a name of another machine', multistatus(file('http://evil.example/dav/a'))],
    ['very deep', multistatus('<D:x>'.repeat(100))],
    ['what is no UTF-8', `${multistatus(file('/dav/a'))}\u00ff`],
  ])('%s', async (name, body) => {
    await using server = await serve(({ method }, response) =>
      method === 'PROPFIND' ? response.writeHead(207).end(Buffer.from(body, name === 'what is no UTF-8' ? 'latin1' : 'utf8')) : undefined,
    );
    await using storage = await server.open();
    for (const asking of [storage.stat('a', { signal }), everything(storage.list('', { signal }))]) {
      await expect(asking).rejects.toBeInstanceOf(WebDAVException);
      await expect(asking).rejects.toMatchObject({ retryable: false, context: { code: 'broken' } });
    }
  });

  test('an endless answer is cut off', async () => {
    await using server = await serve(({ method }, response) => {
      if (method !== 'PROPFIND') return;
      response.writeHead(207).write('<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">');
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(1_000_000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await using storage = await server.open();
    await expect(storage.stat('a', { signal })).rejects.toThrow(/larger than/);
  });

  test('silence ends after its time', async () => {
    await using server = await serve(() => {}, { timeout: 0.2 });
    await using storage = await server.open();
    await expect(storage.stat('a', { signal })).rejects.toMatchObject({ retryable: true, context: { code: 'unreachable' } });
  });
});

test.each<[number, string, boolean]>([
  [403, 'denied', false],
  [423, 'busy', true],
  [429, 'busy', true],
  [500, 'broken', true],
  [503, 'busy', true],
  [302, 'unsupported', false],
])('the status %d is %s', async (status, expected, retryable) => {
  await using server = await serve(answering('', status));
  await using storage = await server.open();
  await expect(storage.stat('a', { signal })).rejects.toMatchObject({
    retryable,
    context: { code: expected, server_code: String(status) },
  });
});

test('a server that is full says so, and nothing stays behind', async () => {
  await using server = await serve(({ method }, response) => {
    if (method === 'PUT') response.writeHead(507).end();
    else if (method !== 'OPTIONS') response.writeHead(method === 'DELETE' ? 204 : 201).end();
  });
  await using storage = await server.open();
  await expect(storage.write('d/a', outgoing('x'), { signal })).rejects.toEqual(code('out_of_space'));
  expect(server.asked.slice(1).map((each) => each.split(' ')[0])).toEqual(['MKCOL', 'PUT', 'DELETE']);
});

test('a file of which less arrived is not moved to its name', async () => {
  await using server = await serve(({ method, url }, response) => {
    if (method === 'PROPFIND') response.writeHead(207).end(multistatus(file(url ?? '', 1)));
    else if (method !== 'OPTIONS') response.writeHead(201).end();
  });
  await using storage = await server.open();
  await expect(storage.write('a', outgoing('four'), { signal })).rejects.toMatchObject({ retryable: true, context: { code: 'broken' } });
  expect(server.asked.some((each) => each.startsWith('MOVE'))).toBe(false);
});

describe('a server that cannot move', () => {
  test('gets files under their names at once, and says that it cannot refuse to replace', async () => {
    const held = new Map<string, string>();
    await using server = await serve(({ method, url = '', headers, text }, response) => {
      if (method === 'OPTIONS') response.writeHead(200, { allow: 'OPTIONS, GET, PUT, DELETE, PROPFIND, MKCOL' }).end();
      else if (method === 'PUT') {
        expect(headers['if-none-match']).toBe(held.has(url) ? undefined : '*');
        held.set(url, text);
        response.writeHead(201).end();
      } else if (method === 'DELETE') response.writeHead(held.delete(url) ? 204 : 404).end();
      else if (held.has(url)) response.writeHead(207).end(multistatus(file(url, held.get(url)?.length)));
      else response.writeHead(404).end();
    });
    await using storage = await server.open();
    expect([storage.can.exclusiveWrite, storage.move]).toEqual([false, undefined]);
    expect(await storage.write('a', outgoing('one'), { signal })).toMatchObject({ path: 'a', bytes: 3 });
    expect(await storage.write('a', outgoing('other'), { signal })).toMatchObject({ bytes: 5 });
    await expect(storage.write('a', outgoing('x'), { signal, exclusive: true })).rejects.toEqual(code('unsupported'));
    const broken: Outgoing = {
      async *chunks() {
        yield Buffer.from('x');
        throw new Error('the source broke');
      },
    };
    await expect(storage.write('b', broken, { signal })).rejects.toThrow('the source broke');
    expect([...held]).toEqual([['/dav/a', 'other']]);
  });
});

test('Nextcloud is told the time of a file', async () => {
  const times: unknown[] = [];
  await using server = await serve(
    ({ method, url = '', headers }, response) => {
      if (method === 'PUT') times.push(headers['x-oc-mtime']);
      if (method === 'PROPFIND') response.writeHead(207).end(multistatus(file(url, 1)));
      else if (method !== 'OPTIONS') response.writeHead(201).end();
    },
    {},
    '/remote.php/dav/files/me/',
  );
  await using storage = await server.open();
  await storage.write('a', outgoing('x'), { signal, modifiedMs: 1_580_702_706_500 });
  expect([storage.can.timeStepMs, times]).toEqual([1000, ['1580702706']]);
});

describe('a login', () => {
  test('by token is sent at once, and a refused one is not shown', async () => {
    await using server = await serve(
      ({ headers }, response) => response.writeHead(headers.authorization === 'Bearer hunter2' ? 200 : 401).end(),
      { token: 'hunter2' },
    );
    await (await server.open())[Symbol.asyncDispose]();
    const fault = await openAt({ base_url: server.base_url, token: 'hunter3' }).catch((each: unknown) => each);
    expect(fault).toMatchObject({ context: { code: 'denied', server_code: '401' }, retryable: false });
    expect(JSON.stringify(fault) + String(fault)).not.toContain('hunter3');
  });

  test('whose nonce grows stale in the middle of a write is made again, with the whole content', async () => {
    let nonce = 1;
    const got: string[] = [];
    await using server = await serve(
      ({ method, url = '', headers, text }, response) => {
        if (method === 'PUT' && nonce === 1) nonce = 2;
        if (headers.authorization?.includes(`nonce="${nonce}"`) !== true)
          return response
            .writeHead(401, {
              'www-authenticate': `Digest realm="r", nonce="${nonce}", qop="auth"${headers.authorization ? ', stale=true' : ''}`,
            })
            .end();
        if (method === 'PUT') got.push(text);
        if (method === 'PROPFIND') return response.writeHead(207).end(multistatus(file(url, 5)));
        return response.writeHead(201).end();
      },
      { username: 'u', password: 'hunter2' },
    );
    await using storage = await server.open();
    await storage.write('a', outgoing('whole'), { signal });
    expect(got).toEqual(['whole']);
  });

  test('never goes to a machine that is not allowed', async () => {
    await expect(openAt({ base_url: 'http://127.0.0.1:9/', token: 'x' }, false)).rejects.toMatchObject({ type: 'UrlValidationException' });
    await expect(openAt({ base_url: 'http://u:p@127.0.0.1/', token: 'x' })).rejects.toEqual(code('bad_name'));
  });
});

describePeer('apache-dav', '', async (start) => {
  const peer = await start();
  afterAll(() => peer[Symbol.asyncDispose]());
  const settings = { base_url: `http://127.0.0.1:${peer.port}/basic/`, username: peer.user, password: peer.password };

  test('a wrong password is told, and not shown', async () => {
    for (const path of ['basic', 'digest']) {
      const fault = await openAt({ ...settings, base_url: `http://127.0.0.1:${peer.port}/${path}/`, password: 'hunter2' }).catch(
        (each: unknown) => each,
      );
      expect(fault).toMatchObject({ type: 'WebDAVException', context: { code: 'denied' } });
      expect(JSON.stringify(fault)).not.toContain('hunter2');
    }
  });

  test('a certificate of an unknown authority is refused, unless the owner does not mind', async () => {
    const base_url = `https://localhost:${peer.port + 1}/basic/`;
    await expect(openAt({ ...settings, base_url })).rejects.toMatchObject({ retryable: false, context: { code: 'unreachable' } });
    await using storage = await openAt({ ...settings, base_url, verify_tls: false });
    expect(await storage.stat('', { signal })).toMatchObject({ kind: 'dir' });
  });

  test('what a killed process has left is found again for its target, and only that', async () => {
    await using storage = await openAt(settings);
    await storage.write('swept/a', outgoing('a'), { signal });
    const name = (path: string) => storage.list(path, { signal });
    const left = ['.ca978112ca1bbdca.factotum-0123456789abcdef.part', '.3e23e8160039594a.factotum-0123456789abcdef.part'];
    for (const each of left) peer.dir.write(`files/basic/swept/${each}`, 'half');
    expect(await everything(name('swept'))).toEqual(['swept/a']);
    await storage.sweep?.('swept/a', { signal });
    expect(left.map((each) => peer.dir.read(`files/basic/swept/${each}`))).toEqual([undefined, 'half']);
  });

  test('many at once', async () => {
    await using storage = await openAt({ ...settings, base_url: `http://127.0.0.1:${peer.port}/digest/` });
    const paths = Array.from({ length: 60 }, (_, at) => `many/${at % 5}/${at}`);
    await Promise.all(paths.map((path) => storage.write(path, outgoing(path.repeat(500)), { signal })));
    const contents = await Promise.all(paths.map(async (path) => textOf(await storage.read(path, { signal }))));
    expect(contents).toEqual(paths.map((path) => path.repeat(500)));
  });

  test('a line that breaks anywhere leaves the old file or the new one', patience(60_000), async () => {
    await using proxy = await openFaultProxy(peer.port);
    const random = seeded(seedOf(7));
    const direct = await openAt(settings);
    const [old, fresh] = ['old'.repeat(5000), 'new'.repeat(5000)];
    for (let round = 0; round < rounds(50, 500); round += 1) {
      const path = `torn/${round % 5}`;
      await direct.write(path, outgoing(old), { signal });
      const broken: Storage | undefined = await openAt({
        ...settings,
        base_url: `http://127.0.0.1:${proxy.port}/basic/`,
        timeout: 0.3,
      }).catch(() => undefined);
      proxy.arm(randomFault(random, { 'to-server': 18_000, 'to-client': 3_000 }));
      const ended = await broken?.write(path, outgoing(fresh), { signal }).catch((fault: unknown) => fault);
      if (ended instanceof Error) expect(ended).toBeInstanceOf(WebDAVException);
      proxy.arm(undefined);
      proxy.resetAll();
      await broken?.[Symbol.asyncDispose]();
      const now = await textOf(await direct.read(path, { signal }));
      expect(now === old || now === fresh).toBe(true);
      if (ended !== undefined && !(ended instanceof Error)) expect(now === fresh).toBe(true);
      await direct.sweep?.(path, { signal });
    }
    expect((await everything(direct.list('torn', { signal }))).length).toBe(5);
    await direct[Symbol.asyncDispose]();
  });
});
