import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { type DoorProcess, openDoor } from './door.ts';

const SECRET = 'tok-0123456789abcdef';
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

let dir: TempDir;
let door: DoorProcess;
beforeAll(async () => {
  dir = tempDir({ 'a.txt': 'hello' });
  door = await openDoor(dir.path, SECRET);
});
afterAll(async () => {
  expect((await door.close()).code).toBe(0);
  dir[Symbol.dispose]();
});

/** What a program says when it is given this. */
const say = async (program: string, words: readonly string[], input: string): Promise<string> => {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
};

type Line = Partial<RunResult> & { readonly error?: { readonly type: string } };
const linesOf = (said: string): Line[] =>
  said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe.skipIf(!has('nc'))('nc', () => {
  const nc = (input: string) => say('nc', ['-N', '127.0.0.1', String(door.port)], input);

  test('sends two lists, ends its side and gets two lines', async () => {
    const said = await nc(`AUTH ${SECRET}\n[["FA_copy_file",["a.txt","nc.txt"]]]\n[["FA_read_file",["nc.txt"]]]\n`);
    expect(linesOf(said)).toMatchObject([{ status: 'ok' }, { status: 'ok', results: [{ action: 'FA_read_file' }] }]);
    expect(dir.read('nc.txt')).toBe('hello');
  });

  test('without the secret gets one line that says so', async () => {
    expect(linesOf(await nc('[["FA_remove_file",["a.txt"]]]'))).toMatchObject([{ error: { type: 'TCPAuthException' } }]);
    expect(dir.read('a.txt')).toBe('hello');
  });
});

/** Sends pieces as separate packets, then reads lines until the server has ended the connection. */
const SPEAK_IN_PIECES = `
import json, socket, sys, time
port, pieces = int(sys.argv[1]), json.load(sys.stdin)
with socket.create_connection(('127.0.0.1', port)) as connection:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for piece in pieces:
        connection.sendall(piece.encode())
        time.sleep(0.01)
    connection.shutdown(socket.SHUT_WR)
    for line in connection.makefile():
        print(line, end='')
`;

/** What a page that was talked into posting a form would send. */
const POST_A_FORM = `
import http.client, sys
connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=5)
try:
    connection.request('POST', '/', body=sys.stdin.read(), headers={'Content-Type': 'text/plain'})
    print(connection.getresponse().status)
except (http.client.HTTPException, OSError) as refusal:
    print(type(refusal).__name__)
`;

describe.skipIf(!has('python3'))('python', () => {
  const python = (script: string, input: string) => say('python3', ['-c', script, String(door.port)], input);

  test('sends a secret and lists in pieces and gets its lines in order', async () => {
    const pieces = ['AU', `TH ${SECRET}`, '\r', '\n[["FA_file_che', 'cksum",["a.t', 'xt"]]][["FA_no_such"', ']]{"actions":[]', '}'];
    expect(linesOf(await python(SPEAK_IN_PIECES, JSON.stringify(pieces)))).toMatchObject([
      { status: 'ok', counts: { ok: 1 } },
      { status: 'failed', results: [{ error: { type: 'UnknownActionException' } }] },
      { status: 'ok', results: [] },
    ]);
  });

  test('pipelines a thousand lists', async () => {
    const lists = Array.from({ length: 1_000 }, (_, at) => `[["FA_stat",["a.txt"]],["FA_no_such_${at}"]]`);
    const lines = linesOf(await python(SPEAK_IN_PIECES, JSON.stringify([`AUTH ${SECRET}\n`, lists.join('\n')])));
    expect(lines.map(({ results }) => results?.[1]?.action)).toEqual(lists.map((_, at) => `FA_no_such_${at}`));
  });

  test('that posts a form runs nothing, though it knows the secret', async () => {
    const said = await python(POST_A_FORM, `\nAUTH ${SECRET}\n[["FA_remove_file",["a.txt"]]]`);
    expect(said).toMatch(/^(?:BadStatusLine|RemoteDisconnected|ConnectionResetError|BrokenPipeError)/);
    expect(dir.read('a.txt')).toBe('hello');
  });
});
