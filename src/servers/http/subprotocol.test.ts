import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openHttpDoor } from '../../../test/support/http-door.ts';
import { chooseProtocol, tokenOfProtocols } from './subprotocol.ts';

const SECRET = 'secret-0123456789abcdef';
const offer = (...secrets: string[]) =>
  ['factotum', ...secrets.map((secret) => `factotum.token.${Buffer.from(secret).toString('base64url')}`)].join(', ');

describe('a secret among the protocols', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['nothing offered', undefined, undefined],
    ['other protocols only', 'factotum, chat', undefined],
    ['one', offer('a?b~c'), 'a?b~c'],
    ['one alone', offer('x').slice('factotum, '.length), 'x'],
    ['two', offer('a', 'b'), ''],
    ['an empty one', 'factotum, factotum.token.', ''],
    ['one with padding', 'factotum.token.YQ==', ''],
    ['one that is no base64url', 'factotum.token.*', ''],
  ])('%s', (_, header, secret) => expect(tokenOfProtocols(header)).toBe(secret));

  test('is never answered', () => {
    expect(chooseProtocol(new Set(offer(SECRET).split(', ')))).toBe('factotum');
    expect(chooseProtocol(new Set([offer(SECRET).slice('factotum, '.length)]))).toBe(false);
  });
});

/** Asks for the feed as a browser would; gives status and protocol of the answer. */
const ask = (url: string, path: string, headers: Readonly<Record<string, string>>): Promise<[number | undefined, string | undefined]> =>
  new Promise((resolve, reject) => {
    const asked = request(url + path, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
      },
    });
    asked.on('upgrade', ({ statusCode, headers: answered }, socket) => {
      socket.destroy();
      resolve([statusCode, answered['sec-websocket-protocol']]);
    });
    asked.on('response', ({ statusCode, headers: answered }) => {
      asked.destroy();
      resolve([statusCode, answered['sec-websocket-protocol']]);
    });
    asked.on('error', reject);
    asked.end();
  });

describe('a locked door', () => {
  test('lets a follower in by its protocols, and answers with ours only', async () => {
    await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
    const by = (protocols: string, more = {}) => ask(door.url, '/progress', { 'sec-websocket-protocol': protocols, ...more });
    expect(await by(offer(SECRET), { origin: door.url })).toEqual([101, 'factotum']);
    expect(await by(offer('wrong'))).toEqual([401, undefined]);
    expect(await by('factotum')).toEqual([401, undefined]);
    expect(await by(offer(SECRET), { authorization: 'Bearer wrong' })).toEqual([401, undefined]);
  });

  test('looks at where the page comes from first', async () => {
    await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
    const headers = { 'sec-websocket-protocol': offer(SECRET), origin: 'https://evil.example' };
    expect(await ask(door.url, '/progress', headers)).toEqual([403, undefined]);
  });

  test('takes no secret that way where there is no WebSocket', async () => {
    await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
    expect(await ask(door.url, '/actions', { 'sec-websocket-protocol': offer(SECRET) })).toEqual([401, undefined]);
  });
});
