import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalQuery, createSigner, encodeKey, encodeValue, sha256 } from './sign.ts';

/** The examples of "Signature Calculations for the Authorization Header" in the reference of Amazon S3. */
const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const signing = { credentials, region: 'us-east-1', nowMs: Date.UTC(2013, 4, 24) };
const host = 'examplebucket.s3.amazonaws.com';
const EMPTY = sha256('');

test.each([
  {
    what: 'a GET of a range',
    method: 'GET',
    path: '/test.txt',
    query: {},
    headers: { host, range: 'bytes=0-9' },
    payload: EMPTY,
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'a PUT',
    method: 'PUT',
    path: `/${encodeKey('test$file.text')}`,
    query: {},
    headers: { host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    payload: sha256('Welcome to Amazon S3.'),
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'a question without value',
    method: 'GET',
    path: '/',
    query: { lifecycle: '' },
    headers: { host },
    payload: EMPTY,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'a list',
    method: 'GET',
    path: '/',
    query: { prefix: 'J', 'max-keys': '2' },
    headers: { host },
    payload: EMPTY,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('$what is signed as Amazon publishes it', ({ query, signature, ...parts }) => {
  const { authorization } = createSigner()({ ...parts, query: canonicalQuery(query) }, signing);
  expect(authorization).toMatch(new RegExp(`Signature=${signature}$`));
});

test('a signer follows the day, the region and the secret', () => {
  const sign = createSigner();
  const parts = { method: 'GET', path: '/', query: '', headers: { host }, payload: EMPTY };
  const others = [
    signing,
    { ...signing, region: 'eu-west-1' },
    { ...signing, nowMs: Date.UTC(2013, 4, 25) },
    { ...signing, credentials: { ...credentials, secretAccessKey: 'other' } },
  ];
  const fresh = others.map((each) => createSigner()(parts, each).authorization);
  expect(others.map((each) => sign(parts, each).authorization)).toEqual(fresh);
  expect(new Set(fresh).size).toBe(4);
});

test('the token of a session is sent and signed', () => {
  const signed = createSigner()(
    { method: 'GET', path: '/', query: '', headers: { host }, payload: EMPTY },
    { ...signing, credentials: { ...credentials, sessionToken: 'token' } },
  );
  expect(signed['x-amz-security-token']).toBe('token');
  expect(signed.authorization).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,');
});

test('every character but the unreserved ones is encoded', () => {
  expect(encodeValue("a-b_c.d~e!'()*/ +%é😀")).toBe('a-b_c.d~e%21%27%28%29%2A%2F%20%2B%25%C3%A9%F0%9F%98%80');
  expect(encodeKey('a/b c')).toBe('a/b%20c');
  expect(canonicalQuery({ b: '=&', a: undefined, 'a-b': 'x', a_b: '' })).toBe('a-b=x&a_b=&b=%3D%26');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(encodeValue(text)).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      expect(decodeURIComponent(encodeValue(text))).toBe(text);
    }),
  );
});
