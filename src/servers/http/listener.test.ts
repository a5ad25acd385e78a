import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { listen } from './listener.ts';

const house = openHouse({ env: { TOK: 'tok-0123456789abcdef' } });
const { gateway, masker, log } = house.factotum;
const listener = await listen({ gateway, masker, log, port: 0 });
afterAll(async () => {
  await listener.close();
  await house[Symbol.asyncDispose]();
});
const { port } = new URL(listener.url);

const send = (body: string, headers: Record<string, string> = {}, path = '/actions', method = 'POST') =>
  new Promise<{ status: number; type: string; body: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] ?? '', body: JSON.parse(text) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

test('answers a list with its result, also when a command fails', async () => {
  const answer = await send('[["FA_t_echo",{"value":1}],["FA_no_such"]]');
  expect(answer).toMatchObject({ status: 200, type: 'application/json', body: { status: 'failed', counts: { ok: 1, failed: 1 } } });
});

test('shows no secret of the environment to a network caller', async () => {
  const { body } = await send('[["FA_t_echo",{"value":"${env:TOK}"}]]');
  expect(body).toMatchObject({ results: [{ value: '***' }] });
});

describe('refuses, running nothing,', () => {
  test.each([
    ['a foreign host', { Host: 'evil.example' }],
    ['a foreign origin', { Origin: 'http://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['a request that a browser marks as cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a null origin', { Origin: 'null' }],
  ])('%s', async (_, headers) => {
    const before = house.touched;
    expect((await send('[["FA_t_touch"]]', headers as Record<string, string>)).status).toBe(403);
    expect(house.touched).toBe(before);
  });

  test.each([
    ['a form', '[["FA_t_touch"]]', { 'Content-Type': 'text/plain' }, '/actions', 'POST', 415],
    ['another path', '[["FA_t_touch"]]', {}, '/action', 'POST', 404],
    ['another method', '', {}, '/actions', 'GET', 405],
    ['what is no JSON', '[', {}, '/actions', 'POST', 400],
    ['what is no list', '5', {}, '/actions', 'POST', 400],
    ['an invalid list under validate_first', '{"actions":[["FA_t_touch"],["FA_x"]],"validate_first":true}', {}, '/actions', 'POST', 422],
    ['a circle', '{"nodes":[{"id":"a","action":["FA_t_touch"],"depends_on":["a"]}]}', {}, '/actions', 'POST', 422],
    ['a changed plan', '{"actions":[["FA_t_touch"]],"expect_plan":"00"}', {}, '/actions', 'POST', 409],
    ['more than eight mebibytes', `[["FA_t_echo",{"value":"${'a'.repeat(8 * 1024 * 1024)}"}]]`, {}, '/actions', 'POST', 413],
  ])('%s', async (_, body, headers, path, method, status) => {
    const before = house.touched;
    expect(await send(body, headers as Record<string, string>, path, method)).toMatchObject({
      status,
      type: 'application/problem+json',
      body: { status },
    });
    expect(house.touched).toBe(before);
  });

  test('an address that others can reach', async () => {
    await expect(listen({ gateway, masker, log, port: 0, host: '0.0.0.0' })).rejects.toMatchObject({ type: 'BindRefusedException' });
  });
});
