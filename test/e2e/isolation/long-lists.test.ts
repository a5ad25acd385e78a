import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { watchHealth } from '../../support/watch-health.ts';
import { type Served, startServed } from '../service/served.ts';

const SECRETS = { owner: 'a-secret-of-the-owner-123', guest: 'a-secret-of-the-guest-123' };
/** The promise is 100 ms, three times what is quiet, and 600 MB; this machine may be busy with a dozen other tests. */
const MOST_MS = 2_000;
const MOST_MB = 900;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const one = ['FA_substitute', { payload: 1 }];
/** An answer of some 15 MB. */
const large = [
  ['FA_substitute', { payload: 'x'.repeat(100_000) }],
  ['FA_substitute', { payload: '${results[0].value}'.repeat(10) }],
  ...numbers(14).map(() => ['FA_substitute', { payload: '${results[1].value}' }]),
];
const chain = (count: number, dry_run = false) => ({
  nodes: numbers(count).map((at) => ({ id: `n${at}`, action: one, depends_on: at === 0 ? [] : [`n${at - 1}`] })),
  dry_run,
});
/** Every node waits for all that came before. */
const dense = {
  nodes: numbers(1_000).map((at) => ({ id: `${at}`, action: one, depends_on: numbers(at).map(String) })),
};

const attacks: Readonly<
  Record<string, { readonly path?: string; readonly list: unknown; readonly times: number; readonly isRead?: boolean }>
> = {
  'large answers that nobody reads': { list: large, times: 16, isRead: false },
  'large answers': { list: large, times: 8 },
  'long graphs': { list: chain(30_000), times: 3 },
  'plans of long graphs': { list: chain(15_000, true), times: 3 },
  'plans of lists that stay where requests are answered': {
    list: {
      actions: [
        ['FA_lock_acquire', { name: 'x', ttl: 1, timeout: 0 }],
        ...numbers(5_000).map((at) => ['FA_create_file', { file_path: `root/${at}` }]),
      ],
      dry_run: true,
    },
    times: 3,
  },
  'dense graphs': { list: dense, times: 3 },
  'lists that are only checked': { list: [['FA_validate', { actions: numbers(99_990).map(() => one) }]], times: 3 },
  'lists that are checked first': { list: { actions: numbers(30_000).map(() => one), validate_first: true }, times: 3 },
};

let dir: TempDir;
let served: Served;
let url = '';
beforeAll(async () => {
  dir = tempDir({ 'root/.keep': '' });
  dir.write(
    'factotum.toml',
    `[log]\nlevel = "silent"\n[server]\nshared_secret = "${SECRETS.owner}"\n[[tokens]]\nname = "guest"\nsecret = "${SECRETS.guest}"\nroots = ["${dir.at('root')}"]\n`,
  );
  served = startServed({ cwd: dir.path });
  url = await served.url;
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});

/** Resolves when the answer is over, or has begun where nobody reads it; answers how to leave. */
const send = (path: string, body: string, isRead: boolean): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${SECRETS.guest}`, 'content-type': 'application/json' };
    const sent = request(url + path, { method: 'POST', headers, agent: false }, (answer: IncomingMessage) => {
      const leave = () => void sent.destroy();
      if (isRead) answer.resume().once('end', () => resolve(leave));
      else resolve(leave);
    });
    sent.once('error', reject).end(body);
  });

/** The longest that the owner waited for a short list, but for one in a hundred. */
const watchOwner = async (until: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  until.then(over, over);
  const waits: number[] = [];
  do {
    const began = performance.now();
    const answer = await fetch(`${url}/actions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRETS.owner}`, 'content-type': 'application/json' },
      body: JSON.stringify([one]),
    });
    expect(await answer.json()).toMatchObject({ ok: true });
    waits.push(performance.now() - began);
  } while (!isOver);
  return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
};

test.each(Object.entries(attacks))(
  '%s: the owner and others are served',
  { timeout: 240_000 },
  async (_, { path, list, times, isRead }) => {
    const body = JSON.stringify(list);
    const attack = Promise.all(numbers(times).map(() => send(path ?? '/actions', body, isRead ?? true)));
    const [healthMs, ownerMs] = await Promise.all([watchHealth(url, attack), watchOwner(attack)]);
    for (const leave of await attack) leave();
    expect(healthMs).toBeLessThan(MOST_MS);
    expect(ownerMs).toBeLessThan(MOST_MS);
  },
);

test('no more memory than the bound was ever held', () => {
  if (process.platform !== 'linux') return;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${served.process.pid}/status`, 'utf8')) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThan(MOST_MB);
});
