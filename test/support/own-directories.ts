import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The variable that names the directory in which every test file gets its own (`own-temp-dir.ts`). */
export const RUN_DIRECTORY = 'FACTOTUM_TEST_RUN_DIRECTORY';
/** The variable that says whether a file takes turns with others in its process. */
export const SHARES_PROCESS = 'FACTOTUM_TEST_SHARES_PROCESS';
/** How the directories of such processes begin; they stay until all tests have ended. */
export const SHARED = 'process-';

/** Run once around all tests: makes the directory that they share, and tells what is left in it. */
export const setup = (): (() => void) => {
  const run = mkdtempSync(join(tmpdir(), 'factotum-run-'));
  chmodSync(run, 0o711); // some tests become another user
  process.env[RUN_DIRECTORY] = run;
  // npm is told by these, not by the home directory: that of tests is empty.
  process.env.npm_config_userconfig ??= join(homedir(), '.npmrc');
  process.env.npm_config_cache = resolve('node_modules/.cache/npm');
  return () => {
    const left = readdirSync(run).filter((name) => !name.startsWith(SHARED) && !isUntouched(join(run, name)));
    rmSync(run, { recursive: true, force: true });
    if (left.length === 0) return;
    process.exitCode = 1; // what is thrown here is only told
    throw new Error(`Test files that ended without removing their directory in ${run}: ${left.join(', ')}.`);
  };
};

/** A file of which no test can run here, for want of a program, ends without a last word. */
const isUntouched = (own: string): boolean => ['tmp', 'home'].every((name) => readdirSync(join(own, name)).length === 0);
