import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { openHttpDoor } from '../../support/http-door.ts';
import { openRunsDoor } from '../../support/runs-door.ts';

const BROWSER = '/usr/bin/chromium';

/** What the client is used for in a page; it runs in the browser, where `factotum` is the bundle. */
const PROGRAM = `(async () => {
  const client = new factotum.HTTPActionClient(location.origin);
  const failure = await client.call('FA_read_file', { file_path: 'missing.txt' }).catch((fault) => fault);
  const refusal = await client.execute({ action: [] }).catch((fault) => fault);
  const states = client.followProgress();
  const { value: snapshots } = await states.next();
  await states.return();
  return {
    value: await client.call('FA_read_file', { file_path: 'a.txt' }),
    ping: await client.ping(),
    ready: (await client.ready()).status,
    failure: [failure instanceof factotum.ActionFailure, failure.type],
    refusal: [refusal instanceof factotum.HTTPActionClientException, refusal.status, refusal.error.type],
    progress: snapshots.map(({ name }) => name),
  };
})()`;

/** Follows progress with a secret, a wrong one and none. */
const FOLLOW = (secret: string) => `(async () => {
  const first = async (options) => {
    const states = new factotum.HTTPActionClient(location.origin, options).followProgress();
    try {
      return (await states.next()).value.map(({ name }) => name);
    } catch (fault) {
      return fault.type;
    } finally {
      await states.return();
    }
  };
  return [await first({ sharedSecret: '${secret}' }), await first({ sharedSecret: 'wrong' }), await first({})];
})()`;

/** Runs a program in a page of a door, with the client at hand. */
const inPage = async <T>(url: string, program: string): Promise<T> => {
  const bundle = await build({ entryPoints: ['src/client/index.ts'], bundle: true, format: 'iife', globalName: 'factotum', write: false });
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/healthz`);
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    return await page.evaluate<T>(program);
  } finally {
    await browser.close();
  }
};

/** What a page of another site needs: a call with all headers, the ids of the answer, following, and going on after a break. */
const ELSEWHERE = (url: string, secret: string) => `(async () => {
  const client = new factotum.HTTPActionClient('${url}', { sharedSecret: '${secret}' });
  const headers = { Authorization: 'Bearer ${secret}', 'Content-Type': 'application/json', 'X-Request-Id': 'mine', 'Last-Event-ID': '7' };
  const answer = await fetch('${url}/actions', { method: 'POST', headers, body: '[]' });
  const missing = await fetch('${url}/actions/FA_nowhere', { headers });
  const { run_id } = await (await fetch('${url}/runs', { method: 'POST', headers, body: '[["FA_list_dir"]]' })).json();
  const events = [];
  for await (const { event } of client.follow(run_id)) events.push(event);
  const states = client.followProgress();
  const { value: snapshots } = await states.next();
  await states.return();
  return {
    value: await client.call('FA_read_file', { file_path: 'a.txt' }),
    ids: [answer.headers.get('x-request-id'), typeof answer.headers.get('x-run-id')],
    missing: missing.status,
    events,
    progress: snapshots.map(({ name }) => name),
  };
})()`;

test.skipIf(!existsSync(BROWSER))(
  'a page of a site that was let in by name can do the same, one of another site nothing',
  { timeout: 180_000 },
  async () => {
    const secret = 'a-secret-of-24-letters-1';
    const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>elsewhere</p>')).listen(
      0,
      '127.0.0.1',
    );
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo; // it listens
    const [friend, stranger] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    await using door = await openRunsDoor({
      files: { 'a.txt': 'hello' },
      service: { sharedSecret: secret, http: { corsOrigins: [friend] } },
    });
    door.house.factotum.progress.create('copy');
    try {
      expect(await inPage(friend, ELSEWHERE(door.url, secret))).toEqual({
        value: 'hello',
        ids: ['mine', 'string'],
        missing: 404,
        events: ['command', 'done'],
        progress: ['copy'],
      });
      await expect(inPage(stranger, ELSEWHERE(door.url, secret))).rejects.toThrow();
    } finally {
      site.close();
    }
  },
);

test.skipIf(!existsSync(BROWSER))('a page follows progress with the secret, and only with it', { timeout: 180_000 }, async () => {
  const secret = 'a+secret/with?signs~0123';
  await using door = await openHttpDoor({ house: { logLevel: 'debug' }, service: { sharedSecret: secret } });
  door.house.factotum.progress.create('copy');
  const refused = 'HTTPActionClientException';
  expect(await inPage(door.url, FOLLOW(secret))).toEqual([['copy'], refused, refused]);
  const said = door.house.lines.join('\n');
  for (const form of [secret, Buffer.from(secret).toString('base64url')]) expect(said).not.toContain(form);
});

test.skipIf(!existsSync(BROWSER))('the client works in a page of the server itself', { timeout: 180_000 }, async () => {
  await using door = await openHttpDoor({ house: { files: { 'a.txt': 'hello' } } });
  door.house.factotum.progress.create('copy');
  expect(await inPage(door.url, PROGRAM)).toEqual({
    value: 'hello',
    ping: true,
    ready: 'ready',
    failure: [true, 'FileNotExistsException'],
    refusal: [true, 400, 'JsonActionException'],
    progress: ['copy'],
  });
});
