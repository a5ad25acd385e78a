// A service that only waits: 1,000 watchers of 20 files beside 10,000 schedules, first the two services alone with every rescan of five
// minutes, then the whole command. And one that is flooded: 100,000 files in 60 seconds, each handed over once. Each in a process of its
// own, so that its memory is its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const FILES = 100_000;
const SECONDS = 60;
/** More and the files came too slowly to be a flood. */
const LATEST_S = SECONDS * 1.05;

export const run = async (report) => {
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const place = mkdtempSync(join(tmpdir(), 'factotum-bench-'));
  const measure = (script, ...args) =>
    JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(new URL(`watching/${script}`, import.meta.url)), scripts, place, ...args.map(String)], {
        encoding: 'utf8',
        maxBuffer: 1e9,
      }),
    );
  try {
    await bundleServices(scripts);
    const idle = measure('idle.mjs');
    report({ name: 'watchers/idle-share-of-a-core', ours: idle.share * 100, unit: '%', bar: 2 });
    report({ name: 'watchers/idle-memory', ours: idle.rssMb, unit: 'MB', bar: 250 });
    const service = measure('service.mjs', SECONDS);
    report({ name: 'watchers/service-idle-share-of-a-core', ours: service.share * 100, unit: '%', bar: 2 });
    report({ name: 'watchers/service-idle-memory', ours: service.rssMb, unit: 'MB', bar: 250 });
    const flood = measure('flood.mjs', FILES, SECONDS);
    if (flood.writtenS > LATEST_S) throw new Error(`the files took ${flood.writtenS} s: the machine is too busy`);
    if (flood.runs !== FILES || flood.paths !== FILES) throw new Error(`not each file once: ${JSON.stringify(flood)}`);
    report({ name: 'watchers/flood-behind-at-the-end', ours: flood.behindS, unit: 's', bar: 10 });
    report({ name: 'watchers/flood-memory', ours: flood.rssMb, unit: 'MB', bar: 350 });
  } finally {
    rmSync(scripts, { recursive: true });
    rmSync(place, { recursive: true });
  }
};

const bundleServices = (outdir) =>
  build({
    entryPoints: [
      'engine/embedded/embedded-store.ts',
      'engine/embedded/store.worker.ts',
      'watchers/watchers.ts',
      'scheduler/scheduler.ts',
    ].map((file) => `src/services/${file}`),
    outdir,
    entryNames: '[name]',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
