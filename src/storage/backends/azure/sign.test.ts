import { expect, test } from 'vitest';
import { textToSign } from './sign.ts';

test('the text to sign is that of the documentation', () => {
  const parts = {
    method: 'GET',
    path: '/mycontainer',
    query: { restype: 'container', comp: 'metadata', timeout: '20' },
    headers: { 'x-ms-version': '2015-02-21', 'x-ms-date': 'Fri, 26 Jun 2015 23:39:12 GMT' },
    bytes: 0,
  };
  expect(textToSign(parts, 'myaccount')).toBe(
    `GET${'\n'.repeat(12)}x-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20`,
  );
});

test('what stands in a place is signed in its place', () => {
  const headers = {
    'content-md5': 'MD5',
    'content-type': 'TYPE',
    'if-match': 'M',
    'if-none-match': '*',
    range: 'bytes=0-1',
    'x-ms-z': ' b ',
    'x-ms-a': 'a',
  };
  expect(textToSign({ method: 'PUT', path: '/c/a%20b', query: {}, headers, bytes: 11 }, 'me')).toBe(
    'PUT\n\n\n11\nMD5\nTYPE\n\n\nM\n*\n\nbytes=0-1\nx-ms-a:a\nx-ms-z:b\n/me/c/a%20b',
  );
});
