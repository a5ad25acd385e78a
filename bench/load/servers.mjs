// Servers as processes of their own, so that the load and they do not share an event loop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const start = async (argv) => {
  const { NODE_EXTRA_CA_CERTS: _, ...surroundings } = process.env;
  const state = mkdtempSync(join(tmpdir(), 'factotum-bench-'));
  // The door is measured, not the disk: history has its own bench.
  const env = { ...surroundings, XDG_STATE_HOME: state, FACTOTUM_STORE_HISTORY: 'false' };
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'], env });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      /** Megabytes that the process holds in memory. */
      memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
      async stop() {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
        rmSync(state, { recursive: true, force: true });
      },
    };
  }
  throw new Error(`${argv.join(' ')} printed no address`);
};

export const startOurs = () => start([here('../../dist/bin/factotum.cjs'), 'serve', '--port', '0']);
export const startBare = (answer) => start([here('bare-server.mjs'), answer]);

/** Runs the load against a server and gives what it measured. */
export const load = async (url, { connections, seconds, body }) => {
  const child = spawn(process.execPath, [here('post-load.mjs'), url, String(connections), String(seconds), body], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
};
