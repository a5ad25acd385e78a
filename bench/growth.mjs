// How jobs grow: each at three sizes, every one four times the last; the exponent must stay near 1. FACTOTUM_GROWTH=16 makes all of them
// sixteen times as large. Processor time counts, so that a busy machine tells the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { followers } from './load/growing-followers.mjs';
import { storeSearch } from './load/growing-store.mjs';
import { growthOf, leastCpu } from './measure/growth.mjs';

const BAR = 1.15;
const SCALE = Number(process.env.FACTOTUM_GROWTH ?? 1);
const sizesFrom = (smallest) => [1, 4, 16].map((times) => smallest * times * SCALE);
const upTo = (count) => Array.from({ length: count }, (_, at) => at);

export const run = async (report) => {
  const place = mkdtempSync(join(tmpdir(), 'factotum-bench-'));
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  try {
    for (const job of [...jobsOfLists(place), storeSearch(place, scripts), followers(place)]) await measure(report, job);
  } finally {
    rmSync(place, { recursive: true, force: true });
    rmSync(scripts, { recursive: true, force: true });
  }
};

/** `prepare` makes ready what one try needs and answers the work itself; `open` and `close` stand around all tries of a size. */
const measure = async (report, { name, smallest, prepare, open = async () => undefined, close = async () => {}, cpuMs }) => {
  const points = [];
  for (const size of [smallest, ...sizesFrom(smallest)]) {
    const opened = await open(size);
    const ms = await leastCpu((tries) => prepare(size, `${name.replaceAll('/', '-')}-${size}-${tries}`, opened), cpuMs?.(opened));
    await close(opened);
    points.push({ size, ms });
  }
  const counted = points.slice(1); // the first one only warms up
  const { exponent, hurtsAt } = growthOf(counted);
  report({ name: `growth/${name}`, ours: exponent, bar: BAR });
  report({ name: `growth/${name}/largest-${counted.at(-1).size}`, ours: counted.at(-1).ms, unit: 'ms' });
  report({ name: `growth/${name}/hurts-from`, ours: hurtsAt });
};

/** Lists that run in this process, each in a directory of its own. */
const jobsOfLists = (place) => {
  const factotum = createFactotum({ cwd: place, log: { level: 'silent' } });
  const runAll = async (actions) => {
    const { ok, results } = await factotum.run(actions);
    if (!ok) throw new Error(JSON.stringify(results.find(({ error }) => error !== undefined)));
    return results;
  };
  const file = (name, content) => writeFileSync(join(place, name), content);
  const tree = (name, size) => {
    for (let at = 0; at < size; at += 100) {
      mkdirSync(join(place, name, `${at}`), { recursive: true });
      for (let each = at; each < Math.min(size, at + 100); each += 1) file(`${name}/${at}/${each}.txt`, `${each}`);
    }
  };
  return [
    {
      name: 'trash-restore',
      smallest: 50,
      async prepare(size, folder) {
        tree(folder, size);
        const names = upTo(size).map((at) => `${folder}/${at - (at % 100)}/${at}.txt`);
        const trash_dir = `${folder}-trash`;
        const sent = await runAll(names.map((path) => ['FA_send_to_trash', { path, trash_dir }]));
        return () => runAll(sent.map(({ value: { trash_id } }) => ['FA_restore_from_trash', { trash_id, trash_dir }]));
      },
    },
    {
      name: 'appends-to-one-file',
      smallest: 50,
      prepare: async (size, name) => () => runAll(upTo(size).map((at) => ['FA_jsonl_append', { path: `${name}.jsonl`, record: { at } }])),
    },
    {
      name: 'append-to-a-long-file',
      smallest: 10_000,
      async prepare(size, name) {
        file(`${name}.jsonl`, '{"n":1}\n'.repeat(size));
        return () => runAll(upTo(20).map((at) => ['FA_jsonl_append', { path: `${name}.jsonl`, record: { at } }]));
      },
    },
    {
      name: 'json-keys',
      smallest: 5_000,
      async prepare(size, name) {
        file(`${name}.json`, JSON.stringify(Object.fromEntries(upTo(size).map((at) => [`k${at}`, at]))));
        return () => runAll([['FA_json_set', { path: `${name}.json`, key_path: 'k7', value: 8 }]]);
      },
    },
    {
      name: 'yaml-keys',
      smallest: 1_000,
      async prepare(size, name) {
        file(
          `${name}.yaml`,
          upTo(size)
            .map((at) => `k${at}: ${at}\n`)
            .join(''),
        );
        return () => runAll([['FA_yaml_set', { path: `${name}.yaml`, key_path: 'k7', value: 8 }]]);
      },
    },
    {
      name: 'csv-rows',
      smallest: 5_000,
      async prepare(size, name) {
        file(
          `${name}.csv`,
          `id,name,city\n${upTo(size)
            .map((at) => `${at},"n ""${at}""",Rome\n`)
            .join('')}`,
        );
        return () => runAll([['FA_csv_filter', { src: `${name}.csv`, target: `${name}-out.csv`, columns: ['id', 'name'] }]]);
      },
    },
    {
      name: 'sync-new-tree',
      smallest: 200,
      async prepare(size, name) {
        tree(name, size);
        return () => runAll([['FA_sync_dir', { src: name, dst: `${name}-copy` }]]);
      },
    },
    {
      name: 'find-in-tree',
      smallest: 500,
      async prepare(size, name) {
        tree(name, size);
        return () => runAll([['FA_fast_find', { root: name, pattern: '*7.txt', use_index: false }]]);
      },
    },
  ];
};
