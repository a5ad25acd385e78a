import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { serveStdio } from '../../../src/servers/mcp/stdio.ts';
import { createFramer, type Piece } from '../../../src/servers/tcp/framer.ts';
import { createTurnstile } from '../../../src/servers/turnstile.ts';
import { openHttpDoor } from '../../support/http-door.ts';
import { openMcpHouse } from '../../support/mcp-house.ts';
import { Broken, type Target } from '../target.ts';
import { typed } from './house.ts';

const BODY = '[["FA_t_echo",["x"]]]';
const head = (...lines: readonly string[]) => Buffer.from([...lines, '', ''].join('\r\n'));
const REQUESTS = [
  Buffer.concat([
    head('POST /actions HTTP/1.1', 'Host: 127.0.0.1:1', 'Content-Type: application/json', `Content-Length: ${BODY.length}`),
    Buffer.from(BODY),
  ]),
  Buffer.concat([
    head('POST /actions HTTP/1.1', 'Host: 127.0.0.1:1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    Buffer.from(`${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`),
  ]),
  head('GET /healthz HTTP/1.1', 'Host: 127.0.0.1:1'),
  head(
    'GET /actions?x=%20 HTTP/1.1',
    'Host: 127.0.0.1:1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ),
];

/** Bytes on a connection: every answer is one of HTTP, the service says nothing of its inside and answers the next one. */
const http: Target = {
  examples: REQUESTS,
  words: [
    '\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 5\r\n',
    'Expect: 100-continue\r\n',
    'Host: ',
    'HTTP/1.1',
    '%2e%2e/',
    'Origin: null\r\n',
    '\0',
    'Authorization: Bearer x\r\n',
  ],
  async open() {
    const door = await openHttpDoor({ service: { limits: { headersTimeoutS: 5, bodyTimeoutS: 5, bodyIdleTimeoutS: 5 } } });
    const { port, host } = new URL(door.url);
    return {
      async check(input) {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {}); // a reset is an answer too
        socket.end(Buffer.from(input.toString('latin1').replaceAll('127.0.0.1:1\r', `${host}\r`), 'latin1'));
        const answer = await text(socket).catch(() => '');
        if (answer !== '' && !/^HTTP\/1\.1 [1-5]\d\d /.test(answer)) throw new Broken(`no answer of HTTP: ${answer.slice(0, 200)}`);
        if (/^HTTP\/1\.1 500/.test(answer)) throw new Broken(`a fault inside: ${door.house.lines.join('\n')}`);
        const health = await fetch(`${door.url}/healthz`);
        if (health.status !== 200) throw new Broken(`not healthy: ${health.status}`);
        await health.arrayBuffer();
      },
      [Symbol.asyncDispose]: () => door[Symbol.asyncDispose](),
    };
  },
};

/** Lists on a connection give the same pieces wherever the network cuts them. */
const framer: Target = {
  examples: [
    'AUTH secret-of-some-length\n[["FA_t_echo",["x"]]]',
    '{"actions":[["a",{"b":"\\"]}"}]]}[[]]',
    '[["a",["\\\\"]]]\n\n[["b"]]',
  ].map((each) => Buffer.from(each)),
  words: ['AUTH ', '\n', '[', ']', '{', '}', '"', '\\', '\\"', '[[', '\r\n'],
  open: async () => ({
    async check(input) {
      const whole = piecesOf(input, input.length);
      for (const cut of [1, 2, 7, 64]) {
        const cutUp = piecesOf(input, cut);
        if (JSON.stringify(cutUp) !== JSON.stringify(whole))
          throw new Broken(`cut by ${cut}: ${JSON.stringify(cutUp)}, whole: ${JSON.stringify(whole)}`);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }),
};

const piecesOf = (input: Buffer, cut: number): unknown[] => {
  const met: unknown[] = [];
  const cutter = createFramer({ locked: false, maxBytes: 1_000, maxDepth: 16 });
  try {
    for (let at = 0; at < input.length; at += cut) {
      cutter.feed(input.subarray(at, at + cut));
      for (let piece = cutter.next(); piece !== undefined; piece = cutter.next()) met.push(shownPiece(piece));
    }
    met.push(cutter.isInside);
  } catch (fault) {
    typed(fault);
    met.push('refused');
  }
  return met;
};

const shownPiece = (piece: Piece): string => (piece.kind === 'auth' ? `auth ${piece.secret}` : `list ${piece.bytes.toString('latin1')}`);

const rpc = (...messages: readonly object[]): Buffer => Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(''));
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** Lines to an MCP server: it answers in lines of JSON-RPC, and is there until they end. */
const mcp: Target = {
  examples: [
    rpc(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, { jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    rpc(INITIALIZE, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'factotum_plan', arguments: { actions: [['FA_t_echo', ['x']]] } },
    }),
    rpc(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'x' } }),
  ],
  words: ['"jsonrpc":"2.0"', '"id":', '"method":', 'tools/call', '\n', '"params":', '"_meta":{"progressToken":1}', 'null', '\\ud800'],
  async open() {
    const mcpHouse = await openMcpHouse();
    return {
      async check(input) {
        const [lines, output] = [new PassThrough(), new PassThrough()];
        const answers = text(output);
        const served = serveStdio(
          { ...mcpHouse.parts, turnstile: createTurnstile({ inFlight: 256, requestsPerMinute: 0 }) },
          { input: lines, output },
        );
        lines.end(input);
        await served;
        output.end();
        for (const line of (await answers).split('\n'))
          if (line !== '' && !isRpc(line)) throw new Broken(`not JSON-RPC: ${line.slice(0, 200)}`);
      },
      [Symbol.asyncDispose]: () => mcpHouse[Symbol.asyncDispose](),
    };
  },
};

const isRpc = (line: string): boolean => {
  try {
    return (JSON.parse(line) as { jsonrpc?: unknown }).jsonrpc === '2.0';
  } catch {
    return false;
  }
};

export const doors = { http, framer, mcp };
