import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UrlValidationException } from '../../core/errors.ts';
import { classOfAddress, plainAddress } from './address-class.ts';
import { createAddressGuard } from './guard.ts';
import { isHostPattern } from './judge-url.ts';

interface Case {
  readonly id: string;
  readonly kind?: string;
  readonly url: unknown;
  readonly options?: { readonly allow_private?: boolean; readonly allow_hosts?: readonly string[] };
  readonly dns?: Readonly<Record<string, readonly string[]>>;
  readonly expect: { readonly ok: boolean; readonly reason?: string };
  readonly why: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync('test/fixtures/corpus/ssrf-urls.json', 'utf8'));

const guardOver = (dns: Case['dns'] = {}) =>
  createAddressGuard({
    lookup: async (name) => {
      const answers = dns[name];
      if (answers === undefined) throw new Error(`no answer for ${name}`);
      return answers;
    },
  });

describe('a URL is judged by all it says and all its addresses', () => {
  for (const { id, url, options = {}, dns, expect: wanted, why } of cases.filter(({ kind }) => kind === undefined)) {
    test(`${id}: ${why}`, async () => {
      const rules = { allowPrivate: options.allow_private ?? false, allowHosts: options.allow_hosts ?? [] };
      const found = await guardOver(dns)
        .validate(url, rules)
        .catch((fault: unknown) => fault);
      if (wanted.ok) return expect(found).toBe(url);
      expect(found).toBeInstanceOf(UrlValidationException);
      expect(found).toMatchObject({ context: { reason: wanted.reason } });
    });
  }
});

test('a refusal shows neither credentials nor the query', async () => {
  const fault = await guardOver()
    .validate('https://user:hunter2@host.example/x?token=hunter2')
    .catch((each: unknown) => each);
  expect(fault).toMatchObject({ message: expect.stringContaining('https://***@host.example/x is refused') });
  expect(JSON.stringify(fault)).not.toContain('hunter2');
});

test('a name that cannot be looked up may be there later, a private one will not', async () => {
  const guard = guardOver({ 'inside.example': ['10.0.0.1'] });
  await expect(guard.validate('https://gone.example/')).rejects.toMatchObject({ retryable: true });
  await expect(guard.validate('https://inside.example/')).rejects.toMatchObject({ retryable: false });
});

test('what is forbidden inside an IPv6 form stays forbidden however private addresses are allowed', () => {
  const forms = ['::ffff:a9fe:a9fe', '::a9fe:a9fe', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '2002:a9fe:a9fe::'];
  expect(forms.map(classOfAddress)).toEqual(forms.map(() => 'forbidden'));
});

test('every spelling of an IPv6 address has one plain form and one class', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((each) => each.toString(16).padStart(4, '0')).join(':');
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      expect(plainAddress(short.toUpperCase())).toBe(plainAddress(long));
      expect(classOfAddress(short)).toBe(classOfAddress(long));
    }),
  );
});

test('only addresses have a class but forbidden', () => {
  expect(['', 'example.com', '1.2.3', 'fe80::1%eth0', '1.2.3.4 '].map(classOfAddress)).toEqual(new Array(5).fill('forbidden'));
});

test.each<[pattern: string, url: string, isOpen: boolean]>([
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
  ['127.0.0.1:8080', 'http://127.0.0.1:8081/', false],
  ['127.0.0.1', 'http://127.0.0.1:8081/', true],
  ['127.0.0.1:80', 'http://127.0.0.1/', true],
  ['127.0.0.1:443', 'http://127.0.0.1/', false],
  ['localhost', 'http://localhost./', true],
  ['*.lan', 'http://nas.lan/', true],
  ['*.lan', 'http://a.nas.lan/', true],
  ['*.lan:8080', 'http://nas.lan/', false],
  ['*.lan', 'http://lan/', false],
  ['*.lan', 'http://nas.plan/', false],
  ['[::1]:8080', 'http://[::1]:8080/', true],
  ['::1', 'http://[0:0:0:0:0:0:0:1]/', true],
  ['nas.lan', 'http://10.0.0.1/', false],
  ['*.internal', 'http://metadata.internal/', false],
])('private_hosts = [%j] and %s', async (pattern, url, isOpen) => {
  const guard = guardOver({
    lan: ['10.0.0.1'],
    'nas.lan': ['10.0.0.1'],
    'a.nas.lan': ['10.0.0.2'],
    'nas.plan': ['10.0.0.3'],
    localhost: ['127.0.0.1'],
    'metadata.internal': ['169.254.169.254'],
  });
  const asked = guard.validate(url, { privateHosts: [pattern] });
  if (isOpen) expect(await asked).toBe(url);
  else await expect(asked).rejects.toBeInstanceOf(UrlValidationException);
});

test('a host pattern is a host, a host with its port, or a star before names', () => {
  const good = ['nas', 'nas.lan', '*.lan', '*.lan:80', '10.0.0.1', '10.0.0.1:8080', '::1', '[::1]', '[::1]:443', 'NAS.lan'];
  const bad = ['', '*', '*.', 'http://nas', 'nas/', 'nas:', 'nas:0', 'nas:70000', 'a*.lan', 'u@nas', 'nas:80:80', '[nas]x', 'a b'];
  expect(good.filter((each) => !isHostPattern(each))).toEqual([]);
  expect(bad.filter(isHostPattern)).toEqual([]);
});
