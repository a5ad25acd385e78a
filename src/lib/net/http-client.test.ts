import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCertificates } from '../../../test/support/net/certificates.ts';
import { type Answer, openReceiver, openSilence } from '../../../test/support/net/receiver.ts';
import { DownloadException } from '../../core/errors.ts';
import { type HttpClientOptions, type HttpRequest, openHttpClient } from './http-client.ts';
import { createNetwork } from './network.ts';

interface TransferCase {
  readonly id: string;
  readonly kind?: string;
  readonly url: string;
  readonly then?: string;
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly server?: object;
  readonly dns?: Readonly<Record<string, readonly string[]>>;
  readonly dns_sequence?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly redirects?: Readonly<Record<string, { readonly status: number; readonly location: string }>>;
  readonly expect: {
    readonly ok: boolean;
    readonly reason?: string;
    readonly requests_sent?: number;
    readonly lookups?: number;
    readonly connected_to?: readonly string[];
    readonly sent_host?: string;
    readonly second_request_lacks?: readonly string[];
  };
  readonly why: string;
}

const corpus: { readonly cases: readonly TransferCase[] } = JSON.parse(readFileSync('test/fixtures/corpus/ssrf-urls.json', 'utf8'));
const certificates = makeCertificates(['start.example', 'cdn.example', 'other.example', 'hook.example', 'localhost']);
afterAll(() => certificates[Symbol.dispose]());

/** A client whose connections end at a receiver, under a resolver that answers from a table. */
const openWorld = async ({ dns = {}, dns_sequence = {} }: Partial<TransferCase>, answer?: Answer) => {
  const receiver = await openReceiver(certificates, answer);
  const lookups: string[] = [];
  const network = createNetwork({
    dial: receiver.dial,
    lookup: async (name) => {
      const asked = lookups.filter((each) => each === name).length;
      lookups.push(name);
      return dns[name] ?? dns_sequence[name]?.[asked] ?? [];
    },
  });
  return { receiver, lookups, client: openHttpClient({ network, ca: certificates.ca }) };
};

const GET: HttpRequest = { signal: new AbortController().signal, maxBytes: 1_000_000 };
const read = async (client: ReturnType<typeof openHttpClient>, url: string, request = GET) => {
  const { body, ...answer } = await client.request(url, request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...answer, text: Buffer.concat(chunks).toString() };
};

describe('what is connected to is what was judged', () => {
  for (const each of corpus.cases.filter(({ kind }) => kind === 'transfer')) {
    test(`${each.id}: ${each.why}`, async () => {
      for (const [name, value] of Object.entries(each.env ?? {})) process.env[name] = value;
      const { receiver, lookups, client } = await openWorld(each, ({ url }, response) => {
        const redirect = each.redirects?.[url];
        if (redirect !== undefined) response.writeHead(redirect.status, { location: redirect.location }).end();
        else if (each.server !== undefined && receiver.requests.length === 1) response.destroy();
        else response.end('here');
      });
      await using _ = receiver;
      await using _client = client;
      const request = { ...GET, ...(each.method && { method: each.method, body: '{}' }), ...(each.headers && { headers: each.headers }) };
      const ask = async () => {
        await read(client, each.url, request).catch((fault: unknown) => {
          // The first attempt of these is cut off by the server; the judged one is the second.
          if (each.server === undefined || !(fault instanceof DownloadException)) throw fault;
          return read(client, each.url, request);
        });
        if (each.then !== undefined) await read(client, each.then);
      };
      const wanted = each.expect;
      if (wanted.ok) await ask();
      else await expect(ask()).rejects.toMatchObject({ type: 'UrlValidationException', context: { reason: wanted.reason } });
      for (const name of Object.keys(each.env ?? {})) delete process.env[name];
      if (wanted.requests_sent !== undefined) expect(receiver.requests).toHaveLength(wanted.requests_sent);
      if (wanted.lookups !== undefined) expect(lookups).toHaveLength(wanted.lookups);
      if (wanted.connected_to !== undefined) expect(receiver.dialled).toEqual(wanted.connected_to);
      if (wanted.sent_host !== undefined) expect(receiver.requests[0]?.headers.host).toBe(wanted.sent_host);
      for (const name of wanted.second_request_lacks ?? []) expect(receiver.requests[1]?.headers).not.toHaveProperty(name);
    });
  }
});

const PUBLIC = { dns: { 'start.example': ['93.184.216.34'] } };

test('an answer larger than allowed is cut off, whatever the server announced', async () => {
  const { receiver, client } = await openWorld(PUBLIC, (_, response) => response.end('x'.repeat(5_000)));
  await using _ = receiver;
  await using _client = client;
  await expect(read(client, 'http://start.example/', { ...GET, maxBytes: 4_999 })).rejects.toThrow(/larger than the 4999 bytes/);
  expect((await read(client, 'http://start.example/', { ...GET, maxBytes: 5_000 })).text).toHaveLength(5_000);
});

test('a compressed answer that nobody asked for is refused', async () => {
  const { receiver, client } = await openWorld(PUBLIC, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x'),
  );
  await using _ = receiver;
  await using _client = client;
  await expect(read(client, 'http://start.example/')).rejects.toThrow(/compressed answer/);
  expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
});

test('a certificate that is not for the host is refused, and another attempt would not help', async () => {
  const { receiver, client } = await openWorld({ dns: { 'elsewhere.example': ['93.184.216.34'] } });
  await using _ = receiver;
  await using _client = client;
  await expect(read(client, 'https://elsewhere.example/')).rejects.toMatchObject({ type: 'DownloadException', retryable: false });
  expect(receiver.requests).toEqual([]);
});

const openLocal = (options: Partial<HttpClientOptions> = {}) =>
  openHttpClient({ network: createNetwork(), rules: { allowPrivate: true }, ...options });

test('private addresses are reached where the rules say so, by name and by address', async () => {
  await using receiver = await openReceiver(certificates, (_, response) => response.end('here'));
  await using client = openLocal({ ca: certificates.ca });
  expect((await read(client, `http://127.0.0.1:${receiver.httpPort}/`)).text).toBe('here');
  expect((await read(client, `https://localhost:${receiver.httpsPort}/`)).text).toBe('here');
});

test('a server that never answers is given up after its time', async () => {
  await using silence = await openSilence();
  await using client = openLocal({ idleMs: 50 });
  await expect(read(client, `http://127.0.0.1:${silence.port}/`)).rejects.toMatchObject({ type: 'DownloadException', retryable: true });
  await using impatient = openLocal({ connectMs: 50 });
  await expect(read(impatient, `https://127.0.0.1:${silence.port}/`)).rejects.toMatchObject({ type: 'TimeoutException' });
});

test('a refused connection names the host and no path', async () => {
  await using client = openLocal();
  const fault = await read(client, 'http://127.0.0.1:9/secret-path').catch((each: unknown) => each);
  expect(fault).toMatchObject({ type: 'UrlValidationException', context: { reason: 'port' } });
  const silence = await openSilence();
  await silence[Symbol.asyncDispose]();
  const closed = await read(client, `http://127.0.0.1:${silence.port}/secret-path`).catch((each: unknown) => each);
  expect(closed).toMatchObject({ type: 'DownloadException', retryable: true, context: { code: 'ECONNREFUSED' } });
  expect(String(closed)).not.toContain('secret-path');
});

test('a request that is called off rejects with the reason', async () => {
  await using silence = await openSilence();
  await using client = openLocal();
  const stop = new AbortController();
  const asked = read(client, `http://127.0.0.1:${silence.port}/`, { ...GET, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});
