import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { bytesOf, type LoopbackCase, loopbackCases, type Piece, requestBytes, speak, statusesIn } from '../../support/loopback-corpus.ts';

const TOKEN = 'tok-7c1f0b52d9e84a63';
const LIST = '[["FA_t_touch"]]';
/** The same as a call of a tool. */
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"FA_t_touch","arguments":{}}}';
const ACCEPT = 'application/json, text/event-stream';

let house: TestHouse;
let service: Service;
beforeAll(async () => {
  house = openHouse({ logLevel: 'error' });
  service = await openService(house.factotum, {
    http: { port: 0 },
    sharedSecret: TOKEN,
    mcp: { roots: [house.dir.path], toolsets: ['registered'] },
    limits: { wrongSecretsPerMinute: 1_000 }, // all cases come from one address
  });
});
afterAll(async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
});

/** A piece of a request to `/actions`, as one to `/mcp`. */
const toMcp = (piece: Piece): Piece =>
  typeof piece === 'string'
    ? piece
        .replaceAll('/actions', '/mcp')
        .replaceAll('Content-Length: 16\r', `Content-Length: ${CALL.length}\r`)
        .replaceAll(/(?<=\r\n)10(?=[\r\n;])/g, CALL.length.toString(16))
        .replaceAll('Authorization: ', `Accept: ${ACCEPT}\r\nAuthorization: `)
        .replaceAll(LIST, CALL)
    : 'gzip_of' in piece
      ? { gzip_of: toMcp(piece.gzip_of) }
      : 'repeat' in piece && piece.repeat[0] === ' '
        ? { repeat: [' ', piece.repeat[1] - (CALL.length - LIST.length)] } // fills up to a limit
        : piece;

/** What the other door answers to methods that this one does not have. */
const OTHER_METHODS = new Set(['opt-plain', 'me-get', 'me-get-body', 'me-override']);

const bytesFor = ({ req, raw }: LoopbackCase): Buffer => {
  const filling = { port: service.door('http').port, token: TOKEN };
  if (raw !== undefined) return bytesOf(raw.map(toMcp), filling);
  const { path = '/actions', headers = {}, body = LIST } = req ?? {};
  return requestBytes(
    { ...req, path: toMcp(path) as string, headers: { Accept: ACCEPT, ...headers }, body: [body].flat().map(toMcp) },
    filling,
  );
};

const concernsThisDoor = ({ req, raw, tcp, then, repeat }: LoopbackCase) =>
  tcp === undefined &&
  then === undefined &&
  repeat === undefined &&
  (raw !== undefined || (req?.path ?? '/actions').startsWith('/actions'));

/** Whether this many answers came whole, with their length or in chunks. */
const isWhole = (text: string, answers: number): boolean => {
  let rest = text;
  for (let met = 0; met < answers; met += 1) {
    const head = rest.indexOf('\r\n\r\n') + 4;
    if (head < 4) return false;
    const length = /\r\ncontent-length: (\d+)/i.exec(rest.slice(0, head))?.[1];
    const isChunked = /\r\ntransfer-encoding: chunked/i.test(rest.slice(0, head));
    const end = isChunked ? rest.indexOf('\r\n0\r\n\r\n', head - 2) + 7 : head + Number(length ?? 0);
    if (end < head || rest.length < end) return false;
    rest = rest.slice(end);
  }
  return true;
};

describe('a request to /mcp', () => {
  test.each(
    loopbackCases()
      .filter(concernsThisDoor)
      .map((each) => [each.id, each.why, each] as const),
  )('%s: %s', async (_id, _why, each) => {
    const { expect: expected } = each;
    const before = house.touched;
    const wanted = Math.max(1, expected.answers ?? expected.ran);
    const heard = await speak(service.door('http').port, bytesFor(each), {
      enough: (text) => expected.closed !== true && isWhole(text, wanted),
    });
    const [status = null] = statusesIn(heard.text);
    expect(OTHER_METHODS.has(each.id) ? [405] : [expected.status].flat(), heard.text.slice(0, 600)).toContain(status);
    expect(house.touched - before).toBe(expected.ran);
    if (expected.closed === true) expect(heard.closed).toBe(true);
    if (expected.no_100 === true) expect(heard.text).not.toContain('100 Continue');
  });
});
