import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from './problem.ts';
import type { Answer } from './route.ts';

/** Kept in memory by no browser, sniffed by none. */
const ALWAYS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/** Writes an answer; its JSON has been masked. */
export const send = (response: ServerResponse, { status, json, text, headers }: Answer): void => {
  const content = text?.content ?? (json === undefined ? '' : JSON.stringify(json));
  if (status === 204) response.writeHead(status, { ...ALWAYS, ...headers }).end();
  else {
    response.writeHead(status, {
      'Content-Type': text?.type ?? 'application/json',
      'Content-Length': Buffer.byteLength(content),
      ...ALWAYS,
      ...headers,
    });
    response.end(content);
  }
};

/** Writes a problem and closes: what may follow on the connection was sent by somebody who expected another answer. */
export const sendProblem = (response: ServerResponse, problem: Problem, headers: Readonly<Record<string, string>> = {}): void => {
  send(response, {
    status: problem.status,
    text: { type: 'application/problem+json', content: JSON.stringify(problem) },
    headers: { Connection: 'close', ...headers },
  });
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
    ...ALWAYS,
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${content}`);
};
