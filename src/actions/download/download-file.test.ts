import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openWebHouse, type WebAnswerer } from '../../../test/support/net/web-house.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';

const TEXT = 'the content of a file, '.repeat(200);
const SHA256 = createHash('sha256').update(TEXT).digest('hex');

/** A server that knows ranges, whose answers are cut off after so many bytes: one number for each request. */
const ranged = (cuts: readonly number[] = [], { etag = '"v1"', text = TEXT }: { etag?: string; text?: string } = {}): WebAnswerer => {
  const left = [...cuts];
  return ({ headers, method }, response) => {
    const from = headers.range !== undefined && headers['if-range'] === etag ? Number(/\d+/.exec(headers.range)?.[0]) : undefined;
    if (from !== undefined && from >= text.length) return void response.writeHead(416, { 'content-range': `bytes */${text.length}` }).end();
    const body = text.slice(from ?? 0);
    response.writeHead(from === undefined ? 200 : 206, {
      'content-length': body.length,
      etag,
      ...(from !== undefined && { 'content-range': `bytes ${from}-${text.length - 1}/${text.length}` }),
    });
    const cut = method === 'HEAD' ? undefined : left.shift();
    if (cut === undefined) return void response.end(body);
    response.write(body.slice(0, cut), () => response.destroy());
  };
};

const get = (url: string, more: Readonly<Record<string, unknown>> = {}) =>
  ['FA_download_file', { file_url: url, file_name: 'out', ...more }] as const;

test('a file comes whole, under both names of the action, and takes the place of an older one', async () => {
  await using web = await openWebHouse(ranged(), { files: { out: 'old' } });
  const { results } = await web.house.run([get(`${web.origin}/a`), ['FA_http_download', [`${web.origin}/a`, 'deep/er']]]);
  expect(results.map(({ value, error }) => error ?? value)).toEqual([true, true]);
  expect([web.house.dir.read('out'), web.house.dir.read('deep/er')]).toEqual([TEXT, TEXT]);
});

test('the digest that is expected is demanded before the file shows', async () => {
  await using web = await openWebHouse(ranged(), { files: { out: 'old' } });
  const { results } = await web.house.run([
    get(web.origin, { expected_sha256: SHA256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    get(web.origin, { expected_sha256: SHA256.toUpperCase(), file_name: 'right' }),
    get(web.origin, { expected_sha256: 'abc' }),
    get(web.origin, { expected_sha256: SHA256, file_name: 'resumed', resume: true }),
  ]);
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ChecksumMismatchException', 'ok', 'ArgumentException', 'ok']);
  expect(readdirSync(web.house.dir.path).sort()).toEqual(['out', 'resumed', 'right']);
  expect(web.house.dir.read('out')).toBe('old');
});

describe('a file that is too large is refused', () => {
  test.each<[string, WebAnswerer]>([
    ['by what is announced', ranged()],
    ['by what comes', (_, response) => response.writeHead(200).end(TEXT)],
  ])('%s', async (_, answer) => {
    await using web = await openWebHouse(answer);
    const { results } = await web.house.run([
      get(web.origin, { max_bytes: TEXT.length - 1 }),
      get(web.origin, { max_bytes: 0, file_name: 'all' }),
    ]);
    expect(results).toMatchObject([
      { error: { type: 'DownloadException', retryable: false, context: { max_bytes: TEXT.length - 1 } } },
      { value: true },
    ]);
    expect(readdirSync(web.house.dir.path)).toEqual(['all']);
    expect(web.asked).toHaveLength(2);
  });
});

test.each([
  [404, false],
  [401, false],
  [304, false],
  [500, true],
])('the answer %d is a failure', async (status, retryable) => {
  await using web = await openWebHouse((_, response) => response.writeHead(status).end());
  const { results } = await web.house.run([get(`${web.origin}/x?token=hunter2`, { retries: 0 })]);
  expect(results).toMatchObject([{ error: { type: 'DownloadException', retryable, context: { status } } }]);
  expect(JSON.stringify(results)).not.toContain('hunter2');
  expect(readdirSync(web.house.dir.path)).toEqual([]);
});

test('an answer that breaks off is gone on with where the server can, and begun anew where it cannot', async () => {
  await using web = await openWebHouse(ranged([1000, 500]));
  const { results } = await web.house.run([get(`${web.origin}/a`, { expected_sha256: SHA256 })]);
  expect(results[0]?.error ?? results[0]?.value).toBe(true);
  expect(web.asked).toEqual(['GET /a', 'GET /a bytes=1000- "v1"', 'GET /a bytes=1500- "v1"']);
  await using other = await openWebHouse(ranged([1000], { etag: 'W/"weak"' }));
  const again = await other.house.run([get(`${other.origin}/a`, { expected_sha256: SHA256 })]);
  expect([again.ok, other.asked, other.house.dir.read('out')]).toEqual([true, ['GET /a', 'GET /a'], TEXT]);
});

test('attempts come to an end, and the target stays', async () => {
  await using web = await openWebHouse((_, response) => response.destroy(), { files: { out: 'old' } });
  const { results } = await web.house.run([get(web.origin, { retries: 1 })]);
  expect(results).toMatchObject([{ error: { type: 'DownloadException', retryable: true } }]);
  expect([web.asked.length, web.house.dir.read('out'), readdirSync(web.house.dir.path)]).toEqual([2, 'old', ['out']]);
});

test('a server that wants to be left alone for long is not waited for', async () => {
  await using web = await openWebHouse((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  const { results } = await web.house.run([get(web.origin)]);
  expect(results).toMatchObject([{ error: { context: { status: 503, retry_after_s: 3600 } } }]);
  expect(web.asked).toHaveLength(1);
});

describe('resume', () => {
  const part = 'out.part';
  const about = 'out.part.json';

  test('goes on in another run with what has arrived', async () => {
    let isSilent = true;
    await using web = await openWebHouse((request, response) => {
      if (!isSilent) return ranged()(request, response);
      isSilent = false;
      response.writeHead(200, { 'content-length': TEXT.length, etag: '"v1"' }).write(TEXT.slice(0, 1000));
    });
    const url = `${web.origin}/a?key=hunter2`;
    const broken = await web.house.run([get(url, { resume: true, retries: 0, stall_timeout: 0.2 })]);
    expect(broken.results).toMatchObject([{ error: { type: 'DownloadException', retryable: true } }]);
    expect([web.house.dir.read(part)?.length, web.house.dir.read('out')]).toEqual([1000, undefined]);
    expect(web.house.dir.read(about)).toContain('"validator":"\\"v1\\""');
    expect(web.house.dir.read(about)).not.toContain('hunter2');
    const whole = await web.house.run([get(url, { resume: true, expected_sha256: SHA256 })]);
    expect([whole.ok, web.asked[1], readdirSync(web.house.dir.path)]).toEqual([true, 'GET /a?key=hunter2 bytes=1000- "v1"', ['out']]);
  });

  const beginning = (url: string, validator: string, text: string) => ({
    [part]: text,
    [about]: JSON.stringify({ url, url_sha256: createHash('sha256').update(url).digest('hex'), validator }),
  });
  const resumed = async (answer: WebAnswerer, left: (url: string) => Readonly<Record<string, string>>) => {
    await using web = await openWebHouse(answer);
    const url = `${web.origin}/a`;
    for (const [name, content] of Object.entries(left(url))) web.house.dir.write(name, content);
    const { results } = await web.house.run([get(url, { resume: true })]);
    expect(results[0]?.error ?? results[0]?.value).toBe(true);
    expect(readdirSync(web.house.dir.path)).toEqual(['out']);
    expect(web.house.dir.read('out')).toBe(TEXT);
    return web.asked;
  };

  test('starts over when the file is another by now', async () => {
    expect(await resumed(ranged(), (url) => beginning(url, '"v0"', 'other'))).toEqual(['GET /a bytes=5- "v0"']);
  });

  test('starts over when it began with another URL, or nobody knows with what', async () => {
    expect(await resumed(ranged(), (url) => beginning(`${url}x`, '"v1"', 'other'))).toEqual(['GET /a']);
    expect(await resumed(ranged(), () => ({ [part]: 'other' }))).toEqual(['GET /a']);
    expect(await resumed(ranged(), () => ({ [part]: 'other', [about]: '{"val' }))).toEqual(['GET /a']);
  });

  test('is done when everything has arrived already', async () => {
    expect(await resumed(ranged(), (url) => beginning(url, '"v1"', TEXT))).toEqual([`GET /a bytes=${TEXT.length}- "v1"`]);
  });

  test('starts over when there is more than the file has', async () => {
    const asked = await resumed(ranged(), (url) => beginning(url, '"v1"', `${TEXT}more`));
    expect(asked).toEqual([`GET /a bytes=${TEXT.length + 4}- "v1"`, 'GET /a']);
  });

  test.each([
    ['bytes 0-3/9', '"v1"'],
    ['bytes 5-8/9', '"v2"'],
    ['nonsense', '"v1"'],
  ])('does not take the part %s of %s for its own', async (contentRange, etag) => {
    const asked = await resumed(
      ({ headers }, response) =>
        headers.range === undefined
          ? ranged()({ headers } as never, response)
          : response.writeHead(206, { 'content-range': contentRange, etag }).end('evil'),
      (url) => beginning(url, '"v1"', 'other'),
    );
    expect(asked).toHaveLength(2);
  });

  test('keeps nothing of a server that has no word for this very content', async () => {
    await using web = await openWebHouse((_, response) => {
      response.writeHead(200, { 'content-length': 5000 });
      response.write(TEXT.slice(0, 1000), () => response.destroy());
    });
    await web.house.run([get(web.origin, { resume: true, retries: 0 })]);
    expect(readdirSync(web.house.dir.path)).toEqual([]);
  });

  test('may bring an empty file', async () => {
    await using web = await openWebHouse(ranged([], { text: '' }));
    const { ok } = await web.house.run([get(web.origin, { resume: true }), get(web.origin, { file_name: 'b' })]);
    expect([ok, web.house.dir.read('out'), web.house.dir.read('b')]).toEqual([true, '', '']);
  });
});

test('two downloads of one target with resume do not mix', async () => {
  const waiting: (() => void)[] = [];
  await using web = await openWebHouse((request, response) => {
    const text = (request.url === '/a' ? 'a' : 'b').repeat(4_000_000);
    response.writeHead(200, { 'content-length': text.length, etag: `"${request.url}"` });
    response.write(text.slice(0, 2_000_000));
    waiting.push(() => response.end(text.slice(2_000_000)));
    if (waiting.length === 2) for (const go of waiting) go();
  });
  const runs = await Promise.all(['/a', '/b'].map((path) => web.house.run([get(`${web.origin}${path}`, { resume: true, retries: 0 })])));
  const content = web.house.dir.read('out') ?? '';
  expect(runs.filter(({ ok }) => ok).length).toBeLessThan(2);
  expect(new Set(content).size).toBeLessThan(2);
});

describe('stopping', () => {
  const stalled: WebAnswerer = (_, response) => void response.writeHead(200, { 'content-length': 5000, etag: '"v1"' }).write('begin');

  test('a server that falls silent is given up after its time', async () => {
    await using web = await openWebHouse(stalled);
    const { results } = await web.house.run([get(web.origin, { stall_timeout: 0.2, retries: 0 })]);
    expect(results).toMatchObject([{ error: { type: 'DownloadException', retryable: true } }]);
  });

  test('it can be cancelled under the name of its progress', async () => {
    await using web = await openWebHouse(stalled);
    const { progress } = web.house.factotum;
    const stop = progress.onChange(() => {
      if ((progress.lookup('mine')?.transferred ?? 0) === 0) return;
      stop();
      progress.cancel('mine');
    });
    const { results } = await web.house.run([get(web.origin, { progress_name: 'mine', resume: true })]);
    expect(results).toMatchObject([{ status: 'cancelled', error: { type: 'CancelledException' } }]);
    expect(progress.lookup('mine')).toMatchObject({ status: 'cancelled', transferred: 5, total: 5000 });
    expect(web.house.dir.read('out.part')).toBe('begin');
  });

  test('a cancelled run leaves nothing', async () => {
    const controller = new AbortController();
    await using web = await openWebHouse((request, response) => {
      stalled(request, response);
      controller.abort();
    });
    const { status } = await web.house.run([get(web.origin)], { signal: controller.signal });
    expect([status, readdirSync(web.house.dir.path)]).toEqual(['cancelled', []]);
  });
});

test('what is downloaded counts against the quota', async () => {
  await using web = await openWebHouse(ranged());
  const { results } = await web.house.run({ actions: [get(web.origin)], quota: { max_bytes: 1000 } });
  expect(results).toMatchObject([{ error: { type: 'QuotaExceededException' } }]);
  expect(readdirSync(web.house.dir.path)).toEqual([]);
});

describe('a dry run', () => {
  test('asks for the head only, and tells what would be read and written', async () => {
    await using web = await openWebHouse(ranged(), { files: { old: 'x' } });
    const { results } = await web.house.run({ actions: [get(web.origin), get(web.origin, { file_name: 'old' })], dry_run: true });
    const read = { kind: 'read', target: web.origin, bytes: TEXT.length };
    expect(results.map(({ plan, error }) => error ?? plan?.effects)).toEqual([
      [read, { kind: 'create', target: web.house.dir.at('out'), bytes: TEXT.length }],
      [read, { kind: 'overwrite', target: web.house.dir.at('old'), bytes: TEXT.length }],
    ]);
    expect(web.asked).toEqual(['HEAD /', 'HEAD /']);
  });

  test('another file makes another plan', async () => {
    let etag = '"1"';
    await using web = await openWebHouse((request, response) => ranged([], { etag })(request, response));
    const { plan_hash } = await web.house.run({ actions: [get(web.origin)], dry_run: true });
    etag = '"2"';
    expect(await web.house.refusal({ actions: [get(web.origin)], expect_plan: plan_hash })).toMatchObject({ type: 'PlanChangedException' });
    etag = '"1"';
    expect((await web.house.run({ actions: [get(web.origin)], expect_plan: plan_hash })).ok).toBe(true);
  });

  test('fails as the run would', async () => {
    await using web = await openWebHouse((_, response) => response.writeHead(404).end());
    const { results } = await web.house.run({ actions: [get(web.origin)], dry_run: true });
    expect(results).toMatchObject([{ error: { type: 'DownloadException', context: { status: 404 } } }]);
  });

  test('of a server that does not answer HEAD tells what it can', async () => {
    await using web = await openWebHouse((_, response) => response.writeHead(405).end());
    const { results } = await web.house.run({ actions: [get(web.origin)], dry_run: true });
    expect(results[0]?.plan?.effects.map(({ kind }) => kind)).toEqual(['read', 'create']);
  });
});

describe('a limited caller', () => {
  test('needs the network, and each host of a redirect must be one of its hosts', async () => {
    await using web = await openWebHouse((request, response) =>
      request.url === '/here'
        ? response.end('x')
        : response.writeHead(302, { location: request.url === '/a' ? '/here' : 'http://93.184.216.34/' }).end(),
    );
    const run = (path: string, rules: Parameters<typeof createPolicy>[0]) =>
      web.house.factotum.run([get(`${web.origin}${path}`)], {
        caller: { ...OWNER, name: 'guest', policy: createPolicy({ readWrite: [web.house.dir.path], ...rules }) },
      });
    expect((await run('/a', {})).results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'network' } });
    expect(web.asked).toEqual([]);
    expect((await run('/b', { hosts: ['127.0.0.1'] })).results[0]?.error).toMatchObject({
      type: 'PolicyException',
      context: { rule: 'hosts' },
    });
    expect((await run('/a', { hosts: ['127.0.0.1'] })).ok).toBe(true);
  });
});
