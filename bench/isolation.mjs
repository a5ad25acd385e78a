// What others notice of a list that grows, sent by a limited caller: /healthz stays quick, memory small, and the service stops when told.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const SECRET = 'a-secret-of-the-guest-123';
/** A list that would go on for minutes is cut short. */
const PATIENCE_MS = 30_000;

const SEND = `
  const { parentPort, workerData: { url, body, secret } } = require('node:worker_threads');
  const headers = { authorization: 'Bearer ' + secret, 'content-type': 'application/json' };
  (async () => {
    const answer = await fetch(url + '/actions', { method: 'POST', headers, body });
    for await (const chunk of answer.body) chunk.length;
  })().catch(() => {}).finally(() => parentPort.postMessage('over'));`;

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

const measure = async (home, list) => {
  const { child, url } = await startService(home);
  const worker = new Worker(SEND, { eval: true, workerData: { url, body: JSON.stringify(list), secret: SECRET } });
  const patience = new AbortController();
  let isOver = false;
  const over = Promise.race([
    new Promise((resolve) => worker.once('message', resolve)),
    delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {}),
  ]).then(() => {
    isOver = true;
  });
  const waits = [];
  while (!isOver) {
    const began = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    waits.push(performance.now() - began);
    await delay(10);
  }
  await over;
  patience.abort();
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  const began = performance.now();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  await worker.terminate();
  waits.sort((one, other) => one - other);
  return { waitMs: waits[Math.floor(waits.length * 0.99)], memoryMb: Number(kilobytes) / 1024, stopMs: performance.now() - began };
};

/** The lists of the test of the same name. */
const loadAttacks = async () => {
  const { outputFiles } = await build({ entryPoints: ['test/e2e/isolation/attacks.ts'], write: false, format: 'esm', target: 'node20' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
};

export const run = async (report) => {
  const { attacks, selfList } = await loadAttacks();
  for (const name of Object.keys(attacks(''))) {
    const home = mkdtempSync(join(tmpdir(), 'isolation-'));
    const root = join(home, 'root');
    const self = join(root, 'self.json');
    mkdirSync(root);
    writeFileSync(self, selfList(self));
    writeFileSync(
      join(home, 'factotum.toml'),
      `[log]\nlevel = "silent"\n[[tokens]]\nname = "guest"\nsecret = "${SECRET}"\nroots = ["${root}"]\n`,
      {
        mode: 0o600,
      },
    );
    try {
      const { waitMs, memoryMb, stopMs } = await measure(home, attacks(self)[name]);
      report({ name: `isolation/${name}/healthz-p99`, ours: waitMs, unit: 'ms' });
      report({ name: `isolation/${name}/memory`, ours: memoryMb, unit: 'MB' });
      report({ name: `isolation/${name}/stop`, ours: stopMs, unit: 'ms' });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
};
