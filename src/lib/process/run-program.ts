import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgramRequest, RunProgram } from '../../core/ports.ts';
import { refuseBatchFile } from './batch-file.ts';
import { type CappedOutput, createCappedOutput, MAX_OUTPUT_BYTES } from './capped-output.ts';
import { interruptionOf } from './interruption.ts';
import { groupOf } from './process-group.ts';
import { startFault } from './start-fault.ts';

/** How long output may still arrive after the group was ended; a process that left the group could hold it open for ever. */
const LAST_OUTPUT_MS = 100;

/**
 * Runs a program from an argument list, never through a shell: in a process group of its own, with nothing to read and no
 * environment but the one given. A run is over when the program has ended and nobody holds its output open any more; when the
 * time is up or the signal fires, the whole group is ended first. Throws `ShellException` where the program cannot be started, and
 * the signal's reason where that fired.
 */
export const runProgram: RunProgram = async (request) => {
  const { signal, maxOutputBytes = MAX_OUTPUT_BYTES } = request;
  signal.throwIfAborted();
  const child = await start(request);
  const group = groupOf(child);
  const closed = new Promise<'over'>((resolve) => child.once('close', () => resolve('over')));
  const stdout = collect(child.stdout, maxOutputBytes);
  const stderr = collect(child.stderr, maxOutputBytes);
  using interruption = interruptionOf(request);
  const ending = await Promise.race([closed, interruption.happens]);
  if (ending !== 'over') {
    await group.end();
    await Promise.race([closed, delay(LAST_OUTPUT_MS)]);
    abandon(child);
  }
  if (ending === 'aborted') throw signal.reason;
  return {
    returncode: child.exitCode,
    signal: child.signalCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut: ending === 'timed out',
    truncated: stdout.truncated || stderr.truncated,
  };
};

const start = async ({ argv: [program, ...args], cwd, env = {}, captureOutput = true }: ProgramRequest): Promise<ChildProcess> => {
  refuseBatchFile(program);
  const output = captureOutput ? 'pipe' : 'ignore';
  try {
    // Detached: it leads a group of its own. The environment is copied because Node adds to it when it measures coverage.
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['ignore', output, output], detached: true, windowsHide: true });
    await once(child, 'spawn');
    return child;
  } catch (fault) {
    throw await startFault(fault, { program, cwd });
  }
};

const collect = (stream: Readable | null, maxBytes: number): CappedOutput => {
  const output = createCappedOutput(maxBytes);
  stream?.on('data', output.take);
  stream?.on('error', () => {}); // an output that breaks off is one that ends: it closes next
  return output;
};

/** Lets go of what may never end by itself. */
const abandon = (child: ChildProcess) => {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
};
