// Queued one-command runs from the call that queues them to the settled end, each acknowledged after it is on disk, beside a plain SQLite
// insert loop with one commit per row. Both sides take turns, because the cost of a sync changes within minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './measure/pairs.mjs';

const ROUNDS = 5;
const RUNS = 4_000;
const CALLERS = 256;
const INSERTS = 300;

export const run = async (report) => {
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const place = mkdtempSync(join(tmpdir(), 'factotum-bench-')); // a disk, not memory: syncs are what is measured
  try {
    await bundle(scripts);
    const load = (name) => import(pathToFileURL(join(scripts, `${name}.js`)).href);
    const { embeddedStore } = await load('embedded-store');
    const { createInstance } = await load('create');
    const { createDispatcher } = await load('dispatcher');
    const { openConnection } = await load('driver');
    const store = embeddedStore({
      file: join(place, 'state', 'factotum.db'),
      isServing: true,
      writer: pathToFileURL(join(scripts, 'store.worker.js')),
    });
    const factotum = createInstance({ cwd: place, log: { level: 'silent' } });
    registerActions(factotum);
    const queue = await openQueue({ createDispatcher, store, factotum });
    await reportRates(report, queue, openInsertLoop(openConnection, join(place, 'plain.db')));
    await queue.dispatcher.close();
    await store.close();
  } finally {
    rmSync(scripts, { recursive: true });
    rmSync(place, { recursive: true });
  }
};

/** One bundle with shared chunks, so that there is one of everything. */
const bundle = (outdir) =>
  build({
    entryPoints: [
      'app/create.ts',
      'services/queue/dispatcher.ts',
      'services/engine/embedded/embedded-store.ts',
      'services/engine/embedded/store.worker.ts',
      'services/engine/driver.ts',
    ].map((file) => `src/${file}`),
    outdir,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });

const registerActions = ({ registry }) => {
  const action = (name, idempotent) => ({
    name,
    summary: 'Does nothing.',
    args: {},
    returns: { schema: {}, expected: 'anything', accepts: () => true },
    idempotent,
    examples: [],
    run: () => true,
  });
  registry.registerMany({ FA_bench_again: action('FA_bench_again', true), FA_bench_once: action('FA_bench_once', false) });
};

/** A dispatcher on the store, and how to have many runs done by it. */
const openQueue = async ({ createDispatcher, store, factotum }) => {
  let ended = () => {};
  const dispatcher = createDispatcher({
    store,
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: () => {},
    mask: factotum.masker.json,
    runList: factotum.gateway.run,
    callerOf: (name) => ({ name, remote: false }),
    onEnded: () => ended(),
  });
  await dispatcher.start();
  /** Runs a second, queued by many callers at once. */
  const rate = async (action) => {
    let toQueue = RUNS;
    let toEnd = RUNS;
    const allEnded = new Promise((resolve) => {
      ended = () => {
        toEnd -= 1;
        if (toEnd === 0) resolve();
      };
    });
    const calling = async () => {
      while (toQueue > 0) {
        toQueue -= 1;
        await store.submit({ source: 'queue', caller: 'bench', body: [[action]] });
      }
    };
    const started = performance.now();
    await Promise.all([allEnded, ...Array.from({ length: CALLERS }, calling)]);
    return (RUNS / (performance.now() - started)) * 1000;
  };
  return { dispatcher, rate };
};

/** Rows a second, each in a commit of its own. */
const openInsertLoop = (openConnection, file) => {
  const db = openConnection(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE run (id INTEGER PRIMARY KEY, body TEXT)');
  return () => {
    const started = performance.now();
    for (let at = 0; at < INSERTS; at += 1) db.run('INSERT INTO run (body) VALUES (?)', '[["FA_bench_again"]]');
    return (INSERTS / (performance.now() - started)) * 1000;
  };
};

const reportRates = async (report, { rate }, insertRate) => {
  await rate('FA_bench_again'); // warm up
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = round % 2 === 0 ? insertRate() : undefined;
    const again = await rate('FA_bench_again');
    const once = await rate('FA_bench_once');
    rounds.push({ again, once, plain: before ?? insertRate() });
  }
  const of = (kind) => median(rounds.map((round) => round[kind]));
  const peer = of('plain');
  for (const [name, kind] of [
    ['queue/runs', 'again'],
    ['queue/runs-that-may-not-be-repeated', 'once'],
  ])
    report({ name, ours: of(kind), peer, value: of(kind), unit: '/s', bar: 2_000, better: 'higher' });
  report({ name: 'queue/plain-commit', ours: 1000 / peer, unit: 'ms' });
};
