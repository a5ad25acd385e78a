import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isRunning } from '../../support/is-running.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum, startFactotum } from './built.ts';

const SLEEPER = 'echo $$ > pid; exec sleep 60';
const STUBBORN = 'trap "" TERM INT; echo $$ > pid; while :; do sleep 1; done';

const listOf = (script: string): string =>
  JSON.stringify([
    ['FA_create_file', ['a.txt']],
    ['FA_run_shell', { argv: ['sh', '-c', script] }],
    ['FA_create_file', ['b.txt']],
  ]);

const until = async (isDone: () => boolean) => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops what runs, prints what was done and exits with 130', async (signal) => {
  using dir = tempDir({ 'list.json': listOf(SLEEPER) });
  const child = startFactotum(['run', 'list.json'], dir.path);
  const [out, err, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  await until(() => dir.read('pid')?.endsWith('\n') === true);
  child.kill(signal);
  expect(await ended).toEqual([130, null]);
  expect(await out).toMatch(/✓ 0 FA_create_file.*\n■ 1 FA_run_shell.*\n.*interrupted.*\n(?: +.*\n)*■ 2 FA_create_file/);
  expect(await out).toContain('1 ok, 2 cancelled');
  expect(await err).toContain('press Ctrl-C again to quit at once');
  expect(dir.read('b.txt')).toBeUndefined();
  expect(isRunning(Number(dir.read('pid')))).toBe(false);
});

test('a second Ctrl-C does not wait, leaves no program behind and counts as cancelled', async () => {
  using dir = tempDir({ 'list.json': listOf(STUBBORN) });
  const env = { XDG_STATE_HOME: dir.at('state') };
  const child = startFactotum(['run', 'list.json'], dir.path, env);
  const [out, ended] = [text(child.stdout), once(child, 'exit')];
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => dir.read('pid')?.endsWith('\n') === true);
  const pid = Number(dir.read('pid'));
  try {
    child.kill('SIGINT');
    await until(() => said.includes('Ctrl-C again'));
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await out).toBe('');
    await until(() => !isRunning(pid));
    const [run] = answerOf<{ state: string }[]>(factotum(['runs', '--json'], { cwd: dir.path, env }));
    expect(run).toMatchObject({ state: 'cancelled' });
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

test('exec is interrupted alike', async () => {
  using dir = tempDir();
  const child = startFactotum(['exec', 'run_shell', '--', 'sh', '-c', SLEEPER], dir.path);
  const [err, ended] = [text(child.stderr), once(child, 'exit')];
  await until(() => dir.read('pid')?.endsWith('\n') === true);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(await err).toContain('The run was interrupted.');
});
