// Ten thousand stored jobs that are not due, in a process of their own. Time runs 60 times as fast, so that a short look sees many
// minutes. Prints how long the start took, what an hour of real time would cost, and the memory.

import { embeddedStore } from '../../src/services/engine/embedded/embedded-store.ts';
import { openScheduleBook } from '../../src/services/scheduler/book.ts';
import { createScheduler } from '../../src/services/scheduler/scheduler.ts';

const [file = '', seconds = '15'] = process.argv.slice(2);
const JOBS = 10_000;
const SPEED = 60;
const openedMs = Date.now();
const clock = { now: () => openedMs + Math.floor(performance.now() * SPEED), monotonic: () => performance.now() * SPEED };
const setTimer = (work: () => void, ms: number) => {
  const timer = setTimeout(work, ms / SPEED);
  return () => clearTimeout(timer);
};
const store = embeddedStore({ file, now: clock.now });

// Due in the months that are furthest from now, at all hours, in several time zones.
const month = ((new Date(openedMs).getUTCMonth() + 6) % 12) + 1;
const ZONES = ['UTC', 'Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const jobs = Array.from({ length: JOBS }, (_, at) => ({
  name: `job-${at}`,
  cron: `${at % 60} ${at % 24} ${(at % 28) + 1} ${month} *`,
  timeZone: ZONES[at % ZONES.length] ?? 'UTC',
  actions: [['FA_copy_file', { file_path: `in/${at}.csv`, target_path: `out/${at}.csv` }]],
  isEnabled: true,
  rules: { maxDurationS: 600, expectEveryS: 40_000_000 },
}));
await openScheduleBook({ store, clock, setTimer }).configure(jobs);
jobs.length = 0;

const started = performance.now();
const scheduler = createScheduler({ store, clock, setTimer, log: () => {}, cancel: store.cancel });
await scheduler.start();
const startMs = performance.now() - started;

await new Promise((resolve) => setTimeout(resolve, 1_000));
globalThis.gc?.();
const before = process.cpuUsage();
const watched = performance.now();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
const { user, system } = process.cpuUsage(before);
const simulatedMs = (performance.now() - watched) * SPEED;
console.log(JSON.stringify({ startMs, coreShare: (user + system) / 1000 / simulatedMs, rssBytes: process.memoryUsage.rss() }));
await scheduler.close();
await store.close();
