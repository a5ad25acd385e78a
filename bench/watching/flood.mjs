// Another process writes files at an even pace; this one watches. Runs stay queued: what is measured is the way from the file to the run.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { load, openStore } from './open-store.mjs';

const [scripts, place, files, seconds] = process.argv.slice(2);
const FOLDERS = 100;
const LOOK_MS = 250;

const store = await openStore(scripts, join(place, 'flood'));
const { createWatchers } = await load(scripts, 'watchers');
const clock = { now: Date.now, monotonic: () => performance.now() };
const watchers = createWatchers({ store, clock, log: () => {}, cancel: store.cancel });
const path = join(place, 'inbox');
for (let at = 0; at < FOLDERS; at += 1) mkdirSync(join(path, `${at}`), { recursive: true });
watchers.start();
await watchers.add({ name: 'inbox', path, actions: [['FA_progress_list']], rules: { rescanS: 30 } }, 'owner');

const writer = `
  const { writeFileSync } = require('node:fs');
  const [path, files, seconds] = process.argv.slice(1);
  const started = performance.now();
  let written = 0;
  const timer = setInterval(() => {
    const due = Math.min(files, Math.ceil(((performance.now() - started) / 1000 / seconds) * files));
    for (; written < due; written += 1) writeFileSync(path + '/' + (written % ${FOLDERS}) + '/' + written + '.txt', String(written));
    if (written >= files) clearInterval(timer);
  }, 10);`;
const startedAt = performance.now();
const child = spawn(process.execPath, ['-e', writer, path, files, seconds], { stdio: 'inherit' });
const ended = new Promise((resolve) => child.on('exit', resolve));

let most = 0;
const watchMemory = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, LOOK_MS);
await ended;
const endedAt = performance.now();
let queued = 0;
for (let before = -1; queued < Number(files) && (queued !== before || performance.now() - endedAt < 120_000); ) {
  before = queued;
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  queued = (await store.health()).queued;
}
const behindS = (performance.now() - endedAt) / 1000;
clearInterval(watchMemory);

const paths = new Set();
let runs = 0;
for (
  let claims = await store.claim({ worker: 'bench', max: 1000 });
  claims.length > 0;
  claims = await store.claim({ worker: 'bench', max: 1000 })
) {
  runs += claims.length;
  for (const { options } of claims) paths.add(options.named.event.path);
}
console.log(JSON.stringify({ behindS, writtenS: (endedAt - startedAt) / 1000, rssMb: most / 1e6, runs, paths: paths.size }));
process.exit();
