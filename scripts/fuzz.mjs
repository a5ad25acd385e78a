// npm run fuzz [-- NAME… --seconds N --seed N]: throws changed examples at readers, all of them or those named. See test/fuzz/README.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages, root } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
installPackages();
const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'test/fuzz'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    FACTOTUM_FUZZ: positionals.length > 0 ? positionals.join(',') : 'all',
    FACTOTUM_FUZZ_SECONDS: values.seconds,
    ...(values.seed !== undefined && { FACTOTUM_SEED: values.seed }),
  },
});
process.exitCode = status ?? 1;
