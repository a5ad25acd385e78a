import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from './problem.ts';
import type { Answer } from './route.ts';

/** Names and values in turn: the form that costs Node least. */
export type HeaderList = readonly string[];

/** Kept in memory by no browser, sniffed by none. */
const ALWAYS: HeaderList = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];

/** Writes an answer; its JSON has been masked. */
export const send = (response: ServerResponse, { status, json, text, headers }: Answer, further: HeaderList): void => {
  const list = [...ALWAYS, ...further];
  for (const name in headers) list.push(name, headers[name] ?? '');
  if (status === 204) response.writeHead(status, list).end();
  else {
    const content = text?.content ?? JSON.stringify(json ?? null);
    const bytes = Buffer.byteLength(content);
    list.push('Content-Type', text?.type ?? 'application/json', 'Content-Length', String(bytes));
    response.writeHead(status, list);
    // Letters of one byte each are the same in every encoding.
    if (bytes === content.length && bytes <= SHORT) endWith(response, content);
    else response.end(content);
  }
};

const SHORT = 16_384;

/**
 * Node writes head, content and an empty end in three pieces; content that hangs on the head already is written with it in one, which
 * costs half. `_header` is the head as text; where a version of Node has none, the usual way is right as well.
 */
const endWith = (response: ServerResponse & { _header?: unknown }, content: string): void => {
  // Of an answer to HEAD Node leaves the content out.
  if (typeof response._header !== 'string' || response.req.method === 'HEAD') response.end(content, 'latin1');
  else {
    response._header += content;
    response.end();
  }
};

/** Writes a problem and closes: what may follow on the connection was sent by somebody who expected another answer. */
export const sendProblem = (response: ServerResponse, problem: Problem, headers: HeaderList): void => {
  const text = { type: 'application/problem+json', content: JSON.stringify(problem) };
  // A header that closes is kept, so that an answer can say more than `close`.
  const closing = headers.some((name) => name === 'Connection') ? [] : ['Connection', 'close'];
  response.shouldKeepAlive = false;
  send(response, { status: problem.status, text }, [...closing, ...headers]);
};

/** The same for a connection without a response object: a broken head, an upgrade, CONNECT. */
export const sendProblemOn = (socket: Duplex, problem: Problem, headers: Readonly<Record<string, string>> = {}): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const content = JSON.stringify(problem);
  const lines = Object.entries({
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(content)),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${content}`);
};
