// Ten thousand jobs that wait for their times: what they cost a core, and the memory of the whole process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const WATCHED_S = 15;

export const run = async (report) => {
  const scripts = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const place = mkdtempSync(join(tmpdir(), 'factotum-bench-'));
  try {
    const script = join(scripts, 'schedules-process.js');
    await build({
      entryPoints: ['bench/servers/schedules-process.ts'],
      outfile: script,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    });
    const printed = execFileSync(process.execPath, ['--expose-gc', script, join(place, 'state', 'factotum.db'), String(WATCHED_S)]);
    const { startMs, coreShare, rssBytes } = JSON.parse(String(printed));
    report({ name: 'schedules/10000-idle-cpu', ours: coreShare * 100, unit: '%', bar: 2 });
    report({ name: 'schedules/10000-idle-memory', ours: rssBytes / 1e6, unit: 'MB', bar: 250 });
    report({ name: 'schedules/10000-start', ours: startMs / 1000, unit: 's' });
  } finally {
    rmSync(scripts, { recursive: true });
    rmSync(place, { recursive: true });
  }
};
