import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../../../src/servers/http/openapi/paths.ts';
import { type HttpDoor, openHttpDoor } from '../../support/http-door.ts';

/** Paths that a server has only when it is composed with them. */
const OPTIONAL = ['/metrics'];
/** They are there where a history is kept: src/servers/http/routes/runs.test.ts. */
const isOptional = (path: string): boolean => OPTIONAL.includes(path) || path.startsWith('/runs');

let door: HttpDoor;
beforeAll(async () => {
  door = await openHttpDoor();
});
afterAll(() => door[Symbol.asyncDispose]());

test.each(Object.entries(paths))('%s takes the methods that the document names', async (path, operations) => {
  const { status, headers } = await fetch(`${door.url}${path.replace('{name}', 'FA_stat')}`, { method: 'PATCH' });
  if (status === 404 && isOptional(path)) return;
  const described = Object.keys(operations as object).map((method) => method.toUpperCase()); // by OpenAPI
  expect(status).toBe(405);
  expect(headers.get('allow')?.split(', ').sort()).toEqual(described.sort());
});

/** The status of a request with these headers; no body is sent. */
const statusOf = (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(`${door.url}${path}`, { method, headers, agent: false });
    asked.on('response', (answer) => {
      resolve(answer.statusCode);
      asked.destroy();
    });
    asked.on('error', reject);
    if ('Content-Length' in headers) asked.flushHeaders();
    else asked.end();
  });

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods as Readonly<Record<string, { readonly responses: object }>>).map(
    ([method, { responses }]) => [method.toUpperCase(), path, Object.keys(responses)] as const, // by OpenAPI
  ),
);

test.each(operations)('%s %s documents how it is refused before anybody looks at what it asks', async (method, path, documented) => {
  const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    403: { Origin: 'https://evil.example' },
    413: { 'Content-Length': '99999999' },
    417: { Expect: 'a miracle' },
    431: { 'X-Long': 'a'.repeat(20_000) },
  };
  for (const [status, headers] of Object.entries(refused)) {
    const got = String(await statusOf(method, path.replace(/\{\w+\}/, 'FA_stat'), headers));
    if (got === '404' && isOptional(path)) continue;
    expect(got).toBe(status);
    expect(documented).toContain(status);
  }
});
