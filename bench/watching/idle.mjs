// Five minutes of waiting, passed fifteen times as fast: every rescan and every timer of those minutes is in the figure.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, openStore } from './open-store.mjs';

const [scripts, place] = process.argv.slice(2);
const WATCHERS = 1_000;
const FILES = 20;
const SCHEDULES = 10_000;
const FASTER = 15;
const MINUTES = 5;

const started = performance.now();
const began = Date.now();
const elapsed = () => (performance.now() - started) * FASTER;
const clock = { now: () => began + elapsed(), monotonic: elapsed };
const setTimer = (work, ms) => {
  const timer = setTimeout(work, ms / FASTER);
  return () => clearTimeout(timer);
};

const store = await openStore(scripts, join(place, 'idle'));
const { createWatchers } = await load(scripts, 'watchers');
const { createScheduler } = await load(scripts, 'scheduler');
const parts = { store, clock, setTimer, log: () => {}, cancel: store.cancel };
const scheduler = createScheduler(parts);
const watchers = createWatchers(parts);
const list = [['FA_progress_list']];
// Next year: the clock may run as it likes, none of them is due.
const month = ((new Date().getMonth() + 6) % 12) + 1;
for (let at = 0; at < SCHEDULES; at += 500) {
  const names = Array.from({ length: 500 }, (_, each) => `job ${at + each}`);
  await Promise.all(
    names.map((name, each) => scheduler.add({ name, cron: `${each % 60} 3 1 ${month} *`, timeZone: 'UTC', actions: list }, 'owner')),
  );
}
for (let at = 0; at < WATCHERS; at += 1) {
  const path = join(place, 'trees', `${at}`);
  mkdirSync(path, { recursive: true });
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(path, `${file}.txt`), `${file}`);
  await watchers.add({ name: `watcher ${at}`, path, actions: list }, 'owner');
}
await scheduler.start();
watchers.start();
const countWatching = async () => (await watchers.list()).filter(({ state, files }) => state === 'watching' && files === FILES).length;
while ((await countWatching()) < WATCHERS) await new Promise((resolve) => setTimeout(resolve, 100));

globalThis.gc?.();
const before = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, (MINUTES * 60_000) / FASTER));
const { user, system } = process.cpuUsage(before);
const share = (user + system) / 1e6 / (MINUTES * 60);
console.log(JSON.stringify({ share, rssMb: process.memoryUsage().rss / 1e6 }));
process.exit();
