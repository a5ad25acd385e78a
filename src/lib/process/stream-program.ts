import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { ShellException } from '../../core/errors.ts';
import { refuseBatchFile } from './batch-file.ts';
import { createCappedOutput } from './capped-output.ts';
import { groupOf } from './process-group.ts';
import { startFault } from './start-fault.ts';

type Argv = readonly [string, ...string[]];
type Filter = ChildProcessByStdio<Writable, Readable, Readable>;

/** What is kept of a filter's complaints. */
const MAX_COMPLAINT_BYTES = 4096;

/**
 * Sends a stream through a program that reads its input and writes its output, such as a compressor. The program is ours to choose,
 * never a caller's: no shell, a group of its own, and no environment but the search path. A failure of the source, the program or
 * the signal reaches the reader, and then, as when the reader leaves, the program is ended. Throws `ShellException` where it cannot
 * be started or fails.
 */
export async function* throughProgram(
  chunks: AsyncIterable<Uint8Array>,
  argv: Argv,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const child = await start(argv);
  const group = groupOf(child);
  const complaint = createCappedOutput(MAX_COMPLAINT_BYTES);
  child.stderr.on('data', complaint.take);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const fed = feed(chunks, child.stdin).then(
    () => undefined,
    (fault: unknown) => ({ fault }),
  );
  try {
    for await (const chunk of addAbortSignal(signal, child.stdout)) yield chunk;
    const failed = await fed;
    // A program that ends early breaks the pipe; then its own complaint says more.
    if (failed !== undefined && !isBrokenPipe(failed.fault)) throw failed.fault;
    await closed;
    if (child.exitCode !== 0) throw failure(argv[0], child, complaint.text());
  } catch (fault) {
    throw signal.aborted ? signal.reason : fault;
  } finally {
    if (child.exitCode === null && child.signalCode === null) await group.end();
    child.stdin.destroy();
    await fed; // the source is free again
  }
}

const start = async ([program, ...args]: Argv): Promise<Filter> => {
  refuseBatchFile(program);
  try {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH ?? '', LANG: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (fault) {
    throw await startFault(fault, { program, cwd: undefined });
  }
};

/** Asks for a chunk only when the one before is written, because its buffer may be used again. */
const feed = async (chunks: AsyncIterable<Uint8Array>, into: Writable): Promise<void> => {
  into.on('error', () => {}); // told by the write that failed
  try {
    for await (const chunk of chunks) await written(into, chunk);
  } finally {
    into.end(); // a program that waits for more would wait for ever
  }
};

const written = (into: Writable, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => into.write(chunk, (fault) => (fault ? reject(fault) : resolve())));

const failure = (program: string, { exitCode, signalCode }: Filter, said: string) =>
  new ShellException(
    `${program} failed with ${exitCode === null ? `signal ${signalCode}` : `exit code ${exitCode}`}${said === '' ? '' : `: ${said.trim()}`}; look at what it says.`,
    {
      context: { program, returncode: exitCode, signal: signalCode },
    },
  );

const isBrokenPipe = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && (fault.code === 'EPIPE' || fault.code === 'ERR_STREAM_DESTROYED');
