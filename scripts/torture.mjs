// npm run torture [-- NAME…]: kills, full devices, large files and their like for much longer than `npm test` takes, with other seeds each time.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, installPackages, root } from './setup.mjs';

installPackages();
buildIfStale();
/** Files with properties, which get all their runs here. */
const properties = ['src', 'test/e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes(`from 'fast-check'`)),
);
const SUITES = ['test/e2e/torture', 'kill.test', 'large-files.test', ...properties];
const names = process.argv.slice(2);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--testTimeout', '3600000', ...(names.length > 0 ? names : SUITES)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FACTOTUM_TORTURE: 'long' },
});
process.exitCode = status ?? 1;
