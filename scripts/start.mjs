// npm start [-- COMMAND …]: does all set-up, then runs factotum; without a command it serves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, installPackages, root } from './setup.mjs';

installPackages();
buildIfStale();
const args = process.argv.slice(2);
const child = spawn(process.execPath, [join(root, 'dist', 'bin', 'factotum.cjs'), ...(args.length === 0 ? ['serve'] : args)], {
  stdio: 'inherit',
});
// Both are in the terminal's foreground, so the child gets Ctrl-C itself; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
