import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpDoor, openHttpDoor } from '../../../test/support/http-door.ts';

const TOKEN = 'tok-0123456789abcdef';

let door: HttpDoor;
beforeAll(async () => {
  door = await openHttpDoor({ service: { sharedSecret: TOKEN } });
});
afterAll(() => door[Symbol.asyncDispose]());

const host = () => new URL(door.url).host;

interface Parts {
  readonly line?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that would run, but for what is said otherwise; an empty header is left out. */
const requestOf = ({ line = 'POST /actions', body = '[]', headers = {} }: Parts): string => {
  const all = {
    Host: host(),
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}\r\n`]));
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

const writing = (file: string): string => requestOf({ body: JSON.stringify([['FA_create_file', { file_path: file }]]) });

/** What comes back on one connection for bytes that are sent in one piece. */
const say = (...requests: readonly string[]): Promise<string> => {
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1', () => socket.write(requests.join('')));
  return text(socket);
};

const statusesOf = (heard: string): number[] => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test.each<[string, number, Parts]>([
  ['no secret', 401, { headers: { Authorization: '' } }],
  ['another host', 403, { headers: { Host: 'evil.example' } }],
  ['another site', 403, { headers: { Origin: 'https://evil.example' } }],
  ['no such path', 404, { line: 'POST /nothing' }],
  ['another method', 405, { line: 'PUT /actions' }],
  ['another type', 415, { headers: { 'Content-Type': 'text/plain' } }],
  ['a compressed body', 415, { headers: { 'Content-Encoding': 'gzip' } }],
  ['an expectation', 417, { headers: { Expect: 'wonders' } }],
  ['broken JSON', 400, { body: '[' }],
  ['no list', 400, { body: '{"nothing": 1}' }],
])('behind %s (%d), which closes, nothing more is begun', async (what, status, refused) => {
  const files = [1, 2].map((each) => door.house.dir.at(`${what}-${each}`));
  const heard = await say(requestOf(refused), ...files.map(writing));
  expect(statusesOf(heard)).toEqual([status]);
  expect(heard).toMatch(/^Connection: close\r$/im);
  // One that is begun after them has ended: so would they have.
  await say(writing(door.house.dir.at(`${what}-after`)), requestOf({ headers: { Connection: 'close' } }));
  expect(files.filter((file) => existsSync(file))).toEqual([]);
});

test('requests that were sent together are begun and answered in their order, until one of them closes', async () => {
  const files = ['a', 'b', 'c'].map((name) => door.house.dir.at(name));
  const [first = '', second = '', third = ''] = files.map(writing);
  expect(statusesOf(await say(first, second, requestOf({ body: '[' }), third))).toEqual([200, 200, 400]);
  expect(files.map((file) => existsSync(file))).toEqual([true, true, false]);
});

test('nor does another protocol begin behind a refusal', async () => {
  const upgrade = `GET /progress HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  expect(statusesOf(await say(requestOf({ headers: { Authorization: '' } }), upgrade))).toEqual([401]);
});
