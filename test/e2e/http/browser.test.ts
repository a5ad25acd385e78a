import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const CHROMIUM = '/usr/bin/chromium';
const LIST = '[["FA_t_touch"]]';

/** What a page does to the loopback door. */
const ATTACKS = readFileSync(new URL('../../fixtures/browser/attacks.js', import.meta.url), 'utf8');
const NAMES = [...ATTACKS.matchAll(/^ {2}'([^']+)':/gm)].map(([, name = '']) => name);

describe.skipIf(!existsSync(CHROMIUM))('a page in a real browser', { timeout: 180_000 }, () => {
  let house: TestHouse;
  let service: Service;
  let evil: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    house = openHouse();
    service = await openService(house.factotum, { http: { port: 0 } }); // no secret: only the guard stands between
    evil = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<body>evil</body>'));
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Names that lead to this machine, as an attacker's name server would answer.
        '--host-resolver-rules=MAP evil.test 127.0.0.1, MAP rebound.test 127.0.0.1',
        // The browser's own wall around loopback must not be what saves us.
        '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
      ],
    });
    page = await browser.newPage();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    evil.closeAllConnections();
    evil.close();
    await service.close();
    await house[Symbol.asyncDispose]();
  });

  const attack = (how: string, door: string): Promise<string> =>
    page.evaluate(
      `(async () => { ${ATTACKS}; return window.attacks[${JSON.stringify(how)}](${JSON.stringify(door)}, ${JSON.stringify(LIST)}); })()`,
    );
  const evilPort = () => (evil.address() as AddressInfo).port;

  for (const [kind, origin] of [
    ['of another site', () => `http://evil.test:${evilPort()}`],
    ['of another port of this machine', () => `http://127.0.0.1:${evilPort()}`],
    ['under a name that was rebound to this machine', () => `http://rebound.test:${service.door('http').port}`],
  ] as const) {
    describe(kind, () => {
      beforeAll(async () => {
        await page.goto(`${origin()}/`);
      });

      test.each(NAMES)('%s, runs nothing and reads nothing', async (how) => {
        const door = kind.includes('rebound') ? origin() : service.door('http').url;
        const before = house.touched;
        const heard = await attack(how, door);
        expect(house.touched).toBe(before);
        // Under a rebound name the page may read its own refusals, which say nothing of the house.
        if (kind.includes('rebound')) expect(heard).toMatch(/^nothing$|foreign-host/);
        else expect(heard).toBe('nothing');
      });
    });
  }

  test('has as many ways as the fixture knows', () => {
    expect(NAMES).toHaveLength(16);
  });

  test('of our own origin may run lists', async () => {
    await page.goto(`${service.door('http').url}/healthz`);
    const before = house.touched;
    expect(await attack('posts JSON after asking', service.door('http').url)).toContain('"ok":true');
    expect(house.touched).toBe(before + 1);
  });
});
