import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import type { Snapshot } from '../../../src/core/progress.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const OWNER = 'the-secret-of-the-owner';
const GUEST = 'the-secret-of-a-guest-1';
const OTHER = 'the-secret-of-a-guest-2';

let house: TestHouse;
let service: Service;
/** Lets the work of all callers end. */
let release: () => void;
let released: Promise<void>;

beforeAll(async () => {
  house = openHouse({ logLevel: 'error' });
  house.factotum.registry.register('FA_t_work', {
    name: 'FA_t_work',
    summary: 'Tells of its work until it is let go or cancelled.',
    args: {},
    returns: { schema: {}, expected: 'anything', accepts: () => true },
    examples: [],
    async run({ progress, runId }) {
      const work = progress(`work of ${runId}`, 10, 'items');
      await Promise.race([released, new Promise((resolve) => work.signal.addEventListener('abort', resolve, { once: true }))]);
      work.advance(10); // throws where it was cancelled
      return null;
    },
  });
  service = await openService(house.factotum, {
    sharedSecret: OWNER,
    tokens: [
      { name: 'guest', secret: GUEST },
      { name: 'other', secret: OTHER },
    ],
    http: { port: 0 },
    mcp: { roots: [house.dir.path] },
  });
});

afterAll(async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
});

beforeEach(() => {
  for (const { name } of house.factotum.progress.list()) house.factotum.progress.forget(name);
  released = new Promise((resolve) => {
    release = resolve;
  });
});

afterEach(() => release());

const asked = async (secret: string, path: string, body: unknown) => {
  const answer = await fetch(`${service.door('http').url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.text();
};

type Ask = (secret: string, ...command: unknown[]) => Promise<unknown>;

/** The value of one command over POST /actions. */
const byHttp: Ask = async (secret, ...command) => JSON.parse(await asked(secret, '/actions', [command])).results[0].value;

/** The same through the tool that runs lists. */
const byMcp: Ask = async (secret, ...command) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'factotum_run', arguments: { actions: [command] } } };
  const text = await asked(secret, '/mcp', message);
  const line = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '');
  return JSON.parse(line).result.structuredContent.results[0].value;
};

const namesIn = (value: unknown) => (value as readonly Snapshot[]).map(({ name }) => name); // what FA_progress_list gives

/** Begins work of a caller; answers its name, as the owner and as the caller sees it, and its end. */
const begin = async (ask: Ask, secret: string) => {
  const before = new Set(namesIn(house.factotum.progress.list()));
  const ended = ask(secret, 'FA_t_work');
  const find = () => namesIn(house.factotum.progress.list()).find((name) => !before.has(name));
  await expect.poll(find).toBeDefined();
  const name = find() ?? '';
  return { name, own: name.replace(/^~\w+\//, ''), ended };
};

describe.each([
  { door: 'HTTP', ask: byHttp, ownersName: 'owner' },
  { door: 'MCP', ask: byMcp, ownersName: 'mcp' },
])('over $door', ({ ask, ownersName }) => {
  test('a limited caller lists, looks at, cancels, forgets and clears its own work only', async () => {
    const [mine, theirs] = [await begin(ask, GUEST), await begin(ask, OTHER)];
    expect(namesIn(await ask(GUEST, 'FA_progress_list'))).toEqual([mine.own]);
    expect(await ask(GUEST, 'FA_progress_get', { name: mine.own })).toMatchObject({ status: 'running' });
    for (const name of [theirs.name, theirs.own]) {
      expect(await ask(GUEST, 'FA_progress_get', { name })).toBeNull();
      expect(await ask(GUEST, 'FA_progress_cancel', { name })).toBe(false);
      expect(await ask(GUEST, 'FA_progress_forget', { name })).toBe(false);
    }
    expect(house.factotum.progress.lookup(theirs.name)).toMatchObject({ status: 'running' });
    expect(await ask(GUEST, 'FA_progress_cancel', { name: mine.own })).toBe(true);
    await mine.ended;
    release();
    await theirs.ended;
    expect(house.factotum.progress.lookup(theirs.name)).toMatchObject({ status: 'done' });
    expect(await ask(GUEST, 'FA_progress_clear')).toBe(1);
    expect(namesIn(house.factotum.progress.list())).toEqual([theirs.name]);
  });

  test(`the holder of the shared secret is ${ownersName} there`, async () => {
    const theirs = await begin(ask, GUEST);
    const seesAll = ownersName === 'owner';
    expect(namesIn(await ask(OWNER, 'FA_progress_list'))).toEqual(seesAll ? [theirs.name] : []);
    expect(await ask(OWNER, 'FA_progress_cancel', { name: theirs.name })).toBe(seesAll);
    release();
    await theirs.ended;
  });
});

test('over the WebSocket a limited caller follows its own work and hears nothing of others; the owner follows all', async () => {
  const listen = async (secret: string) => {
    const follower = new WebSocket(`ws://127.0.0.1:${service.door('http').port}/progress`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const heard: string[][] = [];
    follower.on('message', (data) => heard.push(namesIn(JSON.parse(String(data)).progress)));
    await expect.poll(() => heard.length).toBe(1);
    return { heard, follower };
  };
  const [guest, owner] = [await listen(GUEST), await listen(OWNER)];
  const theirs = await begin(byHttp, OTHER);
  await expect.poll(() => owner.heard.at(-1)).toEqual([theirs.name]);
  expect(guest.heard).toEqual([[]]); // all are told in the same round
  const mine = await begin(byHttp, GUEST);
  await expect.poll(() => owner.heard.at(-1)).toEqual([theirs.name, mine.name]);
  await expect.poll(() => guest.heard.at(-1)).toEqual([mine.own]);
  expect(guest.heard.flat()).not.toContain(theirs.own);
  release();
  await Promise.all([mine.ended, theirs.ended]);
  for (const { follower } of [guest, owner]) follower.close();
});
