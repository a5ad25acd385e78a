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
