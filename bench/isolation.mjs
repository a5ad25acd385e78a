// What others notice of a limited caller: while a list of its that grows goes on, /healthz and the owner's requests stay quick, memory stays
// small, and the service stops when told. Lists of its that wait cost other tokens nothing, and many followers of one run nobody.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const SECRETS = { owner: 'a-secret-of-the-owner-123', guest: 'a-secret-of-the-guest-123', other: 'a-secret-of-another-123' };
/** A list that would go on for minutes is cut short. */
const PATIENCE_MS = 30_000;
const HEALTH_MS = 100;
const MEMORY_MB = 600;
const STOP_MS = 5_000;
/** How much longer others may take than on a quiet service: the owner beside an attack, a token beside lists that wait. */
const BESIDE_ATTACK = 3;
const BESIDE_WAITING = 2;
const QUIET_ASKS = 500;
const FOLLOWERS = 1_000;
const WAITING = 300;

const SEND = `
  const { parentPort, workerData: { url, body, secret } } = require('node:worker_threads');
  const headers = { authorization: 'Bearer ' + secret, 'content-type': 'application/json' };
  (async () => {
    const answer = await fetch(url + '/actions', { method: 'POST', headers, body });
    for await (const chunk of answer.body) chunk.length;
  })().catch(() => {}).finally(() => parentPort.postMessage('over'));`;

/** In a thread of its own: taking what a thousand are told would otherwise be what is measured. */
const FOLLOW = `
  const { Agent, request } = require('node:http');
  const { parentPort, workerData: { url, secret, count } } = require('node:worker_threads');
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const follow = () => new Promise((resolve) => {
    const asked = request(url, { agent, headers: { authorization: 'Bearer ' + secret } }, (answer) => answer.resume().once('close', resolve));
    asked.once('error', resolve).end();
  });
  Promise.all(Array.from({ length: count }, follow)).then(() => parentPort.postMessage('over'));`;

const startService = async (home) => {
  const child = spawn(
    process.execPath,
    ['dist/bin/factotum.cjs', 'serve', '--port', '0', '--no-tcp', '--config', join(home, 'factotum.toml')],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, XDG_STATE_HOME: join(home, '.state') },
    },
  );
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const [url] = /(?<=^Listening on )https?:\S+/m.exec(said) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The service did not start.');
};

const stopService = async ({ child }) => {
  const began = performance.now();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - began;
};

const p99 = (waits) => waits.sort((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0;

const timed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const post = async (url, secret, list, path = '/actions') => {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(list) });
  return answer.json();
};
const askShort = (url, secret) => timed(() => post(url, secret, [['FA_substitute', { payload: 1 }]]));

/** How long short lists take where nothing else goes on. */
const quietly = async (url, secret) => {
  const waits = [];
  for (let count = 0; count < QUIET_ASKS; count += 1) waits.push(await askShort(url, secret));
  return p99(waits.slice(QUIET_ASKS / 5)); // without those of a process that has just started
};

const attack = async (home, list) => {
  const service = await startService(home);
  const { child, url } = service;
  const quietMs = await quietly(url, SECRETS.owner);
  const worker = new Worker(SEND, { eval: true, workerData: { url, body: JSON.stringify(list), secret: SECRETS.guest } });
  const patience = new AbortController();
  let isOver = false;
  const over = Promise.race([
    new Promise((resolve) => worker.once('message', resolve)),
    delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {}),
  ]).then(() => {
    isOver = true;
  });
  const health = [];
  const owner = [];
  while (!isOver) {
    health.push(await timed(async () => (await fetch(`${url}/healthz`)).text()));
    owner.push(await askShort(url, SECRETS.owner));
    await delay(10);
  }
  await over;
  patience.abort();
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  const stopMs = await stopService(service);
  await worker.terminate();
  return { healthMs: p99(health), ownerMs: p99(owner), quietMs, memoryMb: Number(kilobytes) / 1024, stopMs };
};

/** Short lists of another token, beside as many lists of a guest as it may send that all wait for one lock. */
const besideWaiting = async (home) => {
  const service = await startService(home);
  const { url } = service;
  try {
    const quietMs = await quietly(url, SECRETS.other);
    const wait = [['FA_lock_acquire', { name: 'one', ttl: 600, timeout: 600 }]];
    await post(url, SECRETS.guest, wait);
    const enqueue = Array.from({ length: WAITING }, () => ['FA_queue_enqueue', { action: wait }]);
    await post(url, SECRETS.guest, enqueue);
    for (let count = 0; count < WAITING; count += 1) void post(url, SECRETS.guest, wait).catch(() => {});
    await delay(500);
    const waits = [];
    for (let count = 0; count < QUIET_ASKS; count += 1) waits.push(await askShort(url, SECRETS.other));
    return { besideMs: p99(waits), quietMs };
  } finally {
    await stopService(service);
  }
};

/** The slowest answer of /healthz while many begin to follow a run that is over. */
const besideFollowers = async (home) => {
  const service = await startService(home);
  const { url } = service;
  let worker;
  try {
    const commands = Array.from({ length: 1_000 }, () => ['FA_substitute', { payload: 'x'.repeat(200) }]);
    const { run_id } = await post(url, SECRETS.owner, commands);
    worker = new Worker(FOLLOW, {
      eval: true,
      workerData: { url: `${url}/runs/${run_id}/events`, secret: SECRETS.owner, count: FOLLOWERS },
    });
    let isOver = false;
    const over = new Promise((resolve) => worker.once('message', resolve)).then(() => {
      isOver = true;
    });
    const waits = [];
    while (!isOver) waits.push(await timed(async () => (await fetch(`${url}/healthz`)).text()));
    await over;
    return Math.max(...waits);
  } finally {
    await worker?.terminate();
    await stopService(service);
  }
};

/** The lists of the test of the same name. */
const loadAttacks = async () => {
  const { outputFiles } = await build({ entryPoints: ['test/e2e/isolation/attacks.ts'], write: false, format: 'esm', target: 'node20' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
};

/** Does something with a directory in which a service can be started; `self` is the list that runs itself. */
const inHome = async (selfList, work) => {
  const home = mkdtempSync(join(tmpdir(), 'isolation-'));
  const root = join(home, 'root');
  const self = join(root, 'self.json');
  mkdirSync(root);
  writeFileSync(self, selfList(self));
  const tokens = ['guest', 'other'].map((name) => `[[tokens]]\nname = "${name}"\nsecret = "${SECRETS[name]}"\nroots = ["${root}"]\n`);
  writeFileSync(join(home, 'factotum.toml'), `[log]\nlevel = "silent"\n[server]\nshared_secret = "${SECRETS.owner}"\n${tokens.join('')}`, {
    mode: 0o600,
  });
  try {
    return await work(home, self);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

export const run = async (report) => {
  const { attacks, selfList } = await loadAttacks();
  const { besideMs, quietMs } = await inHome(selfList, besideWaiting);
  report({ name: `isolation/other-token-p99-beside-${WAITING}-waiting`, ours: besideMs, peer: quietMs, unit: 'ms', bar: BESIDE_WAITING });
  const slowestMs = await inHome(selfList, besideFollowers);
  report({ name: `isolation/slowest-healthz-beside-${FOLLOWERS}-followers`, ours: slowestMs, unit: 'ms', bar: HEALTH_MS });
  for (const name of Object.keys(attacks(''))) {
    const found = await inHome(selfList, (home, self) => attack(home, attacks(self)[name]));
    report({ name: `isolation/${name}/healthz-p99`, ours: found.healthMs, unit: 'ms', bar: HEALTH_MS });
    report({ name: `isolation/${name}/owner-p99`, ours: found.ownerMs, peer: found.quietMs, unit: 'ms', bar: BESIDE_ATTACK });
    report({ name: `isolation/${name}/memory`, ours: found.memoryMb, unit: 'MB', bar: MEMORY_MB });
    report({ name: `isolation/${name}/stop`, ours: found.stopMs, unit: 'ms', bar: STOP_MS });
  }
};
