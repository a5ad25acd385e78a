import { existsSync } from 'node:fs';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { openHttpDoor } from '../../support/http-door.ts';

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

test.skipIf(!existsSync(BROWSER))('the client works in a page of the server itself', { timeout: 60_000 }, async () => {
  await using door = await openHttpDoor({ house: { files: { 'a.txt': 'hello' } } });
  door.house.factotum.progress.create('copy');
  const bundle = await build({ entryPoints: ['src/client/index.ts'], bundle: true, format: 'iife', globalName: 'factotum', write: false });
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${door.url}/healthz`);
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    expect(await page.evaluate(PROGRAM)).toEqual({
      value: 'hello',
      ping: true,
      ready: 'ready',
      failure: [true, 'FileNotExistsException'],
      refusal: [true, 400, 'JsonActionException'],
      progress: ['copy'],
    });
  } finally {
    await browser.close();
  }
});
