import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplyReader, portOfEpsv, portOfPasv } from './reply.ts';

const read = (...texts: readonly string[]) => {
  const reader = createReplyReader();
  return texts.flatMap((text) => reader.feed(Buffer.from(text)));
};
const reply = (text: string) => ({ code: 229, lines: [text] });

describe('an answer', () => {
  test.each([
    ['of one line', '220 Hello\r\n', [{ code: 220, lines: ['Hello'] }]],
    ['without a text', '220\r\n', [{ code: 220, lines: [''] }]],
    ['with a bare line end', '220 Hello\n', [{ code: 220, lines: ['Hello'] }]],
    ['of several lines', '211-Features:\r\n MDTM\r\n211 End\r\n', [{ code: 211, lines: ['Features:', ' MDTM', 'End'] }]],
    ['with codes before its inner lines', '220-a\r\n220-b\r\n220 c\r\n', [{ code: 220, lines: ['a', 'b', 'c'] }]],
    ['with another number inside', '220-a\r\n331 b\r\n220 c\r\n', [{ code: 220, lines: ['a', '331 b', 'c'] }]],
    [
      'behind another',
      '150 x\r\n226 y\r\n',
      [
        { code: 150, lines: ['x'] },
        { code: 226, lines: ['y'] },
      ],
    ],
  ])('%s', (_what, text, expected) => expect(read(text)).toEqual(expected));

  test('may arrive in any pieces', () => {
    const text = '220-Willkommen\r\n ä\r\n220 ok\r\n331 go\r\n';
    const whole = read(text);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const bytes = Buffer.from(text);
        const reader = createReplyReader();
        const at = [0, ...cuts.sort((one, other) => one - other), bytes.length];
        expect(at.slice(1).flatMap((end, index) => reader.feed(bytes.subarray(at[index], end)))).toEqual(whole);
      }),
    );
  });

  test.each(['HTTP/1.1 400 Bad\r\n', '099 low\r\n', '600 high\r\n', 'hello\r\n', '2200 x\r\n', '22\r\n', '\r\n'])('is none: %j', (text) => {
    expect(() => read(text)).toThrow('no reply');
  });

  test('is not endless', () => {
    expect(() => read('x'.repeat(10_000))).toThrow('a line of more than');
    expect(() => read(`220-a\r\n${'b\r\n'.repeat(2000)}`)).toThrow('more than 1000 lines');
  });
});

describe('the port for data', () => {
  test.each([
    ['Entering Extended Passive Mode (|||6446|)', 6446],
    ['ok (!!!1!)', 1],
    ['(|||0|)', undefined],
    ['(|||65536|)', undefined],
    ['(|1|10.0.0.1|80|)', undefined],
    ['nothing', undefined],
  ])('of EPSV: %s', (text, port) => expect(portOfEpsv(reply(text))).toBe(port));

  test.each([
    ['Entering Passive Mode (10,0,0,1,4,210)', 1234],
    ['Entering Passive Mode 10,0,0,1,4,210', 1234],
    ['=10,0,0,1,4,210', 1234],
    ['(10,0,0,1,4,256)', undefined],
    ['(10,0,0,1,4)', undefined],
    ['(10,0,0,1,0,0)', undefined],
    ['(10,0,0,1,4,210,7)', undefined],
  ])('of PASV: %s', (text, port) => expect(portOfPasv(reply(text))).toBe(port));
});
