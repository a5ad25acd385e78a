import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { systemWait } from '../../lib/async/wait.ts';
import { createFileLocks } from './file-lock.ts';

const { holdFile } = createFileLocks({ clock: { now: Date.now, monotonic: () => performance.now() }, wait: systemWait });

const { signal } = new AbortController();
const atOnce = { timeoutS: 0, signal };

/** Another program that holds the lock until its input ends. */
const outsider = async (path: string) => {
  const child = spawn('flock', ['-x', path, 'sh', '-c', 'echo held; cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    async leave() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
};

test('two of the same process keep each other out, and the second gets in afterwards', async () => {
  using dir = tempDir({ 'a.lock': '' });
  const path = dir.at('a.lock');
  await holdFile(path, atOnce, async () => {
    await expect(holdFile(path, atOnce, () => Promise.resolve('in'))).rejects.toMatchObject({ type: 'LockTimeoutException' });
    await expect(holdFile(path, { timeoutS: 0.05, signal }, () => Promise.resolve('in'))).rejects.toMatchObject({ retryable: true });
  });
  expect(await holdFile(path, atOnce, () => Promise.resolve('in'))).toBe('in');
});

test('another program with flock keeps us out, and we wait for it', async () => {
  using dir = tempDir({ 'a.lock': '' });
  const other = await outsider(dir.at('a.lock'));
  await expect(holdFile(dir.at('a.lock'), atOnce, () => Promise.resolve('in'))).rejects.toMatchObject({ type: 'LockTimeoutException' });
  const waiting = holdFile(dir.at('a.lock'), { timeoutS: null, signal }, () => Promise.resolve('in'));
  await other.leave();
  expect(await waiting).toBe('in');
});

test('who waits stops at its signal', async () => {
  using dir = tempDir({ 'a.lock': '' });
  const stop = new AbortController();
  await holdFile(dir.at('a.lock'), atOnce, async () => {
    const waiting = holdFile(dir.at('a.lock'), { timeoutS: null, signal: stop.signal }, () => Promise.resolve('in'));
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

test('a failure gives the lock back; a missing file is made only when that is wanted', async () => {
  using dir = tempDir();
  const path = dir.at('new.lock');
  await expect(holdFile(path, atOnce, () => Promise.resolve())).rejects.toMatchObject({ type: 'FileNotExistsException' });
  await expect(holdFile(path, { ...atOnce, create: true }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await holdFile(path, atOnce, () => Promise.resolve('in'))).toBe('in');
});

test('what may only be read can be locked too, and so can a directory', async () => {
  using dir = tempDir({ 'sub/a': '' });
  expect(await holdFile(dir.at('sub'), atOnce, () => Promise.resolve('in'))).toBe('in');
});

test('those of one process who wait for one file need one program together, which counts as one of the first', async () => {
  using dir = tempDir({ 'a.lock': '' });
  const other = await outsider(dir.at('a.lock'));
  const counted: string[] = [];
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const locks = createFileLocks({
    clock,
    wait: systemWait,
    takeChild(runId) {
      counted.push(`${runId} begins`);
      return () => counted.push(`${runId} ends`);
    },
  });
  const waiting = Array.from({ length: 400 }, (_, at) =>
    locks.holdFile(dir.at('a.lock'), { timeoutS: at < 3 ? null : 0.2, signal, runId: String(at) }, () => Promise.resolve(at)),
  );
  const ended = Promise.allSettled(waiting);
  await expect(waiting[399]).rejects.toMatchObject({ type: 'LockTimeoutException' });
  expect(counted).toEqual(['0 begins']);
  await other.leave();
  expect((await ended).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(counted).toEqual(['0', '1', '2'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
