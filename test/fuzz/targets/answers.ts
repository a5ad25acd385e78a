import { faultOfPath } from '../../../src/lib/location/storage-path.ts';
import { createAnswerReader } from '../../../src/lib/net/http1/answer-reader.ts';
import { createHrefs } from '../../../src/storage/backends/webdav/hrefs.ts';
import { readMultistatus } from '../../../src/storage/backends/webdav/multistatus.ts';
import { Broken, type Target } from '../target.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

/** What a reader makes of an answer that comes in pieces of this length: everything that anybody goes by. */
const portrait = (input: Buffer, pieceBytes: number): string => {
  const reader = createAnswerReader('GET');
  const content: Buffer[] = [];
  let fault = '';
  try {
    for (let at = 0; at < input.byteLength && !reader.hasMore; at += pieceBytes) {
      content.push(Buffer.from(reader.take(Buffer.from(input.subarray(at, at + pieceBytes)))));
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code !== 'HPE_INVALID_ANSWER') throw new Broken(`a fault of another kind: ${String(thrown)}`);
    fault = code;
  }
  const { head, isDone } = reader;
  const bytes = Buffer.concat(content);
  if (typeof head?.framing === 'number' && bytes.byteLength > head.framing) throw new Broken('more content than the head says');
  for (const [name, value] of Object.entries(head?.headers ?? {})) {
    if (/[\r\n\0]/.test(`${name}${value}`)) throw new Broken(`a field with the end of a line in it: ${name}`);
  }
  // Of an answer that is refused in its middle it depends on the pieces how much had been handed on.
  return fault === '' ? JSON.stringify([head, isDone, reader.hasMore, bytes.toString('base64')]) : fault;
};

/** The answer of a server: the same however it is cut, and never longer than its head says. */
const httpAnswer: Target = {
  examples: [
    `${OK}Content-Length: 5\r\n\r\nhello`,
    `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n`,
    `${OK}\r\nto the end`,
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\nab`,
    'HTTP/1.0 304 Not\r\nConnection: keep-alive\r\nETag: "a"\r\n\r\n',
  ].map((text) => Buffer.from(text)),
  words: [
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ' ',
    '\t',
    ':',
    'Content-Length: ',
    'Transfer-Encoding: chunked',
    '0\r\n\r\n',
    'ffff',
    ';',
    'HTTP/1.1 ',
    '100',
    '-1',
    '+',
    ',',
  ],
  open: async () => ({
    async check(input) {
      const whole = portrait(input, input.byteLength || 1);
      for (const pieceBytes of [1, 2, 3, 17]) {
        if (portrait(input, pieceBytes) !== whole) throw new Broken(`read differently in pieces of ${pieceBytes}`);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }),
};

const HREFS = createHrefs(new URL('https://dav.example/dav/'));
class Refused extends Error {}

/** The answer of a WebDAV server: refused, or made of paths below its base. */
const davAnswer: Target = {
  examples: [
    '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/a%20b</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength>5</D:getcontentlength><D:getetag>"x"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>',
    '<multistatus xmlns="DAV:"><response><href>https://dav.example/dav/d/</href><propstat><prop><resourcetype><collection/></resourcetype></prop><status>HTTP/1.1 200</status></propstat></response></multistatus>',
  ].map((text) => Buffer.from(text)),
  words: [
    '<',
    '>',
    '&amp;',
    '&#47;',
    '&#x2e;',
    '%2e%2e',
    '%2F',
    '/../',
    '//evil.example/',
    '<!DOCTYPE',
    '<![CDATA[',
    ']]>',
    'xmlns=',
    '<D:href>',
  ],
  open: async () => ({
    async check(input) {
      try {
        const resources = readMultistatus(input.toString(), (why) => new Refused(why));
        for (const { href, bytes } of resources) {
          const path = HREFS.read(href);
          if (path !== undefined && faultOfPath(path) !== undefined) throw new Broken(`no path: ${path}`);
          if (!Number.isSafeInteger(bytes)) throw new Broken(`no length: ${bytes}`);
        }
      } catch (fault) {
        if (!(fault instanceof Refused)) throw fault;
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }),
};

export const answers = { 'http-answer': httpAnswer, 'dav-answer': davAnswer };
