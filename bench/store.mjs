// Queued one-command runs from submit to settle, each step acknowledged after it is on disk, beside a plain SQLite insert loop with one
// commit per row. Both sides take turns, because the cost of a sync changes within minutes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './measure/pairs.mjs';

const ROUNDS = 5;
const RUNS = 4_000;
const CALLERS = 256;
const CLAIMED_AT_ONCE = 100;
const INSERTS = 300;
const COUNTS = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
const LIST = [['FA_copy_file', { file_path: 'in/report.csv', target_path: 'out/report.csv' }]];

export const run = async (report) => {
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const place = mkdtempSync(join(tmpdir(), 'factotum-bench-')); // a disk, not memory: syncs are what is measured
  try {
    await bundleEngine(scripts);
    const { embeddedStore } = await import(pathToFileURL(join(scripts, 'embedded-store.js')).href);
    const { openConnection } = await import(pathToFileURL(join(scripts, 'driver.js')).href);
    const writer = pathToFileURL(join(scripts, 'store.worker.js'));
    const insertRate = openInsertLoop(openConnection, join(place, 'plain.db'));
    const file = join(place, 'state', 'factotum.db');
    const store = embeddedStore({ file, isServing: true, writer });
    await store.ready();
    await runRate(store); // warm up
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = round % 2 === 0 ? insertRate() : undefined;
      const ours = await runRate(store);
      rounds.push({ ...ours, plain: before ?? insertRate() });
    }
    await store.close();
    const of = (kind) => median(rounds.map((round) => round[kind]));
    report({
      name: 'store/queued-runs-settled',
      ours: of('rate'),
      peer: of('plain'),
      unit: '/s',
      value: of('rate'),
      bar: 2_000,
      better: 'higher',
    });
    report({ name: 'store/plain-commit', ours: 1000 / of('plain'), unit: 'ms' });
    report({ name: 'store/event-loop-delay-p99', ours: of('delayMs'), unit: 'ms', bar: 30 });
    report({ name: 'store/open', ours: openTime(scripts, file), unit: 'ms', bar: 20 });
  } finally {
    rmSync(scripts, { recursive: true });
    rmSync(place, { recursive: true });
  }
};

const bundleEngine = (outdir) =>
  build({
    entryPoints: ['embedded/embedded-store.ts', 'embedded/store.worker.ts', 'driver.ts'].map((file) => `src/services/engine/${file}`),
    outdir,
    entryNames: '[name]',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });

/** Rows a second, each in a commit of its own. */
const openInsertLoop = (openConnection, file) => {
  const db = openConnection(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE run (id INTEGER PRIMARY KEY, body TEXT)');
  return () => {
    const started = performance.now();
    for (let at = 0; at < INSERTS; at += 1) db.run('INSERT INTO run (body) VALUES (?)', JSON.stringify(LIST));
    return (INSERTS / (performance.now() - started)) * 1000;
  };
};

/** Runs a second, submitted by many callers and settled by one worker; and how long the event loop was held up meanwhile. */
const runRate = async (store) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let left = RUNS;
  const calling = async () => {
    while (left > 0) {
      left -= 1;
      await store.submit({ source: 'queue', caller: 'bench', body: LIST });
    }
  };
  const working = async () => {
    for (let settled = 0; settled < RUNS; ) {
      const claims = await store.claim({ worker: 'bench', max: CLAIMED_AT_ONCE });
      const { accepted } = await store.settle(claims.map(ending));
      settled += accepted.length;
    }
  };
  delay.enable();
  const started = performance.now();
  await Promise.all([working(), ...Array.from({ length: CALLERS }, calling)]);
  const rate = (RUNS / (performance.now() - started)) * 1000;
  delay.disable();
  return { rate, delayMs: delay.percentile(99) / 1e6 };
};

const ending = ({ runId, attempt, fence }) => ({
  runId,
  attempt,
  fence,
  end: 'ok',
  counts: COUNTS,
  durationMs: 1,
  commands: [{ index: 0, action: 'FA_copy_file', isIdempotent: true, state: 'ok', value: true, durationMs: 1 }],
});

/** From the first call to its answer in a process that has not touched a store yet: the driver is loaded, too. */
const openTime = (scripts, file) => {
  const script = `
    const { embeddedStore } = await import(${JSON.stringify(pathToFileURL(join(scripts, 'embedded-store.js')).href)});
    const started = performance.now();
    await embeddedStore({ file: ${JSON.stringify(file)} }).ready();
    console.log(performance.now() - started);`;
  const times = Array.from({ length: ROUNDS }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })),
  );
  return median(times);
};
