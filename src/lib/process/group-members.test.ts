import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { hasRunningMember } from './group-members.ts';

/** Starts a script that leads a group of its own and writes one line; both end with the test. */
const startGroup = async (script: string): Promise<{ readonly group: number; readonly line: string }> => {
  const child: ChildProcess = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const group = child.pid ?? 0;
  onTestFinished(() => void process.kill(-group, 'SIGKILL'));
  const [line] = child.stdout === null ? [] : await once(child.stdout, 'data');
  return { group, line: String(line).trim() };
};

test('a group with a process at work has one running', async () => {
  const { group } = await startGroup('echo; exec sleep 1000');
  expect(await hasRunningMember(group)).toBe(true);
});

test('a process that has ended does not count, even if its parent never takes note', async () => {
  // Job control gives the short program a group of its own; sleep becomes its parent and does not wait for it.
  const { line } = await startGroup('set -m; sleep 0.2 & echo $!; exec sleep 1000');
  const group = Number(line);
  await expect.poll(() => hasRunningMember(group)).toBe(false);
  expect(process.kill(-group, 0)).toBe(true);
});

test('a number that no group has has none', async () => {
  expect(await hasRunningMember(2 ** 30)).toBe(false);
});
