// The whole service as users start it, with everything it should wait for in its configuration. Its figures are those of the kernel.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [, place, seconds] = process.argv.slice(2);
const WATCHERS = 1_000;
const FILES = 20;
const SCHEDULES = 10_000;
const TICKS_PER_SECOND = 100;

const list = '[["FA_progress_list"]]';
// Half a year from now: none of them is due.
const month = ((new Date().getMonth() + 6) % 12) + 1;
const house = join(place, 'service');
const parts = [
  '[http]\nport = 0\n[tcp]\nenabled = false',
  `[store]\npath = ${JSON.stringify(join(house, 'state', 'factotum.db'))}`,
  ...Array.from(
    { length: SCHEDULES },
    (_, at) => `[[schedules]]\nname = "job-${at}"\ncron = "${at % 60} 3 1 ${month} *"\nactions = ${list}`,
  ),
];
for (let at = 0; at < WATCHERS; at += 1) {
  const path = join(house, 'trees', `${at}`);
  mkdirSync(path, { recursive: true });
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(path, `${file}.txt`), `${file}`);
  parts.push(`[[watchers]]\nname = "watcher-${at}"\npath = ${JSON.stringify(path)}\nactions = ${list}`);
}
writeFileSync(join(house, 'factotum.toml'), parts.join('\n'), { mode: 0o600 });

const bin = fileURLToPath(new URL('../../dist/bin/factotum.cjs', import.meta.url));
const service = spawn(process.execPath, [bin, 'serve'], { cwd: house, stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => service.kill('SIGKILL'));
let url;
for await (const line of createInterface({ input: service.stdout })) {
  url = /(?<=^Listening on )\S+/.exec(line)?.[0];
  if (url !== undefined) break;
}
const countWatching = async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/actions`, { method: 'POST', headers, body: '[["FA_watch_list"]]' });
  const { results } = await answer.json();
  return results[0].value.filter(({ state }) => state === 'watching').length;
};
while ((await countWatching()) < WATCHERS) await new Promise((resolve) => setTimeout(resolve, 500));

const proc = (name) => readFileSync(`/proc/${service.pid}/${name}`, 'utf8');
const cpuS = () => {
  const fields = proc('stat').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
const before = cpuS();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
const share = (cpuS() - before) / Number(seconds);
const rssMb = (Number(/VmRSS:\s*(\d+)/.exec(proc('status'))[1]) * 1024) / 1e6;
console.log(JSON.stringify({ share, rssMb }));
process.exit();
