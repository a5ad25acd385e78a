import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { sendInPieces } from './delivery.ts';
import type { Problem } from './problem.ts';
import type { Answer } from './route.ts';

/** Names and values in turn: the form that costs Node least. */
export type HeaderList = readonly string[];

/** Kept in memory by no browser, sniffed by none. */
const ALWAYS: HeaderList = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];

/** How long a connection may stay open between two requests: a client that asks again and again should not have to connect again and again. */
export const KEEP_ALIVE_S = 65;

const KEEP_ALIVE: HeaderList = ['Keep-Alive', `timeout=${KEEP_ALIVE_S}`];

/** Writes an answer; its JSON has been masked, unless it is so large that it is masked on its way. */
export const send = (response: ServerResponse, answer: Answer, further: HeaderList): void => {
  const { status, json, text, mask, write = JSON.stringify } = answer;
  if (status === 204) {
    response.writeHead(status, headersOf(response, answer, further)).end();
    return;
  }
  if (text === undefined && mask !== undefined) {
    response.writeHead(status, [...headersOf(response, answer, further), 'Content-Type', 'application/json']);
    void sendInPieces(response, json, mask);
    return;
  }
  const type = text?.type ?? 'application/json';
  const content = text?.content ?? write(json ?? null);
  const bytes = Buffer.byteLength(content);
  // Letters of one byte each are the same in every encoding.
  if (status === 200 && bytes === content.length && bytes <= SHORT && isWaiting(response)) {
    sendAtOnce(response, `${headText(answer, further)}Content-Type: ${type}\r\nContent-Length: ${bytes}\r\n`, content);
  } else {
    response
      .writeHead(status, [...headersOf(response, answer, further), 'Content-Type', type, 'Content-Length', String(bytes)])
      .end(content);
  }
};

const headersOf = (response: ServerResponse, { headers = {} }: Answer, further: HeaderList): string[] => [
  ...ALWAYS,
  ...further,
  ...Object.entries(headers).flat(),
  ...(response.shouldKeepAlive ? KEEP_ALIVE : []),
];

const SHORT = 16_384;

/** A response of Node, of which nothing was sent: `_header` is null until its head is made. */
type Waiting = ServerResponse & { _header: string | null };

/**
 * Whether a response can be sent at once. After HEAD comes no content, a connection that is to be closed is Node's to close, and headers
 * that were set before are Node's to write.
 */
const isWaiting = (response: ServerResponse & { _header?: unknown }): response is Waiting =>
  response._header === null && response.shouldKeepAlive && response.req.method !== 'HEAD' && response.getHeaderNames().length === 0;

/**
 * Node looks at every letter of every header once more and writes head, content and an empty end in three pieces; for a short list that
 * costs more than to run it. So what most requests are answered with goes out as one text. Headers are words of ours and ids that were
 * checked before, so no value can end its line.
 */
const sendAtOnce = (response: Waiting, head: string, content: string): void => {
  response._header = `${head}Date: ${dateNow()}\r\n${CONNECTION}\r\n${content}`;
  response.end();
};

/** The same as `headersOf`, as lines of a head. */
const headText = ({ headers }: Answer, further: HeaderList): string => {
  let head = START + linesOf(further);
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return head;
};

const linesOf = (list: HeaderList): string => {
  let lines = '';
  for (let at = 0; at < list.length; at += 2) lines += `${list[at]}: ${list[at + 1]}\r\n`;
  return lines;
};

const START = `HTTP/1.1 200 OK\r\n${linesOf(ALWAYS)}`;
const CONNECTION = linesOf(['Connection', 'keep-alive', ...KEEP_ALIVE]);

let second = -1;
let secondText = '';

/** The time as HTTP writes it, made once a second. */
const dateNow = (): string => {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    secondText = new Date(now * 1000).toUTCString();
  }
  return secondText;
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
  letGo(socket);
};

/** A client that was told goodbye has this long to close its side before we do; closing at once could lose it our last words. */
const LINGER_MS = 1_000;

/** Nobody else looks after a connection that was taken from Node, and its client may never close it. */
export const letGo = (socket: Duplex): void => {
  const patience = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(patience)).resume();
};
