import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a webhook gets it. */
export interface Heard {
  readonly subject: string;
  readonly body: string;
  readonly level: string;
}

/** Somebody on this machine who is told things through a webhook. */
export interface Webhook extends Disposable {
  readonly heard: Heard[];
  readonly url: string;
}

export const openWebhook = async (): Promise<Webhook> => {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    heard.push(JSON.parse(text));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    heard,
    url: `http://127.0.0.1:${port}/`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
};
