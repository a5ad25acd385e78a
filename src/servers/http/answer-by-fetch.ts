import { once } from 'node:events';
import type { Exchange } from './route.ts';

/** Answers through a handler that speaks in the web's own requests and responses, streams included. */
export const answerByFetch = async (exchange: Exchange, handle: (asked: Request) => Promise<Response>): Promise<undefined> => {
  const { request, response } = exchange;
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  const { method = 'GET', url = '/', headers } = request;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const given = await handle(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: pairs,
      signal: leaving.signal,
      ...(method === 'POST' && { body: await exchange.body() }),
    }),
  );
  response.writeHead(given.status, [...given.headers].flat());
  for await (const chunk of given.body ?? []) {
    if (leaving.signal.aborted) break;
    if (!response.write(chunk)) await once(response, 'drain', { signal: leaving.signal }).catch(() => {}); // gone: the loop ends
  }
  response.end();
  return undefined;
};
