import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Dial, dial } from '../../../src/lib/net/connect.ts';
import type { Certificates } from './certificates.ts';

/** A request as it reached a server. */
export interface Received {
  /** As the client wrote it: scheme, name, path. */
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How a receiver answers; by default 200 with an empty body. */
export type Answer = (request: Received, response: ServerResponse) => void;

/** Servers that stand for every machine of the world: whatever address is dialled, the connection ends here. */
export interface Receiver extends AsyncDisposable {
  readonly requests: Received[];
  /** The addresses that were dialled. */
  readonly dialled: string[];
  readonly dial: Dial;
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** Opens receivers for HTTP and HTTPS on this machine. */
export const openReceiver = async (certificates: Certificates, answer: Answer = (_, response) => response.end()): Promise<Receiver> => {
  const requests: Received[] = [];
  const dialled: string[] = [];
  const listenTo =
    (scheme: string): RequestListener =>
    async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { method = '', url = '', headers } = incoming;
      const received = { url: `${scheme}://${headers.host}${url}`, method, headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      answer(received, response);
    };
  const http = createHttp(listenTo('http'));
  const https = createHttps({ cert: certificates.cert, key: certificates.key }, listenTo('https'));
  const httpPort = await listen(http);
  const httpsPort = await listen(https);
  return {
    requests,
    dialled,
    httpPort,
    httpsPort,
    dial(target, options) {
      dialled.push(...target.addresses);
      return dial({ ...target, addresses: ['127.0.0.1'], port: target.port === 443 ? httpsPort : httpPort }, options);
    },
    async [Symbol.asyncDispose]() {
      for (const server of [http, https]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
};

const listen = (server: Server): Promise<number> =>
  // A listening TCP server has a port.
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

/** A server that takes connections and never says a word. */
export const openSilence = async (): Promise<AsyncDisposable & { readonly port: number }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  const port = await listen(server);
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
};
