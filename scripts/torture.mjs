// npm run torture [-- NAME…]: kills, full devices, large files and their like for much longer than `npm test` takes, with other seeds each time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, installPackages, root } from './setup.mjs';

installPackages();
buildIfStale();
const SUITES = ['test/e2e/torture', 'kill.test', 'large-files.test'];
const names = process.argv.slice(2);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--testTimeout', '3600000', ...(names.length > 0 ? names : SUITES)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FACTOTUM_TORTURE: 'long' },
});
process.exitCode = status ?? 1;
