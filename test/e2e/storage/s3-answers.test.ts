import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openS3 } from '../../../src/storage/backends/s3/s3.ts';
import type { S3Settings } from '../../../src/storage/backends/s3/settings.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { type FakeAnswer, type FakeHttp, type FakeRequest, openFakeHttp } from '../../support/fake-http.ts';
import { type Certificates, makeCertificates } from '../../support/net/certificates.ts';

// What the servers at hand do not do: Amazon's regions and checksums, clocks that differ, servers that are busy, lie or break off.

const { signal } = new AbortController();
const keys = { aws_access_key_id: 'AKID', aws_secret_access_key: 'hush-hush' };

const error = (name: string, more = ''): string =>
  `<?xml version="1.0"?><Error><Code>${name}</Code><Message>hush-hush</Message>${more}</Error>`;

/** A storage of which every address is the fake. */
const open = ({ network, port }: FakeHttp, settings: S3Settings = {}, now = () => Date.now()) =>
  openS3(
    { ...keys, endpoint_url: `http://127.0.0.1:${port}`, ...settings },
    { location: 's3:/', network, rules: { allowPrivate: true }, clock: { now } },
  );

describe('Amazon', () => {
  let certificates: Certificates;
  const hosts = [
    's3.us-east-1.amazonaws.com',
    '*.s3.us-east-1.amazonaws.com',
    '*.s3.eu-central-1.amazonaws.com',
    's3.eu-central-1.amazonaws.com',
  ];
  beforeAll(() => {
    certificates = makeCertificates(hosts);
  });
  afterAll(() => certificates[Symbol.dispose]());
  const amazon = (fake: FakeHttp) =>
    openS3({ ...keys, ca: certificates.ca }, { location: 's3:/', network: fake.network, rules: {}, clock: { now: Date.now } });

  test('a bucket in another region is asked there, and from then on at once', async () => {
    await using fake = await openFakeHttp(({ host, headers }) => {
      if (host !== 'bucket.s3.eu-central-1.amazonaws.com')
        return { status: 301, headers: { 'x-amz-bucket-region': 'eu-central-1' }, body: error('PermanentRedirect') };
      expect(headers.authorization).toContain('/eu-central-1/s3/aws4_request');
      return { body: 'there', headers: { etag: '"x"' } };
    }, certificates);
    await using storage = amazon(fake);
    for (let count = 0; count < 2; count += 1) expect(await textOf(await storage.read('bucket/key', { signal }))).toBe('there');
    expect(fake.requests.map(({ host }) => host.split('.')[2])).toEqual(['us-east-1', 'eu-central-1', 'eu-central-1']);
  });

  test('a region that would be another host is not believed', async () => {
    await using fake = await openFakeHttp(
      () => ({ status: 400, body: error('AuthorizationHeaderMalformed', '<Region>evil.example/x?</Region>') }),
      certificates,
    );
    await using storage = amazon(fake);
    await expect(storage.read('bucket/key', { signal })).rejects.toEqual(code('denied'));
    expect(fake.requests).toHaveLength(1);
  });

  test('buckets whose names are no label of a host stand in the path', async () => {
    await using fake = await openFakeHttp(() => ({ body: 'x' }), certificates);
    await using storage = amazon(fake);
    await textOf(await storage.read('with.dots/key', { signal }));
    await textOf(await storage.read('plain/key', { signal }));
    expect(fake.requests.map(({ host, path }) => host + path)).toEqual([
      's3.us-east-1.amazonaws.com/with.dots/key',
      'plain.s3.us-east-1.amazonaws.com/key',
    ]);
  });

  test('compares and keeps SHA-256, and bodies are not signed over TLS', async () => {
    const sha256 = createHash('sha256').update('hello').digest();
    await using fake = await openFakeHttp(
      ({ method, headers }) =>
        method === 'HEAD' && headers['x-amz-checksum-mode'] !== 'ENABLED'
          ? { status: 400 }
          : {
              headers: {
                etag: '"sealed"',
                'x-amz-server-side-encryption': 'aws:kms',
                'x-amz-checksum-sha256': sha256.toString('base64'),
                'content-length': method === 'HEAD' ? '5' : '0',
              },
            },
      certificates,
    );
    await using storage = amazon(fake);
    expect(storage.can).toMatchObject({ hashes: ['sha256'], exclusiveWrite: true });
    const item = await storage.write('bucket/key', outgoing('hello'), { signal });
    expect(item.hashes).toEqual({ sha256: sha256.toString('hex') });
    expect((await storage.stat('bucket/key', { signal }))?.hashes).toEqual({ sha256: sha256.toString('hex') });
    expect(fake.requests[0]?.headers).toMatchObject({
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-checksum-sha256': sha256.toString('base64'),
      'content-md5': createHash('md5').update('hello').digest('base64'),
    });
  });

  test('a certificate that is not for the host is refused', async () => {
    using others = makeCertificates(['elsewhere.example']);
    await using fake = await openFakeHttp(() => ({}), others);
    await using storage = openS3(
      { ...keys, ca: others.ca },
      { location: 's3:/', network: fake.network, rules: {}, clock: { now: Date.now } },
    );
    await expect(storage.read('bucket/key', { signal })).rejects.toMatchObject({ retryable: false, context: { code: 'unreachable' } });
    expect(fake.requests).toEqual([]);
  });
});

test('a clock that differs follows that of the server', async () => {
  const server = Date.UTC(2026, 0, 1, 12);
  await using fake = await openFakeHttp(({ headers }) =>
    headers['x-amz-date'] === '20260101T120000Z'
      ? { body: 'in time' }
      : { status: 403, headers: { date: new Date(server).toUTCString() }, body: error('RequestTimeTooSkewed') },
  );
  await using storage = open(fake, {}, () => server - 7_200_000);
  expect(await textOf(await storage.read('bucket/key', { signal }))).toBe('in time');
  expect(await textOf(await storage.read('bucket/key', { signal }))).toBe('in time');
  expect(fake.requests).toHaveLength(3);
});

test('a clock that no time pleases is told', async () => {
  let hour = 0;
  await using fake = await openFakeHttp(() => {
    hour += 1;
    return { status: 403, headers: { date: new Date(Date.UTC(2026, 0, 1, hour)).toUTCString() }, body: error('RequestTimeTooSkewed') };
  });
  await using storage = open(fake, {}, () => Date.UTC(2020, 0));
  await expect(storage.read('bucket/key', { signal })).rejects.toEqual(code('denied'));
  expect(fake.requests.length).toBeLessThanOrEqual(3);
});

test.each([
  [503, 'SlowDown', 'busy', true],
  [429, 'TooManyRequests', 'busy', true],
  [409, 'OperationAborted', 'busy', true],
  [500, 'InternalError', 'broken', true],
  [400, 'RequestTimeout', 'broken', true],
  [400, 'BadDigest', 'broken', true],
  [403, 'AccessDenied', 'denied', false],
  [403, 'QuotaExceeded', 'out_of_space', false],
  [400, 'KeyTooLongError', 'bad_name', false],
  [501, 'NotImplemented', 'unsupported', false],
  [404, 'NoSuchBucket', 'not_found', false],
  [400, 'Strange', 'broken', true],
  [418, 'Strange', 'broken', false],
])('the answer %d %s is %s, to be tried again: %s', async (status, name, about, retryable) => {
  await using fake = await openFakeHttp(() => ({ status, body: error(name) }));
  await using storage = open(fake);
  const fault = await storage.write('bucket/key', outgoing('x'), { signal }).catch((each: unknown) => each);
  expect(fault).toMatchObject({ type: 'S3Exception', retryable, context: { code: about, server_code: name, location: 's3://bucket/key' } });
  expect(JSON.stringify(fault) + String(fault)).not.toContain('hush');
});

test('a success that is a failure is one', async () => {
  await using fake = await openFakeHttp(({ method, query }) => {
    if (query.has('uploads')) return { body: '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>' };
    if (query.has('partNumber')) return { headers: { etag: '"p"' } };
    return method === 'HEAD' ? { headers: { 'content-length': '5', etag: '"e"' } } : { body: error('InternalError') };
  });
  await using storage = open(fake);
  const write = await storage.startParts?.('bucket/key', { signal, bytes: 1 });
  const part = await write?.put(1, outgoing('x'), { signal });
  await expect(write?.commit(part ? [part] : [], { signal })).rejects.toMatchObject({
    retryable: true,
    context: { server_code: 'InternalError' },
  });
  await expect(storage.copy?.('bucket/key', 'bucket/other', { signal })).rejects.toMatchObject({ retryable: true });
});

const page = (keys: readonly string[], more = ''): string =>
  `<ListBucketResult><EncodingType>url</EncodingType>${more}${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`;

describe('a list', () => {
  const listing = async (answer: (request: FakeRequest) => FakeAnswer, path = 'bucket/in') => {
    await using fake = await openFakeHttp(answer);
    await using storage = open(fake);
    return await everything(storage.list(path, { signal, deep: true }));
  };

  test('leaves out names that would lead elsewhere', async () => {
    const names = ['in/ok', 'in/../up', 'in/./x', 'in//x', 'in/%00', 'in/%0A', 'in/..', 'other/x', 'in/', 'in/%', 'in/%ED%A0%80', ''];
    expect(await listing(() => ({ body: page(names) }))).toEqual(['bucket/in/ok']);
  });

  test('asks for a page again that did not come, without telling anything twice', async () => {
    let asked = 0;
    const found = await listing(({ query }) => {
      if (!query.has('continuation-token'))
        return { body: page(['in/a'], '<IsTruncated>true</IsTruncated><NextContinuationToken>t+/=</NextContinuationToken>') };
      expect(query.get('continuation-token')).toBe('t+/=');
      asked += 1;
      return asked === 1 ? { status: 503, body: error('SlowDown') } : { body: page(['in/b']) };
    });
    expect([found, asked]).toEqual([['bucket/in/a', 'bucket/in/b'], 2]);
  });

  test.each([
    ['is cut', page(['in/a']).slice(0, -20)],
    ['has a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${page(['&a;'])}`],
    ['is another document', '<html></html>'],
    ['is nothing', ''],
    ['never ends', page(['in/a'], '<IsTruncated>true</IsTruncated>')],
    ['goes in circles', page(['in/a'], '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>')],
    ['is nested deep', '<a>'.repeat(10_000)],
  ])('that %s fails', async (_what, body) => {
    await expect(listing(() => ({ body }))).rejects.toMatchObject({ type: 'S3Exception', context: { code: 'broken' } });
  });

  test('that is endlessly large fails', async () => {
    await expect(listing(() => ({ body: Buffer.alloc(17 * 1024 * 1024, ' ') }))).rejects.toMatchObject({ type: 'S3Exception' });
  });
});

describe('a read', () => {
  const reading = async (answer: FakeAnswer, stretch?: { readonly start: number; readonly end?: number }) => {
    await using fake = await openFakeHttp(() => answer);
    await using storage = open(fake);
    return await textOf(await storage.read('bucket/key', { signal, ...(stretch && { stretch }) }));
  };

  test('that breaks off is told, and may be tried again', async () => {
    await expect(reading({ body: 'x'.repeat(1000), cutAt: 10 })).rejects.toMatchObject({ type: 'S3Exception', retryable: true });
  });

  test.each([
    ['the whole', { status: 200, body: 'hello' }],
    ['another part', { status: 206, body: 'he', headers: { 'content-range': 'bytes 0-1/5' } }],
    ['a part of another length', { status: 206, body: 'hel', headers: { 'content-range': 'bytes 2-3/5' } }],
    ['no length', { status: 206, body: 'll', headers: { 'content-range': 'bytes 2-3/5', 'transfer-encoding': 'chunked' } }],
  ])('of a part that is answered with %s is refused', async (_what, answer) => {
    await expect(reading(answer, { start: 2, end: 4 })).rejects.toEqual(code('broken'));
  });

  test('behind the end is nothing', async () => {
    expect(await reading({ status: 416, body: error('InvalidRange') }, { start: 9 })).toBe('');
  });
});

test('a part that is too large for memory is read twice, and a source that breaks is told as it is', async () => {
  await using fake = await openFakeHttp(({ query }) =>
    query.has('uploads') ? { body: '<R><UploadId>1</UploadId></R>' } : { headers: { etag: '"p"' } },
  );
  await using storage = open(fake);
  const write = await storage.startParts?.('bucket/key', { signal, bytes: 65 * 1024 ** 2 });
  let readings = 0;
  const content = (end: number) => ({
    bytes: 65 * 1024 ** 2,
    async *chunks() {
      readings += 1;
      for (let count = 0; count < (readings === 4 ? end : 65); count += 1) yield Buffer.alloc(1024 ** 2, count);
      if (readings === 4) throw new Error('the source broke');
    },
  });
  expect(await write?.put(1, content(65), { signal })).toEqual({ number: 1, bytes: 65 * 1024 ** 2, receipt: 'p' });
  const { headers, body } = fake.requests.at(-1) ?? {};
  expect(headers?.['content-md5']).toBe(
    createHash('md5')
      .update(body ?? '')
      .digest('base64'),
  );
  expect(headers?.['x-amz-content-sha256']).toBe(
    createHash('sha256')
      .update(body ?? '')
      .digest('hex'),
  );
  await expect(write?.put(2, content(3), { signal })).rejects.toThrow('the source broke');
});

test('names that no server takes are refused before anything is sent', async () => {
  await using fake = await openFakeHttp(() => ({}));
  await using storage = open(fake);
  for (const path of [
    'x/y',
    'b!/x',
    `bucket/${'x'.repeat(1025)}`,
    'bucket/../x',
    'bucket//x',
    'bucket/a\u0000b',
    `bucket/${'é'.repeat(513)}`,
  ])
    await expect(storage.write(path, outgoing('x'), { signal })).rejects.toEqual(code('bad_name'));
  expect(fake.requests).toEqual([]);
});

test('a connection without keys says so, and one that nobody listens to', async () => {
  await using fake = await openFakeHttp(() => ({}));
  const world = { location: 's3:/', network: fake.network, rules: { allowPrivate: true }, clock: { now: Date.now } };
  await using bare = openS3({ endpoint_url: `http://127.0.0.1:${fake.port}` }, world);
  await expect(bare.stat('bucket', { signal })).rejects.toMatchObject({ context: { code: 'denied' } });
  expect(() => openS3({ ...keys, endpoint_url: 'ftp://x' }, world)).toThrow('endpoint_url');
  const port = fake.port;
  await fake[Symbol.asyncDispose]();
  await using gone = open(fake, { endpoint_url: `http://127.0.0.1:${port}` });
  await expect(gone.stat('bucket', { signal })).rejects.toMatchObject({ retryable: true, context: { code: 'unreachable' } });
});

test('credentials that have ended are renewed, once', async () => {
  await using fake = await openFakeHttp(({ headers }) =>
    headers['x-amz-security-token'] === 'T2' ? { body: 'new' } : { status: 400, body: error('ExpiredToken') },
  );
  let given = 0;
  const sources = {
    env: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/x' },
    home: '/none',
    readText: async () => undefined,
    network: {
      connect: (_host: string, port: number, options: { timeoutMs: number }) => service.network.connect('52.216.0.1', port, options),
    },
  };
  await using service = await openFakeHttp(() => {
    given += 1;
    return { body: JSON.stringify({ AccessKeyId: 'A', SecretAccessKey: 'S', Token: `T${given}`, Expiration: '2099-01-01T00:00:00Z' }) };
  });
  const settings = { endpoint_url: `http://127.0.0.1:${fake.port}` };
  await using storage = openS3(
    settings,
    { location: 's3:/', network: fake.network, rules: { allowPrivate: true }, clock: { now: Date.now } },
    sources,
  );
  expect(await textOf(await storage.read('bucket/key', { signal }))).toBe('new');
  expect(given).toBe(2);
});

test('a server without checksums gets none', async () => {
  await using fake = await openFakeHttp(({ headers }) =>
    headers['content-md5'] === undefined ? { headers: { etag: '"x"' } } : { status: 501, body: error('NotImplemented') },
  );
  await using plain = open(fake, { checksum: 'none' });
  expect(plain.can.hashes).toEqual([]);
  expect(await plain.write('bucket/key', outgoing('x'), { signal })).toMatchObject({ bytes: 1, version: 'x' });
  await using usual = open(fake);
  await expect(usual.write('bucket/key', outgoing('x'), { signal })).rejects.toThrow('set checksum');
});

test('an answer that tells another MD5 than what was sent is no success', async () => {
  await using fake = await openFakeHttp(() => ({ headers: { etag: `"${'0'.repeat(32)}"` } }));
  await using storage = open(fake);
  await expect(storage.write('bucket/key', outgoing('x'), { signal })).rejects.toMatchObject({
    retryable: true,
    context: { code: 'broken' },
  });
});

test('the bucket stands in front of the host where that is asked for', async () => {
  await using fake = await openFakeHttp(() => ({ body: 'x' }));
  await using storage = open(fake, { endpoint_url: 'http://s3.example.org:9000/base/', addressing: 'virtual' });
  await textOf(await storage.read('bucket/a b', { signal }));
  expect(fake.requests[0]).toMatchObject({ host: 'bucket.s3.example.org:9000', path: '/base/a%20b' });
});
