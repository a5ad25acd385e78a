// A service and as many followers of one run as wanted, for the bench of growth.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const upTo = (count) => Array.from({ length: count }, (_, at) => at);
const COMMANDS = 200;

/** Those who follow one run that is over, all at once; what the service spends on them. */
export const followers = (place) => ({
  name: 'followers',
  smallest: 10,
  async open(size) {
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../dist/bin/factotum.cjs', import.meta.url)), 'serve', '--port', '0'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        cwd: place,
        env: { ...env, XDG_STATE_HOME: join(place, `state-${size}`) },
      },
    );
    const url = await addressOf(child);
    const actions = upTo(COMMANDS).map(() => ['FA_progress_list']);
    const taken = await fetch(`${url}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(actions),
    });
    const events = `${url}/runs/${(await taken.json()).run_id}/events`;
    await (await fetch(events)).text(); // it is over then
    return { child, events };
  },
  prepare:
    async (size, _name, { events }) =>
    () =>
      Promise.all(
        upTo(size).map(async () => {
          const text = await (await fetch(events)).text();
          if (!text.includes('event: done')) throw new Error('A follower was not told of the end.');
        }),
      ),
  cpuMs:
    ({ child: { pid } }) =>
    () =>
      cpuMsOf(pid),
  async close({ child }) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  },
});

const addressOf = async (child) => {
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('The service printed no address.');
};

/** Processor time of another process; the system counts it in hundredths of a second. */
const cpuMsOf = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
