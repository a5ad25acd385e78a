import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultOfPath } from '../../../lib/location/storage-path.ts';
import { createHrefs } from './hrefs.ts';

const hrefs = createHrefs(new URL('https://dav.example/remote.php/dav/files/m%C3%BCller/'));
const TOP = '/remote.php/dav/files/m%C3%BCller';

describe('an answer', () => {
  test.each([
    [`${TOP}/a`, 'a'],
    [`${TOP}/a/`, 'a'],
    [TOP, ''],
    [`${TOP}/`, ''],
    [`https://dav.example${TOP}/a%20b`, 'a b'],
    [`http://dav.example:8080${TOP}/a`, 'a'],
    [`//dav.example${TOP}/a`, 'a'],
    [`${TOP.toLowerCase()}/%c3%a9`, '\u00e9'],
    ['/remote.php/dav/files/m\u00fcller/\u00e9 x', '\u00e9 x'],
    [`/%72emote.php//dav/files/m%C3%BCller/b`, 'b'],
    [`${TOP}/100%`, '100%'],
    [`${TOP}/per%2541cent`, 'per%41cent'],
  ])('that names %s means %s', (href, path) => expect(hrefs.read(href)).toBe(path));

  test.each([
    [`https://evil.example${TOP}/a`],
    [`https://dav.example@evil.example${TOP}/a`],
    [`https://user@dav.example${TOP}/a`],
    [`//evil.example${TOP}/a`],
    [`${TOP}/../x`],
    [`${TOP}/%2e%2e/x`],
    [`${TOP}/a%2Fb`],
    [`${TOP}/a%00`],
    [`${TOP}/a%0Ab`],
    [`${TOP}/%ff`],
    ['/remote.php/dav/files/other/a'],
    ['a'],
    [''],
    [`${TOP}/a?b`],
    ['javascript:alert(1)'],
  ])('that names %s is not believed', (href) => expect(hrefs.read(href)).toBeUndefined());
});

test('what was written is read as the same path', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !text.includes('/') && faultOfPath(text) === undefined);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join('/');
      expect(hrefs.write(path)).toMatch(/^[\x21-\x7e]+$/);
      expect(hrefs.read(hrefs.write(path))).toBe(path);
      expect(hrefs.read(hrefs.write(path, 'dir'))).toBe(path);
    }),
  );
});

test('whatever a server writes, what is read of it is a path', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `${TOP}/${text}`),
      ),
      (href) => {
        expect(faultOfPath(hrefs.read(href) ?? '')).toBeUndefined();
      },
    ),
  );
});
