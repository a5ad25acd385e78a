// A store with as many runs as wanted, for the bench of growth.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const upTo = (count) => Array.from({ length: count }, (_, at) => at);
const COUNTS = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

/** A text that is nowhere, looked for in a store whose index is made. */
export const storeSearch = (place, scripts) => ({
  name: 'store-search',
  smallest: 1_000,
  async open(size) {
    const { embeddedStore, openConnection, writer } = await loadEngine(scripts);
    const file = join(place, `store-${size}`, 'factotum.db');
    const store = embeddedStore({ file, isServing: true, writer });
    const bodyOf = (at) => [['FA_copy_file', { file_path: `in/${at}/report-${(at * 7919) % 100_003}.csv`, target_path: `out/${at}.csv` }]];
    for (let from = 0; from < size; from += 500)
      await Promise.all(
        upTo(Math.min(500, size - from)).map((at) =>
          store.record({
            runId: `run-${from + at}`,
            source: 'http',
            caller: 'bench',
            body: bodyOf(from + at),
            state: 'ok',
            startedAt: from + at,
            durationMs: 1,
            counts: COUNTS,
            commands: [],
          }),
        ),
      );
    await store.runs({ text: 'nowhere at all' }); // from now on the index is made
    const db = openConnection(file, { isReadOnly: true });
    while (db.get("SELECT value FROM counter WHERE name = 'text'").value < size) await pause(20);
    db.close();
    return store;
  },
  prepare: async (_size, _name, store) => async () => {
    for (let each = 0; each < 20; each += 1) await store.runs({ text: `nowhere ${each}` });
  },
  close: (store) => store.close(),
});

const loadEngine = async (scripts) => {
  await build({
    entryPoints: ['embedded/embedded-store.ts', 'embedded/store.worker.ts', 'driver.ts'].map((file) => `src/services/engine/${file}`),
    outdir: scripts,
    entryNames: '[name]',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const { embeddedStore } = await import(pathToFileURL(join(scripts, 'embedded-store.js')).href);
  const { openConnection } = await import(pathToFileURL(join(scripts, 'driver.js')).href);
  return { embeddedStore, openConnection, writer: pathToFileURL(join(scripts, 'store.worker.js')) };
};
