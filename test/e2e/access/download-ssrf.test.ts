import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';
import { makeCertificates } from '../../support/net/certificates.ts';
import { type Answer, openReceiver } from '../../support/net/receiver.ts';

// Every case of the corpus through the action itself: written as its URL, and met as a redirect.

interface UrlCase {
  readonly id: string;
  readonly kind?: string;
  readonly url: unknown;
  readonly then?: string;
  readonly method?: string;
  readonly headers?: object;
  readonly resume?: boolean;
  readonly server?: { readonly first: string };
  readonly options?: object;
  readonly dns?: Readonly<Record<string, readonly string[]>>;
  readonly dns_sequence?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly redirects?: Readonly<Record<string, { readonly status: number; readonly location: string }>>;
  readonly expect: {
    readonly ok: boolean;
    readonly reason?: string;
    readonly requests_sent?: number;
    readonly connected_to?: readonly string[];
  };
  readonly why: string;
}

const { cases }: { readonly cases: readonly UrlCase[] } = JSON.parse(readFileSync('test/fixtures/corpus/ssrf-urls.json', 'utf8'));
const certificates = makeCertificates(['start.example', 'cdn.example', 'other.example']);
afterAll(() => certificates[Symbol.dispose]());

const openWorld = async ({ dns = {}, dns_sequence = {} }: Pick<UrlCase, 'dns' | 'dns_sequence'>, answer?: Answer) => {
  const receiver = await openReceiver(certificates, answer);
  const asked: string[] = [];
  const house = openHouse({
    outbound: {
      dial: receiver.dial,
      ca: certificates.ca,
      lookup: async (name) => {
        const times = asked.filter((each) => each === name).length;
        asked.push(name);
        return dns[name] ?? dns_sequence[name]?.[times] ?? [];
      },
    },
  });
  return {
    house,
    receiver,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
};

const NOTHING_RAN = ['ArgumentException', 'UrlValidationException'];
/** Private addresses are opened by the configuration, not by the caller of the action. */
const strict = cases.filter(({ kind, options }) => kind === undefined && options === undefined);

describe('a URL that is refused is never asked for', () => {
  test.each(strict.filter((each) => !each.expect.ok).map((each) => [each.id, each] as const))(
    '%s',
    async (_, { url, dns, expect: wanted }) => {
      await using world = await openWorld({ ...(dns && { dns }) });
      const { results } = await world.house.run([['FA_download_file', { file_url: url, file_name: 'out', retries: 0 }]]);
      expect(NOTHING_RAN).toContain(results[0]?.error?.type);
      if (results[0]?.error?.type === 'UrlValidationException') expect(results[0].error.context).toMatchObject({ reason: wanted.reason });
      expect([world.receiver.dialled, world.receiver.requests, readdirSync(world.house.dir.path)]).toEqual([[], [], []]);
    },
  );
});

describe('nor is it reached by a redirect', () => {
  const refused = strict.filter((each) => !each.expect.ok && typeof each.url === 'string' && isHeader(each.url));
  test.each(refused.map((each) => [each.id, each] as const))('%s', async (_, { url, dns }) => {
    const location = String(url);
    await using world = await openWorld({ dns: { ...dns, 'start.example': ['93.184.216.34'] } }, (_request, response) =>
      response.writeHead(302, { location }).end(),
    );
    const { results } = await world.house.run([
      ['FA_download_file', { file_url: 'http://start.example/first', file_name: 'out', retries: 0 }],
    ]);
    expect(results[0]?.status).toBe('failed');
    // A text that is no URL of its own is one of the same machine.
    const isRelative = !URL.canParse(location) && URL.canParse(location, 'http://start.example/first');
    if (!isRelative) expect(world.receiver.requests).toHaveLength(1);
    expect(new Set(world.receiver.dialled)).toEqual(new Set(['93.184.216.34']));
    expect(readdirSync(world.house.dir.path)).toEqual([]);
  });
});

/** Whether a text can be sent in a header at all. */
function isHeader(text: string): boolean {
  return text !== '' && text.length < 8_000 && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

describe('what is connected to is what was judged', () => {
  const transfers = cases.filter(({ kind, method, headers }) => kind === 'transfer' && method === undefined && headers === undefined);
  test.each(transfers.map((each) => [each.id, each] as const))('%s', async (_, each) => {
    await using world = await openWorld(each, ({ url }, response) => {
      const redirect = each.redirects?.[url];
      const isFirst = world.receiver.requests.length === 1;
      if (redirect !== undefined) response.writeHead(redirect.status, { location: redirect.location }).end();
      else if (each.server?.first === 'connection reset' && isFirst) response.destroy();
      else if (each.server !== undefined && isFirst) {
        response.writeHead(200, { etag: '"a"', 'content-length': 5000 });
        response.write('x'.repeat(1000), () => response.destroy());
      } else response.end('here');
    });
    const list = [each.url, each.then].flatMap((url) =>
      url === undefined ? [] : [['FA_download_file', { file_url: url, file_name: 'out', retries: 1, resume: each.resume ?? false }]],
    );
    const { results } = await world.house.run(list);
    const { ok, reason, requests_sent, connected_to } = each.expect;
    const last = results.at(-1);
    if (ok) expect(last?.error ?? last?.value).toBe(true);
    else expect(last?.error).toMatchObject({ type: 'UrlValidationException', context: { reason } });
    if (requests_sent !== undefined) expect(world.receiver.requests).toHaveLength(requests_sent);
    if (connected_to !== undefined) expect(world.receiver.dialled).toEqual(connected_to);
  });
});
