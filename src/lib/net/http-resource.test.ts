import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeResource, isSameContent, onlyIfSame, parseContentRange } from './http-resource.ts';

const LAST = 'Wed, 21 Oct 2015 07:28:00 GMT';

test.each([
  ['a length and a strong tag', 200, { 'content-length': '12', etag: '"a"' }, { bytes: 12, validator: '"a"' }],
  ['a weak tag is no validator', 200, { etag: 'W/"a"' }, {}],
  ['a time is one', 200, { 'last-modified': LAST }, { modifiedMs: Date.parse(LAST), validator: LAST }],
  ['a tag comes before a time', 200, { 'last-modified': LAST, etag: '"a"' }, { modifiedMs: Date.parse(LAST), validator: '"a"' }],
  ['a change of this very second is not settled', 200, { 'last-modified': LAST, date: LAST }, { modifiedMs: Date.parse(LAST) }],
  ['the length of a part is not that of the whole', 206, { 'content-length': '2', 'content-range': 'bytes 3-4/9' }, { bytes: 9 }],
  ['a refused part tells the whole', 416, { 'content-length': '100', 'content-range': 'bytes */7' }, { bytes: 7 }],
  ['nonsense tells nothing', 200, { 'content-length': '-1', etag: 'a', 'last-modified': 'yesterday' }, {}],
  ['two lengths tell nothing', 200, { 'content-length': '1, 1' }, {}],
])('%s', (_, status, headers, expected) => {
  expect(describeResource(status, headers)).toEqual(expected);
});

test('a content is known again by its tag or its time', () => {
  expect(isSameContent('"a"', { etag: '"a"' })).toBe(true);
  expect(isSameContent('"a"', { etag: 'W/"a"' })).toBe(true);
  expect(isSameContent('"a"', { etag: '"b"' })).toBe(false);
  expect(isSameContent('"a"', { 'last-modified': LAST })).toBeUndefined();
  expect(isSameContent(LAST, { 'last-modified': LAST })).toBe(true);
  expect([onlyIfSame('"a"'), onlyIfSame(LAST)]).toEqual([{ 'if-match': '"a"' }, { 'if-unmodified-since': LAST }]);
});

test('what a range says is possible, whatever was sent', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(fc.nat(), fc.nat(), fc.oneof(fc.nat(), fc.constant('*'))).map(([a, b, c]) => `bytes ${a}-${b}/${c}`),
        fc.nat().map((all) => `bytes */${all}`),
      ),
      (value) => {
        const range = parseContentRange(value);
        if (range?.start === undefined || range.end === undefined) return;
        expect(range.start).toBeLessThan(range.end);
        expect(range.end).toBeLessThanOrEqual(range.total ?? Number.POSITIVE_INFINITY);
        expect(value).toBe(`bytes ${range.start}-${range.end - 1}/${range.total ?? '*'}`);
      },
    ),
  );
});
