import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/core/storage.ts';
import { createNetwork } from '../../../src/lib/net/network.ts';
import { openHttp } from '../../../src/storage/backends/http/http.ts';
import { code, textOf } from '../../contract/storage-samples.ts';
import { openHouse } from '../../support/house.ts';
import { describePeer, type Peer } from '../../support/peers.ts';

const { signal } = new AbortController();
const open = (scheme = 'http', ca?: string): Storage =>
  openHttp({ ca }, { location: `${scheme}:/`, network: createNetwork(), rules: { allowPrivate: true }, clock: { now: Date.now } });

const TEXT = 'hello world, '.repeat(1000);

describePeer('nginx', '', (start) => {
  let peer: Peer;
  let storage: Storage;
  let at: (path: string) => string;
  beforeAll(async () => {
    peer = await start();
    peer.dir.write('files/dl/a.txt', TEXT);
    peer.dir.write('files/dl/empty', '');
    storage = open();
    at = (path) => `127.0.0.1:${peer.port}/${path}`;
  }, 30_000);
  afterAll(async () => {
    await storage?.[Symbol.asyncDispose]();
    await peer?.[Symbol.asyncDispose]();
  });
  const get = async (path: string, options: { start: number; end?: number } = { start: 0 }, version?: string) =>
    textOf(await storage.read(at(path), { signal, stretch: options, version }));

  test('what is there is told, with its version', async () => {
    expect(await storage.stat(at('dl/a.txt'), { signal })).toMatchObject({
      path: at('dl/a.txt'),
      kind: 'file',
      bytes: TEXT.length,
      version: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(await storage.stat(at('dl/empty'), { signal })).toMatchObject({ bytes: 0 });
    expect(await storage.stat(at('dl/missing'), { signal })).toBeUndefined();
    await expect(storage.read(at('dl/missing'), { signal })).rejects.toEqual(code('not_found'));
    await expect(storage.stat(at('auth/a.txt'), { signal })).rejects.toEqual(code('denied'));
    await expect(storage.stat(at('status/503'), { signal })).rejects.toMatchObject({ retryable: true, context: { server_code: '503' } });
  });

  test.each(['dl/a.txt', 'norange/a.txt', 'noetag/a.txt', 'gz/a.txt', 'redirect?to=a.txt'])(
    '%s is read, whole and in parts',
    async (path) => {
      const version = (await storage.stat(at(path), { signal }))?.version;
      expect(await get(path)).toBe(TEXT);
      expect(await get(path, { start: 5 }, version)).toBe(TEXT.slice(5));
      expect(await get(path, { start: 3, end: 9 }, version)).toBe(TEXT.slice(3, 9));
      expect(await get(path, { start: TEXT.length })).toBe('');
      expect(await get(path, { start: 4, end: 4 })).toBe('');
    },
  );

  test.each(['dl', 'norange', 'noetag'])('another version is refused at /%s', async (directory) => {
    peer.dir.write('files/dl/b.txt', 'first');
    const old = '"0-0"';
    const last = 'Wed, 21 Oct 2015 07:28:00 GMT';
    await expect(storage.read(at(`${directory}/b.txt`), { signal, version: directory === 'noetag' ? last : old })).rejects.toEqual(
      code('changed'),
    );
  });

  test('a circle of redirects comes to an end', async () => {
    await expect(storage.stat(at('loop'), { signal })).rejects.toMatchObject({
      type: 'UrlValidationException',
      context: { reason: 'redirects' },
    });
  });

  test('a redirect into the network of the cloud is refused, though private addresses are open', async () => {
    await expect(storage.read(at('redirect-abs?to=http://169.254.169.254/'), { signal })).rejects.toMatchObject({
      type: 'UrlValidationException',
    });
  });

  test('over https, with the authority that is told', async () => {
    await using secure = open('https', peer.dir.read('ca.pem'));
    expect(await textOf(await secure.read(`localhost:${peer.port + 1}/dl/a.txt`, { signal }))).toBe(TEXT);
    await using strange = open('https');
    await expect(strange.stat(`localhost:${peer.port + 1}/dl/a.txt`, { signal })).rejects.toMatchObject({
      retryable: false,
      context: { code: 'unreachable' },
    });
  });

  test('a download goes through', async () => {
    await using house = openHouse({ outbound: { privateHosts: ['127.0.0.1'] } });
    const list = ['dl/a.txt', 'norange/a.txt', 'gz/a.txt', 'redirect?to=a.txt', 'slow/a.txt'].map((path, at_) => [
      'FA_download_file',
      { file_url: `http://${at(path)}`, file_name: `${at_}`, resume: at_ % 2 === 0 },
    ]);
    const { results } = await house.run(list);
    expect(results.map(({ error, value }) => error ?? value)).toEqual(list.map(() => true));
    expect(list.map((_, at_) => house.dir.read(`${at_}`) === TEXT)).toEqual(list.map(() => true));
  });
});

describe('servers that do not answer HEAD', () => {
  test.each([
    [405, 206, { 'content-range': 'bytes 0-0/7' }, 7],
    [403, 200, { 'content-length': '7' }, 7],
    [501, 416, { 'content-range': 'bytes */0' }, 0],
  ])('%d, and %d to a range', async (head, status, headers, bytes) => {
    const server = createServer(({ method }, response) => {
      response.writeHead(method === 'HEAD' ? head : status, method === 'HEAD' ? {} : headers).end(status === 206 ? 'x' : 'x'.repeat(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
    await using storage = open();
    expect(await storage.stat(`127.0.0.1:${port}/f?secret=1`, { signal })).toMatchObject({ bytes });
    server.closeAllConnections();
    server.close();
  });
});

test('a URL is only a source', async () => {
  await using storage = open();
  const content = { async *chunks() {} };
  await expect(storage.write('h/x?token=hunter2', content, { signal })).rejects.toEqual(code('unsupported'));
  await expect(storage.remove('h/x?token=hunter2', { signal })).rejects.not.toThrow('hunter2');
  await expect(storage.list('h/', { signal })[Symbol.asyncIterator]().next()).rejects.toEqual(code('unsupported'));
});
