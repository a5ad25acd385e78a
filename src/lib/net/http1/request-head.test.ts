import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeHead } from './request-head.ts';

const line = { method: 'GET', path: '/a', host: 'h', headers: {}, body: undefined } as const;
const write = (more: object) => writeHead({ ...line, ...more }).toString('latin1');

test.each<[object, string]>([
  [{}, 'GET /a HTTP/1.1\r\nhost: h\r\n\r\n'],
  [{ headers: { Host: 'other', a: 'b' } }, 'GET /a HTTP/1.1\r\nhost: other\r\na: b\r\n\r\n'],
  [{ method: 'PUT' }, 'PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n'],
  [
    { method: 'PUT', body: 3, headers: { 'Content-Length': '9', 'transfer-encoding': 'x' } },
    'PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\n\r\n',
  ],
  [{ method: 'PUT', body: 'chunked' }, 'PUT /a HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n'],
])('%j', (more, expected) => expect(write(more)).toBe(expected));

test('whatever is given, it is one request or none', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, text, text, (method, path, name, value) => {
      let written = '';
      try {
        written = write({ method, path, headers: { [name]: value } });
      } catch (fault) {
        expect(fault).toMatchObject({ code: 'ERR_INVALID_CHAR' });
        return;
      }
      expect(written.split('\r\n').length).toBeLessThanOrEqual(6);
      expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
    }),
  );
});
