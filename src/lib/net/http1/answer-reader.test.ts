import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnswerReader } from './answer-reader.ts';

/** Reads an answer that comes in pieces of these lengths; what it says, or the fault. */
const read = (answer: string | Buffer, { method = 'GET', cuts = [] as readonly number[], isEnded = false } = {}) => {
  const bytes = Buffer.from(answer as string, 'latin1'); // a buffer is copied as it is
  const reader = createAnswerReader(method);
  const content: Buffer[] = [];
  try {
    for (let at = 0, turn = 0; at < bytes.byteLength; turn += 1) {
      const length = cuts.length === 0 ? bytes.byteLength : (cuts[turn % cuts.length] ?? 1);
      content.push(Buffer.from(reader.take(Buffer.from(bytes.subarray(at, at + length)))));
      at += length;
      if (reader.hasMore) break;
    }
    if (isEnded) reader.end();
  } catch (fault) {
    return { fault: (fault as { code?: string }).code };
  }
  const { head, isDone, hasMore } = reader;
  return {
    status: head?.status,
    headers: { ...head?.headers },
    text: Buffer.concat(content).toString('latin1'),
    isDone,
    hasMore,
    isKept: head?.isKept,
  };
};

const OK = 'HTTP/1.1 200 OK\r\n';

describe('an answer', () => {
  test.each<[string, string, object]>([
    ['of known length', `${OK}Content-Length: 5\r\n\r\nhello`, { text: 'hello', isDone: true, isKept: true }],
    ['of no length', `${OK}Content-Length: 0\r\n\r\n`, { text: '', isDone: true }],
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', { status: 200, isDone: true }],
    ['that is not whole', `${OK}Content-Length: 5\r\n\r\nhel`, { text: 'hel', isDone: false }],
    [
      'in chunks',
      `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n`,
      { text: 'hello', isDone: true, isKept: true },
    ],
    ['to the end of the connection', `${OK}\r\nhello`, { text: 'hello', isDone: false, isKept: false }],
    ['that closes', `${OK}Connection: x, Close\r\nContent-Length: 0\r\n\r\n`, { isKept: false }],
    ['of the old protocol', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', { isKept: false }],
    ['of the old protocol that stays', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', { isKept: true }],
    [
      'after announcements',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n${OK}Content-Length: 1\r\n\r\nx`,
      { status: 200, text: 'x' },
    ],
    ['without a body', 'HTTP/1.1 204 No\r\n\r\n', { isDone: true, isKept: true }],
    ['not modified', 'HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n', { isDone: true, isKept: true }],
    ['with more behind it', `${OK}Content-Length: 1\r\n\r\nxy`, { text: 'x', isDone: true, hasMore: true }],
    ['with fields of one name', `${OK}A: 1\r\na:\t2 \r\nContent-Length: 0\r\n\r\n`, { headers: { a: '1, 2', 'content-length': '0' } }],
    ['with a field called __proto__', `${OK}__proto__: x\r\nContent-Length: 0\r\n\r\n`, { status: 200 }],
  ])('%s', (_, answer, expected) => {
    const whole = read(answer);
    expect(whole).toMatchObject(expected);
    for (const cuts of [[1], [2], [3, 7], [16]]) expect(read(answer, { cuts })).toEqual(whole);
  });

  test('to a question for the head has no body', () => {
    expect(read(`${OK}Content-Length: 5\r\n\r\n`, { method: 'HEAD' })).toMatchObject({ isDone: true, isKept: true });
    expect(read(`${OK}Transfer-Encoding: chunked\r\n\r\n`, { method: 'HEAD' })).toMatchObject({ isDone: true });
  });
});

describe('is refused', () => {
  test.each<[string, string]>([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a folded line', `${OK}A: 1\r\n b\r\n\r\n`],
    ['a space before the colon', `${OK}Content-Length : 1\r\n\r\nx`],
    ['a line without a colon', `${OK}nonsense\r\n\r\n`],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n'],
    ['a bare carriage return', `${OK}A: 1\rB: 2\r\n\r\n`],
    ['a null', `${OK}A: \0\r\n\r\n`],
    ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`],
    ['a list of lengths', `${OK}Content-Length: 1, 1\r\n\r\nx`],
    ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
    ['a length with a sign', `${OK}Content-Length: +1\r\n\r\nx`],
    ['a length beyond numbers', `${OK}Content-Length: 99999999999999999999\r\n\r\n`],
    ['a length beside chunks', `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['chunks of the old protocol', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a chunk without a size', `${OK}Transfer-Encoding: chunked\r\n\r\n\r\nx`],
    ['a size that is none', `${OK}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n`],
    ['a size beyond numbers', `${OK}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`],
    ['a chunk that is longer', `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`],
    ['an endless size', `${OK}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(300)}`],
    ['an endless trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n${`A: ${'x'.repeat(1000)}\r\n`.repeat(20)}`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['endless announcements', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(17)],
    ['an endless head', `${OK}A: ${'x'.repeat(20_000)}`],
    ['an endless first line', 'HTTP/1.1 200 '.padEnd(20_000, 'x')],
    ['too many fields', `${OK}${'A: 1\r\n'.repeat(129)}\r\n`],
  ])('%s', (_, answer) => {
    expect(read(answer)).toEqual({ fault: 'HPE_INVALID_ANSWER' });
    expect(read(answer, { cuts: [1] })).toEqual({ fault: 'HPE_INVALID_ANSWER' });
  });

  test.each([`${OK}Content-Length: 5\r\n\r\nhel`, `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`, OK, ''])(
    'the early end of %j',
    (answer) => expect(read(answer, { isEnded: true })).toEqual({ fault: 'ECONNRESET' }),
  );
});

test('however it is cut, it is the same answer', () => {
  const body = fc.string({ unit: 'binary-ascii', maxLength: 200 });
  const answer = fc.oneof(
    body.map((text) => `${OK}Content-Length: ${text.length}\r\n\r\n${text}`),
    fc
      .array(
        body.filter((text) => text !== ''),
        { maxLength: 5 },
      )
      .map(
        (parts) =>
          `${OK}Transfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`,
      ),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }).map((text) => `${OK}${text}`),
  );
  fc.assert(
    fc.property(answer, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), (text, cuts) => {
      expect(read(text, { cuts })).toEqual(read(text));
    }),
    { numRuns: 500 },
  );
});
