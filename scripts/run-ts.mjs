// Runs a TypeScript file of the project: node scripts/run-ts.mjs scripts/generate/main.ts [arguments]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const [entry, ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-run-'));
const outfile = join(folder, 'main.mjs');
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
  sourcemap: 'inline',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...args], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
