import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openHouse, type TestHouse, type TestHouseOptions } from '../house.ts';

/** An instance, and a server of this machine that it may download from. */
export interface WebHouse extends AsyncDisposable {
  readonly house: TestHouse;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Method and path of each request, with its range where it has one. */
  readonly asked: string[];
}

export type WebAnswerer = (request: IncomingMessage, response: ServerResponse) => void;

export const openWebHouse = async (answer: WebAnswerer, options: TestHouseOptions = {}): Promise<WebHouse> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { range, 'if-range': validator } = request.headers;
    asked.push([request.method, request.url, range, validator].filter((each) => each !== undefined).join(' '));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  const house = openHouse({ ...options, outbound: { privateHosts: [`127.0.0.1:${port}`] } });
  return {
    house,
    origin: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await house[Symbol.asyncDispose]();
    },
  };
};
