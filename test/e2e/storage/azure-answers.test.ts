import { describe, expect, test } from 'vitest';
import { openAzure } from '../../../src/storage/backends/azure/azure.ts';
import type { AzureSettings } from '../../../src/storage/backends/azure/settings.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { type FakeAnswer, type FakeHttp, type FakeRequest, openFakeHttp } from '../../support/fake-http.ts';

// What the emulator does not do: clocks that differ, a busy service, copies that take their time, names that XML cannot hold, lies.

const { signal } = new AbortController();
const KEY = Buffer.from('hush-hush'.repeat(5)).toString('base64');

const open = ({ network, port }: FakeHttp, settings: AzureSettings = { credential: KEY }, now = () => Date.now()) =>
  openAzure(
    { account_url: `http://127.0.0.1:${port}/me`, ...settings },
    { location: 'azure:/', network, rules: { allowPrivate: true }, clock: { now } },
  );

test.each([
  [503, 'ServerBusy', 'busy', true],
  [500, 'InternalError', 'broken', true],
  [500, 'OperationTimedOut', 'broken', true],
  [400, 'Md5Mismatch', 'broken', true],
  [403, 'AuthorizationPermissionMismatch', 'denied', false],
  [409, 'BlobAlreadyExists', 'exists', false],
  [409, 'ContainerBeingDeleted', 'busy', true],
  [412, 'LeaseIdMissing', 'busy', true],
  [412, 'ConditionNotMet', 'changed', false],
  [413, 'RequestBodyTooLarge', 'unsupported', false],
  [404, 'ContainerNotFound', 'not_found', false],
  [400, 'InvalidResourceName', 'bad_name', false],
  [418, 'Strange', 'broken', false],
])('the answer %d %s is %s, to be tried again: %s', async (status, name, about, retryable) => {
  await using fake = await openFakeHttp(() => ({
    status,
    headers: { 'x-ms-error-code': name },
    body: `<Error><Message>hush ${KEY}</Message></Error>`,
  }));
  await using storage = open(fake);
  const fault = await storage.write('container/blob', outgoing('x'), { signal }).catch((each: unknown) => each);
  expect(fault).toMatchObject({
    type: 'AzureBlobException',
    retryable,
    context: { code: about, server_code: name, location: 'azure://container/blob' },
  });
  expect(JSON.stringify(fault) + String(fault)).not.toMatch(/hush|SharedKey/);
});

test('a clock that differs follows that of the service', async () => {
  const server = Date.UTC(2026, 0, 1, 12);
  await using fake = await openFakeHttp(({ headers }) =>
    headers['x-ms-date'] === new Date(server).toUTCString()
      ? { body: 'in time' }
      : { status: 403, headers: { date: new Date(server).toUTCString(), 'x-ms-error-code': 'AuthenticationFailed' } },
  );
  await using storage = open(fake, { credential: KEY }, () => server - 7_200_000);
  expect(await textOf(await storage.read('container/blob', { signal }))).toBe('in time');
  expect(await textOf(await storage.read('container/blob', { signal }))).toBe('in time');
  expect(fake.requests).toHaveLength(3);
});

test('a token of Entra is sent as it is', async () => {
  await using fake = await openFakeHttp(() => ({ body: 'x' }));
  await using storage = open(fake, { bearer_token: 'tok' });
  await textOf(await storage.read('container/blob', { signal }));
  expect(fake.requests[0]?.headers).toMatchObject({ authorization: 'Bearer tok', 'x-ms-version': '2021-12-02' });
});

test('a copy that takes its time is waited for', async () => {
  let looks = 0;
  await using fake = await openFakeHttp(({ method, path }) => {
    if (method === 'PUT') return { status: 202, headers: { 'x-ms-copy-status': 'pending' } };
    if (path.endsWith('/from')) return { headers: { 'content-length': '5', etag: '"1"' } };
    looks += 1;
    return { headers: { 'content-length': '5', etag: '"2"', 'x-ms-copy-status': looks > 1 ? 'success' : 'pending' } };
  });
  await using storage = open(fake);
  expect(await storage.copy?.('container/from', 'container/to', { signal })).toMatchObject({
    path: 'container/to',
    bytes: 5,
    version: '2',
  });
  expect(fake.requests.find(({ method }) => method === 'PUT')?.headers).toMatchObject({ 'x-ms-source-if-match': '"1"' });
});

test('a copy that is cancelled while it takes its time is stopped', async () => {
  const controller = new AbortController();
  await using fake = await openFakeHttp(({ method, path, query }) => {
    if (query.get('comp') === 'copy') return { status: 204 };
    if (method === 'PUT') return { status: 202, headers: { 'x-ms-copy-status': 'pending', 'x-ms-copy-id': 'c1' } };
    if (path.endsWith('/to')) controller.abort(new Error('enough'));
    return { headers: { 'content-length': '5', etag: '"1"', 'x-ms-copy-status': 'pending' } };
  });
  await using storage = open(fake);
  await expect(storage.copy?.('container/from', 'container/to', { signal: controller.signal })).rejects.toThrow('enough');
  expect(fake.requests.at(-1)).toMatchObject({ method: 'PUT', headers: { 'x-ms-copy-action': 'abort' } });
  expect(fake.requests.at(-1)?.query.get('copyid')).toBe('c1');
});

const page = (blobs: string, more = ''): string =>
  `<?xml version="1.0"?><EnumerationResults><Blobs>${blobs}</Blobs>${more}</EnumerationResults>`;
const blob = (name: string, attributes = ''): string =>
  `<Blob><Name${attributes}>${name}</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>`;

describe('a list', () => {
  const listing = async (answer: (request: FakeRequest) => FakeAnswer) => {
    await using fake = await openFakeHttp(answer);
    await using storage = open(fake);
    return await everything(storage.list('container/in', { signal, deep: true }));
  };

  test('reads names that XML cannot hold, and leaves out those that would lead elsewhere', async () => {
    const names = ['in/ok', 'in/../up', 'in/./x', 'in//x', 'other/x', 'in/..', 'in/%41'].map((name) => blob(name));
    const odd = [blob('in%2F%EF%BF%BE%2525', ' Encoded="true"'), blob('in/%', ' Encoded="true"'), '<Blob><Name>in/long</Name></Blob>'];
    expect(await listing(() => ({ body: page([...names, ...odd].join('')) }))).toEqual([
      'container/in/%41',
      'container/in/ok',
      'container/in/\ufffe%25',
    ]);
  });

  test('goes on with the marker, and asks for a page again that did not come', async () => {
    let asked = 0;
    const found = await listing(({ query }) => {
      if (!query.has('marker')) return { body: page(blob('in/a'), '<NextMarker>m!/+=</NextMarker>') };
      expect(query.get('marker')).toBe('m!/+=');
      asked += 1;
      return asked === 1 ? { status: 503, headers: { 'x-ms-error-code': 'ServerBusy' } } : { body: page(blob('in/b'), '<NextMarker/>') };
    });
    expect([found, asked]).toEqual([['container/in/a', 'container/in/b'], 2]);
  });

  test.each([
    ['is cut', page(blob('in/a')).slice(0, -20)],
    ['has a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${page('')}`],
    ['is another document', '<html></html>'],
    ['is nothing', ''],
    ['goes in circles', page(blob('in/a'), '<NextMarker>m</NextMarker>')],
  ])('that %s fails', async (_what, body) => {
    await expect(listing(() => ({ body }))).rejects.toMatchObject({ type: 'AzureBlobException', context: { code: 'broken' } });
  });
});

test('a read that breaks off is told, and may be tried again', async () => {
  await using fake = await openFakeHttp(() => ({ body: 'x'.repeat(1000), cutAt: 10 }));
  await using storage = open(fake);
  await expect(storage.read('container/blob', { signal }).then(textOf)).rejects.toMatchObject({
    type: 'AzureBlobException',
    retryable: true,
  });
});

test('names that the service would read otherwise are refused before anything is sent', async () => {
  await using fake = await openFakeHttp(() => ({}));
  await using storage = open(fake);
  for (const path of [
    'UPPER/x',
    'ab/x',
    'a--b/x',
    'container/back\\slash',
    'container/dot.',
    'container/dir./x',
    `container/${'x'.repeat(1025)}`,
    'container/../x',
    'container//x',
    'container/\u0001',
  ])
    await expect(storage.write(path, outgoing('x'), { signal })).rejects.toEqual(code('bad_name'));
  expect(fake.requests).toEqual([]);
});
