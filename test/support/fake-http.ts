import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dial } from '../../src/lib/net/connect.ts';
import { createNetwork, type Network } from '../../src/lib/net/network.ts';

export interface FakeRequest {
  readonly method: string;
  readonly host: string;
  /** As it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Breaks the connection off behind so many bytes of the body. */
  readonly cutAt?: number;
}

/** A server whose answers a test writes; it keeps what it was asked. */
export interface FakeHttp extends AsyncDisposable {
  readonly port: number;
  readonly requests: FakeRequest[];
  /** A network on which every name and address is this server. */
  readonly network: Network;
}

export const openFakeHttp = async (
  answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  tls?: { readonly cert: string; readonly key: string },
): Promise<FakeHttp> => {
  const requests: FakeRequest[] = [];
  const server: Server = (tls === undefined ? createServer() : createTlsServer(tls)).on('request', async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const [path = '', search = ''] = (incoming.url ?? '').split('?', 2);
    const { method = '', headers } = incoming;
    const request = { method, host: headers.host ?? '', path, query: new URLSearchParams(search), headers, body: Buffer.concat(chunks) };
    requests.push(request);
    const { status = 200, headers: given = {}, body = '', cutAt } = await answer(request);
    const length = method === 'HEAD' || given['transfer-encoding'] !== undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...length, ...given });
    if (cutAt === undefined) response.end(method === 'HEAD' ? undefined : body);
    else response.write(Buffer.from(body).subarray(0, cutAt), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    port,
    requests,
    network: createNetwork({
      lookup: async () => ['52.216.0.1'],
      dial: (_target, options) => dial({ host: '127.0.0.1', port, addresses: ['127.0.0.1'] }, options),
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
