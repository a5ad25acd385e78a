import type { IncomingMessage } from 'node:http';
import { Refused } from './refuse.ts';
import type { Route } from './route.ts';

/** Throws unless the request asks, in the one form there is, to become a WebSocket on a path that has one. */
export const judgeHandshake = ({ headers }: IncomingMessage, route: Route): void => {
  if (route.upgrade === undefined || headers.upgrade?.toLowerCase() !== 'websocket') {
    throw new Refused(400, 'bad-upgrade', 'Only GET /progress becomes another protocol, and only a WebSocket.');
  }
  if (headers['sec-websocket-version'] !== '13') {
    throw new Refused(426, 'websocket-version', 'This server speaks version 13 of the WebSocket protocol.', {
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
    });
  }
  if (!/^[A-Za-z0-9+/]{21}[AQgw]==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw new Refused(400, 'websocket-key', 'The Sec-WebSocket-Key must hold 16 bytes in base64.');
  }
};
