import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../../test/support/is-running.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { runProgram } from './run-program.ts';

const env = { PATH: process.env.PATH ?? '' };

const pidsIn = (text: string): number[] => text.trim().split(/\s+/).map(Number);

describe('when the time is up', () => {
  /** Runs a script whose time is up as soon as nobody holds the pipe $BEGUN open any more, which it has to open as its third. */
  const runUntilBegun = async (script: string) => {
    using dir = tempDir();
    const BEGUN = dir.at('begun');
    execFileSync('mkfifo', [BEGUN]); // reading a named pipe waits for its last writer
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    const running = runProgram({ argv: ['sh', '-c', `exec 3> "$BEGUN"; ${script}`], env: { ...env, BEGUN }, timeoutMs: 1_000, signal });
    await readFile(BEGUN);
    vi.advanceTimersByTime(1_000);
    return await running;
  };

  test('the program is asked to end, and what it wrote before is kept', async () => {
    expect(await runUntilBegun('echo before; exec sleep 1000 3>&-')).toEqual({
      returncode: null,
      signal: 'SIGTERM',
      stdout: 'before\n',
      stderr: '',
      timedOut: true,
      truncated: false,
    });
  });

  test('everything that the program started ends too', async () => {
    const child = 'sleep 1000 3>&- & echo \\$!; exec 3>&-; wait';
    const { stdout } = await runUntilBegun(`sleep 1000 3>&- & echo $!; sh -c "${child}" & echo $!; exec 3>&-; wait`);
    expect(pidsIn(stdout)).toHaveLength(3);
    expect(pidsIn(stdout).filter(isRunning)).toEqual([]);
  });

  test('what outlived the program ends too', async () => {
    const { stdout, returncode, timedOut } = await runUntilBegun('sleep 1000 3>&- & echo $!');
    expect([returncode, timedOut]).toEqual([0, true]);
    expect(pidsIn(stdout).filter(isRunning)).toEqual([]);
  });

  test('a program whose output is not kept ends in the same way', async () => {
    const request = { argv: ['sleep', '1000'], env, timeoutMs: 50, captureOutput: false, signal: new AbortController().signal } as const;
    expect(await runProgram(request)).toMatchObject({ signal: 'SIGTERM', timedOut: true });
  });
});

describe('when the signal fires', () => {
  /** Fires the signal as soon as the script has written numbers of processes to $PIDS; gives those numbers when all is over. */
  const abortOnceStarted = async (script: string): Promise<number[]> => {
    using dir = tempDir();
    const PIDS = dir.at('pids');
    execFileSync('mkfifo', [PIDS]); // reading a named pipe waits for the writer
    const controller = new AbortController();
    const running = runProgram({ argv: ['sh', '-c', script], env: { ...env, PIDS }, signal: controller.signal });
    const pids = pidsIn(await readFile(PIDS, 'utf8'));
    expect(pids.filter(isRunning)).toEqual(pids);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toBe(controller.signal.reason);
    return pids;
  };

  test.each([
    ['a program and what it started', 'sleep 1000 & echo $$ $! > "$PIDS"; wait'],
    ['a program that does not want to end', 'trap "" TERM; sleep 1000 & echo $$ $! > "$PIDS"; wait'],
    [
      'a process that does not want to end though its parent does',
      'sh -c "trap \'\' TERM; echo \\$\\$ > \\"\\$PIDS\\"; exec sleep 1000" & wait',
    ],
    ['a process whose parent has ended', 'sh -c "echo \\$\\$ > \\"\\$PIDS\\"; exec sleep 1000" &'],
  ])('%s is gone before the reason is thrown', async (_, script) => {
    expect((await abortOnceStarted(script)).filter(isRunning)).toEqual([]);
  });

  test('a process that left the group and holds the output open is not waited for', async () => {
    const [escaped = 0] = await abortOnceStarted('setsid sh -c "echo \\$\\$ > \\"\\$PIDS\\"; exec sleep 1000" &');
    expect(isRunning(escaped)).toBe(true);
    process.kill(escaped, 'SIGKILL');
  });

  test('nothing is started when it had fired before', async () => {
    using dir = tempDir();
    await expect(runProgram({ argv: ['touch', dir.at('made')], env, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(dir.read('made')).toBeUndefined();
  });
});
