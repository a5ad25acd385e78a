import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { watchHealth } from '../../support/watch-health.ts';
import { type Served, startServed } from '../service/served.ts';
import { attacks, selfList } from './attacks.ts';

const SECRET = 'a-secret-of-the-guest-123';
/** The promise is 100 ms, 600 MB and 5 s on a quiet machine; this one may be busy with a dozen other tests. */
const MOST_MS = 3_000;
const MOST_MB = 900;
const MOST_STOP_MS = 15_000;

const configuration = (root: string, executedCommands: number) => `
[log]
level = "silent"
[limits]
executed_commands = ${executedCommands}
[[tokens]]
name = "guest"
secret = "${SECRET}"
roots = ["${root}"]
`;

/** Sends a list from a thread of its own, so that taking the answer does not disturb the measuring; tells its status and its length. */
const attack = (url: string, list: unknown): Worker =>
  new Worker(
    `const { parentPort, workerData: { url, body, secret } } = require('node:worker_threads');
     (async () => {
       const headers = { authorization: 'Bearer ' + secret, 'content-type': 'application/json' };
       const answer = await fetch(url + '/actions', { method: 'POST', headers, body });
       let text = '';
       let bytes = 0;
       for await (const chunk of answer.body) {
         bytes += chunk.length;
         if (text.length < 1_000) text += Buffer.from(chunk).toString();
       }
       parentPort.postMessage({ status: answer.status, bytes, text: text.slice(0, 1_000) });
     })().catch((fault) => parentPort.postMessage({ status: 0, bytes: 0, text: String(fault) }));`,
    { eval: true, workerData: { url, body: JSON.stringify(list), secret: SECRET } },
  );

/** The most memory that the process has ever held; 0 where the system does not tell. */
const peakMb = ({ process: child }: Served): number => {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

/** A command that reads a file takes a hundred times as long as one that does not. */
const MANY = 20_000;
const FEW = 1_000;

const open = async (executedCommands = MANY) => {
  const dir = tempDir({ 'root/self.json': selfList('root/self.json') });
  dir.write('factotum.toml', configuration(dir.at('root'), executedCommands));
  const served = startServed({ cwd: dir.path });
  const url = await served.url;
  return {
    served,
    url,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

const named = attacks('root/self.json');

test.each(Object.keys(named))('%s: nobody else is hurt', { timeout: 300_000 }, async (name) => {
  await using room = await open(name.startsWith('a file') ? FEW : MANY);
  const { url, served } = room;
  const worker = attack(url, named[name]);
  const answered = new Promise<{ readonly status: number; readonly bytes: number; readonly text: string }>((resolve) =>
    worker.once('message', resolve),
  );
  const waitMs = await watchHealth(url, answered);
  const { status, text } = await answered;
  expect(status).toBe(200);
  expect(text).toMatch(/"failed":[1-9]/);
  expect(waitMs).toBeLessThan(MOST_MS);
  expect(peakMb(served)).toBeLessThan(MOST_MB);
  await worker.terminate();
});

test.each(['loops inside loops', 'a file that runs itself twice'])(
  '%s: the service stops all the same',
  { timeout: 300_000 },
  async (name) => {
    await using room = await open();
    const { url, served } = room;
    const worker = attack(url, named[name]);
    for (let asked = 0; asked < 50; asked += 1) await watchHealth(url, Promise.resolve()); // it is under way by then
    const began = performance.now();
    await served.stop('SIGTERM');
    expect(performance.now() - began).toBeLessThan(MOST_STOP_MS);
    await worker.terminate();
  },
);
