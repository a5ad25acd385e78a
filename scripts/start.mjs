// npm start [-- COMMAND …]: does all set-up, then runs factotum; without a command it serves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, installPackages, oneAtATime, root } from './setup.mjs';
import { followParent } from './start/follow-parent.mjs';

await oneAtATime(() => {
  installPackages();
  buildIfStale();
});
const args = process.argv.slice(2);
const child = spawn(process.execPath, [join(root, 'dist', 'bin', 'factotum.cjs'), ...(args.length === 0 ? ['serve'] : args)], {
  stdio: 'inherit',
});
// Both are in the terminal's foreground, so the child gets Ctrl-C itself; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal === 'SIGINT' || child.kill(signal));
if (process.env.npm_lifecycle_event !== undefined) followParent(() => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
});
