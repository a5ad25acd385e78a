#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { openBundle } from './bundle.ts';

/** Set by the build. */
declare const FACTOTUM_VERSION: string;
declare const CORE_FILE: string;
declare const MAIN_CHUNK: string;

const FAILED = 1;
const USAGE = 2;

const [first = ''] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  try {
    writeSync(1, `${FACTOTUM_VERSION}\n`);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException; // writeSync throws nothing else
    if (code !== 'EPIPE') {
      writeSync(2, `The version could not be written to standard output: the system says ${code}.\n`);
      process.exitCode = FAILED;
    }
  }
} else {
  // Actions have little code in common. Options may stand before the name.
  const [command = '', action = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const bundle = openBundle(__dirname, command === 'exec' ? `${command}-${action.replace(/^FA_/, '')}` : command);
  bundle.readCore(CORE_FILE);
  // The build made the chunk from src/cli/main.ts.
  const { main } = bundle.load(MAIN_CHUNK) as typeof import('../cli/main.ts');
  // Nothing keeps the process alive and yet the command has not ended: whoever called must not take that for success.
  process.once('beforeExit', () => {
    writeSync(2, 'factotum stopped before its work was done: nothing was left to wait for. Please report this.\n');
    process.exit(FAILED);
  });
  void main(process.argv.slice(2), FACTOTUM_VERSION).then((exitCode) => {
    if (exitCode !== USAGE) bundle.keepCode(); // a mistyped command teaches nothing
    process.exit(exitCode); // everything is written and closed; taking the heap apart would only take time
  });
}
