import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFramer, type FramerOptions, type Piece } from './framer.ts';

/** What a framer makes of some chunks, in a form that compares well. */
const piecesOf = (chunks: readonly (string | Buffer)[], options: Partial<FramerOptions> = {}) => {
  const framer = createFramer({ locked: false, maxBytes: 1_000_000, maxDepth: 64, ...options });
  const pieces: string[] = [];
  const shown = (piece: Piece) => (piece.kind === 'list' ? piece.bytes.toString() : `AUTH ${piece.secret}`);
  for (const chunk of chunks) {
    framer.feed(Buffer.from(chunk));
    for (let piece = framer.next(); piece !== undefined; piece = framer.next()) {
      pieces.push(shown(piece));
      if (piece.kind === 'auth') framer.unlock();
    }
  }
  return { pieces, isInside: framer.isInside };
};

/** Cuts bytes at these places. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
};

test('a list ends where its value ends, whatever its texts hold', () => {
  const lists = ['[]', '[["a","]"]]', '{"actions":[]}', '["\\"]"]', '["\\\\"]', '[["\\u005d{"]]', '["é]😀"]'];
  expect(piecesOf([` ${lists.join('')}\r\n\t`])).toEqual({ pieces: lists, isInside: false });
});

test('any stream of lists and lines is cut at the same places, however its bytes arrive', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const lists = fc.oneof(fc.array(value), fc.dictionary(fc.string(), value)).map((list) => JSON.stringify(list));
  const lines = fc.stringMatching(/^[a-z]{1,20}$/).map((secret) => `AUTH ${secret}`);
  const pieces = fc.array(fc.oneof(lists, lines), { maxLength: 8 });
  const blanks = fc.constantFrom('', ' ', '\n', '\r\n', '\t \n');
  fc.assert(
    fc.property(pieces, blanks, fc.array(fc.nat(), { maxLength: 40 }), (all, blank, places) => {
      const stream = all.map((piece) => `${blank}${piece}${piece.startsWith('AUTH') ? '\n' : ''}`).join('');
      expect(piecesOf(cut(Buffer.from(stream), places))).toEqual({ pieces: all, isInside: false });
    }),
    { numRuns: 300 },
  );
});

test('a stream that comes byte by byte is cut as one that comes at once', () => {
  const stream = Buffer.from('AUTH secret\r\n[["a","\\"]"]] {"nodes":["é"]}\n[[]]');
  const bytes = [...stream].map((byte) => Buffer.of(byte));
  expect(piecesOf(bytes)).toEqual(piecesOf([stream]));
  expect(piecesOf(bytes).pieces).toHaveLength(4);
});

test('a list that is not whole yet is told', () => {
  expect(piecesOf(['[[1'])).toEqual({ pieces: [], isInside: true });
  expect(piecesOf(['AUT'])).toEqual({ pieces: [], isInside: true });
  expect(piecesOf([' \n '])).toEqual({ pieces: [], isInside: false });
});

describe('a secret stands in its line', () => {
  test.each([
    ['AUTH abc\n', 'AUTH abc'],
    ['AUTH abc\r\n', 'AUTH abc'],
    ['AUTH   a b  \n', 'AUTH a b'],
    ['AUTH \n', 'AUTH '],
    ['AUTH a\u0000\n', 'AUTH a\u0000'],
  ])('%j', (line, shown) => expect(piecesOf([line], { locked: true }).pieces).toEqual([shown]));
});

describe('framing stops at once at', () => {
  test.each<[string, string | Buffer, Partial<FramerOptions>, string, string]>([
    ['a letter', '[]x[]', {}, 'JsonActionException', 'stray_byte'],
    ['a number', '1', {}, 'JsonActionException', 'stray_byte'],
    ['a closing bracket', '[]]', {}, 'JsonActionException', 'stray_byte'],
    ['a byte order mark', Buffer.from('efbbbf5b5d', 'hex'), {}, 'JsonActionException', 'stray_byte'],
    ['a word that is not AUTH', 'AUTO x\n', {}, 'JsonActionException', 'stray_byte'],
    ['AUTH without a space', 'AUTH\tx\n', {}, 'JsonActionException', 'stray_byte'],
    ['a list that is too large', `["${'a'.repeat(20)}`, { maxBytes: 20 }, 'JsonActionException', 'size'],
    ['a whole list that is too large', `["${'a'.repeat(20)}"]`, { maxBytes: 20 }, 'JsonActionException', 'size'],
    ['a list that is too deep', '[[[', { maxDepth: 2 }, 'JsonActionException', 'depth'],
  ])('%s', (_, stream, options, type, reason) => {
    expect(() => piecesOf([stream], options)).toThrow(expect.objectContaining({ type, context: expect.objectContaining({ reason }) }));
  });

  test.each([
    ['a list before the secret', '['],
    ['white space and then a list before the secret', ' \n{'],
    ['other text before the secret', 'POST / HTTP/1.1'],
    ['a line that is too long', `AUTH ${'a'.repeat(4092)}`],
  ])('%s, where a secret is demanded', (_, stream) => {
    expect(() => piecesOf([stream], { locked: true })).toThrow(expect.objectContaining({ type: 'TCPAuthException' }));
  });
});

test('a list and a line of the largest size pass', () => {
  const line = `AUTH ${'a'.repeat(4091)}`;
  expect(piecesOf([`${line}\n`]).pieces).toEqual([line]);
  expect(piecesOf(['["aa', '"]'], { maxBytes: 6 }).pieces).toEqual(['["aa"]']);
});
