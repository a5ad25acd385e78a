// An instance that keeps its runs as a service does, with store, history and undo journal, beside one that keeps nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { measureHere, median } from './pairs.mjs';

/** Has both do some work in a new directory. */
export const withBoth = async (parent, work) => {
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const place = mkdtempSync(join(parent, 'factotum-bench-'));
  try {
    await bundle(scripts);
    const load = (name) => import(pathToFileURL(join(scripts, `${name}.js`)).href);
    const peer = (await load('create')).createInstance({ cwd: place, log: { level: 'silent' } });
    const ours = await openRecorded(load, scripts, place);
    await work({ ours, peer, place });
    await ours.close();
    await peer.close();
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
      'files/journal/run-journals.ts',
      'files/journal/write-ahead.ts',
      'services/engine/embedded/embedded-store.ts',
      'services/engine/embedded/store.worker.ts',
      'lib/workers/pool.worker.ts',
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

const openRecorded = async (load, scripts, place) => {
  const { createInstance } = await load('create');
  const { createRunJournals } = await load('run-journals');
  const { embeddedStore } = await load('embedded-store');
  const stateDirectory = join(place, 'state');
  const writer = pathToFileURL(join(scripts, 'store.worker.js'));
  const store = embeddedStore({ file: join(stateDirectory, 'factotum.db'), isServing: true, writer });
  const ahead = (await load('write-ahead')).createWriteAhead({ stateDirectory, store: store.undo.append });
  const journals = createRunJournals({
    stateDirectory,
    maxBytes: 2 ** 30,
    now: Date.now,
    append: ahead.append,
    flush: ahead.flushSoon,
  });
  const factotum = createInstance({
    cwd: place,
    log: { level: 'silent' },
    journalOf: journals.of,
    settleRun: journals.close,
    state: { open: () => store, isServing: true, keepsHistory: true },
  });
  await factotum.state();
  return factotum;
};

/** Medians of both sides, and of the ratios of pairs after some rounds that do not count: a service is warm. Whoever is first changes. */
export const inTurns = async ({ rounds, warmUp }, { ours, peer }, listOf) => {
  const pairs = [];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair = {};
    for (const [side, factotum] of round % 2 === 0
      ? [
          ['ours', ours],
          ['peer', peer],
        ]
      : [
          ['peer', peer],
          ['ours', ours],
        ])
      pair[side] = await timed(factotum, listOf(`${round}-${side}`));
    if (round >= warmUp) pairs.push(pair);
  }
  const figures = (kind) => ({
    ours: median(pairs.map((pair) => pair.ours[kind])),
    peer: median(pairs.map((pair) => pair.peer[kind])),
    value: median(pairs.map((pair) => pair.ours[kind] / pair.peer[kind])),
  });
  return { wall: figures('wall'), cpu: figures('cpu') };
};

const timed = (factotum, list) =>
  measureHere(async () => {
    const { ok, results } = await factotum.run(list);
    if (!ok) throw new Error(JSON.stringify(results.find(({ status }) => status !== 'ok')));
  })();
