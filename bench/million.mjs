// What the actions over whole trees hold in memory when there are a million files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';

const PEAK = fileURLToPath(new URL('measure/peak.mjs', import.meta.url));
const BAR_MB = 400;

export const run = (report) => {
  const root = ensureData('m');
  const work = mkdtempSync(join(DATA_FOLDER, 'million-'));
  const copy = join(work, 'copy');
  const manifest_path = join(work, 'manifest.json');
  const jobs = {
    find: ['FA_fast_find', { root, pattern: '*' }],
    grep: ['FA_grep', { root, pattern: 'no such text' }],
    duplicates: ['FA_find_duplicates', { root }],
    'write-manifest': ['FA_write_manifest', { root, manifest_path }],
    'verify-manifest': ['FA_verify_manifest', { root, manifest_path }],
    'first-copy': ['FA_copy_dir', { dir_path: root, target_dir_path: copy }],
    'sync-nothing': ['FA_sync_dir', { src: root, dst: copy, delete: true }],
    remove: ['FA_remove_dir_tree', { dir_path: copy }],
  };
  try {
    for (const [name, command] of Object.entries(jobs)) {
      const megabytes = Number(execFileSync(process.execPath, [PEAK, JSON.stringify([command])], { encoding: 'utf8' }));
      report({ name: `million/${name}`, ours: megabytes, unit: 'MB', bar: BAR_MB });
    }
  } finally {
    rmSync(work, { recursive: true });
  }
};
