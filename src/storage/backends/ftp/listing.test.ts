import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listingCodeOf, readFacts, readListLine, readTime, writeTime } from './listing.ts';

describe('a line of MLSD', () => {
  test.each([
    ['type=file;size=12;modify=20200203040506; a b', { name: 'a b', kind: 'file', bytes: 12, modifiedMs: Date.UTC(2020, 1, 3, 4, 5, 6) }],
    ['Type=Dir;Modify=20200203040506.789; d', { name: 'd', kind: 'dir', bytes: 0, modifiedMs: Date.UTC(2020, 1, 3, 4, 5, 6, 789) }],
    ['type=dir;unique=801U2;  leading', { name: ' leading', kind: 'dir', bytes: 0, unique: '801U2' }],
    ['type=file;size=1;perm=r; x;y=z', { name: 'x;y=z', kind: 'file', bytes: 1 }],
    ['type=OS.unix=slink:/etc/passwd;size=3; l', { name: 'l', kind: 'link', bytes: 0 }],
    ['type=cdir; .', undefined],
    ['type=pdir; ..', undefined],
    ['type=OS.unix=chr-1/3; null', undefined],
  ])('%s', (line, expected) => expect(readFacts(line)).toEqual(expected));

  test.each(['nonsense', 'type=file;size=-1; x', 'type=file;size=99999999999999999; x', '=x; y'])('is none: %s', (line) => {
    expect(() => readFacts(line)).toThrow(/cannot be read/);
  });
});

describe('a line of LIST', () => {
  test.each([
    ['-rw-r--r--    1 5        60              3 Nov 16 12:50 hostname', { name: 'hostname', kind: 'file', bytes: 3 }],
    ['-rw-rw-r--+ 1 ftp ftp 1048576 Jan  3  2020  leading and  two', { name: ' leading and  two', kind: 'file', bytes: 1_048_576 }],
    ['drwxr-xr-x   2 root     root         4096 Feb 29 00:00 a b', { name: 'a b', kind: 'dir', bytes: 0 }],
    ['drwxrwsr-t 2 root 4096 2020-01-03 10:00 iso', { name: 'iso', kind: 'dir', bytes: 0 }],
    ['lrwxrwxrwx 1 a b 4 Nov 16 12:50 l -> ../x', { name: 'l', kind: 'link', bytes: 0 }],
    ['crw-rw-rw- 1 root root 1, 3 Nov 16 12:50 null', 'unreadable'],
    ['02-03-20  04:05AM       <DIR>          Program Files', { name: 'Program Files', kind: 'dir', bytes: 0 }],
    ['02-03-2020  14:05                 123 a.txt', { name: 'a.txt', kind: 'file', bytes: 123 }],
    ['+i8388621.29609,m824255902,/,\tdev', { name: 'dev', kind: 'dir', bytes: 0 }],
    ['+i8388621.44468,m839956783,r,s10376,\tREADME', { name: 'README', kind: 'file', bytes: 10_376, modifiedMs: 839_956_783_000 }],
    ['total 12', undefined],
    ['', undefined],
  ])('%s', (line, expected) => {
    if (expected === 'unreadable') expect(() => readListLine(line)).toThrow(/cannot be read/);
    else expect(readListLine(line)).toEqual(expected);
  });

  test('of VMS is refused as such', () => {
    const fault = (() => {
      try {
        return readListLine('CII-MANUAL.TEX;1  213/216  29-JAN-1996 03:33:12  [ANONYMOU,ANONYMOUS]   (RWED,RWED,,)');
      } catch (each) {
        return each;
      }
    })();
    expect(listingCodeOf(fault)).toBe('unsupported');
  });

  test('that is anything else is refused, and soon', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), (line) => {
        try {
          readListLine(line);
        } catch (fault) {
          expect(listingCodeOf(fault)).toBeDefined();
        }
      }),
    );
    for (const line of [`-rw-r--r-- ${'1 '.repeat(50_000)}`, `-rw-r--r-- ${' '.repeat(100_000)}x`, `02-03-20 ${' '.repeat(100_000)}`]) {
      expect(() => readListLine(line)).toThrow(/cannot be read/);
    }
  });
});

test('times go and come as they are, in whole seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
      expect(readTime(writeTime(seconds * 1000))).toBe(seconds * 1000);
    }),
  );
  expect([readTime(''), readTime('2020'), readTime('20200203040506Z')]).toEqual([undefined, undefined, undefined]);
});
