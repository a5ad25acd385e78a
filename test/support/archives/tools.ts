import { spawnSync } from 'node:child_process';

/** Whether a program of the system can be started; tests that need a missing one are skipped and say so. */
export const hasTool = (name: string): boolean => spawnSync('which', [name]).status === 0;

/** Runs a program to its end and gives what it wrote; fails the test where it fails. */
export const tool = (
  name: string,
  args: readonly string[],
  { cwd, input }: { readonly cwd?: string; readonly input?: Uint8Array } = {},
): Buffer => {
  const { status, stdout, stderr, error } = spawnSync(name, args, {
    cwd,
    input,
    maxBuffer: 2 ** 30,
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
  });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr} ${stdout}`, { cause: error });
  return stdout;
};
