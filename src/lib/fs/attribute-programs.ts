import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { codeOf } from './system-fault.ts';

// Node cannot ask for extended attributes and cannot set times to the nanosecond; programs can. They are given open files, named by their
// descriptors, so that nothing else can be meant.

/** The open files of a child; under the same names whatever they are, so that what one program writes another takes. */
export const INHERITED_FD = 3;
export const SECOND_FD = 4;
export const addressOf = (fd: number): string => `/proc/self/fd/${fd}`;

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
  readonly complaint: string;
  /** The program is not on this machine. */
  readonly isMissing: boolean;
}

interface Running {
  readonly files: readonly number[];
  readonly signal: AbortSignal;
  readonly input?: Buffer;
}

/** Runs a program to its end. Throws nothing but the reason of the signal. */
export const runOnFiles = async (program: string, argv: readonly string[], { files, signal, input }: Running): Promise<Ended> => {
  signal.throwIfAborted();
  if (process.platform !== 'linux') return { code: null, output: Buffer.alloc(0), complaint: '', isMissing: true };
  const child = spawn(program, argv, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...files],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  // Whoever ends before it has read everything says why.
  child.stdin?.on('error', () => {}).end(input);
  try {
    const [ended, output, complaint] = await Promise.all([endOf(child), outputOf(child.stdout), outputOf(child.stderr)]);
    signal.throwIfAborted();
    return { complaint: firstLine(complaint.toString('latin1')), ...ended, output };
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const endOf = async (child: ChildProcess): Promise<Pick<Ended, 'code' | 'isMissing'> & Partial<Ended>> => {
  try {
    const [code] = await once(child, 'close');
    return { code, isMissing: false };
  } catch (fault) {
    return { code: null, isMissing: codeOf(fault) === 'ENOENT', complaint: fault instanceof Error ? fault.message : String(fault) };
  }
};

/** Bytes, because names need not be text. A program that could not be started has no output. */
const outputOf = async (stream: ChildProcess['stdout']): Promise<Buffer> =>
  stream === null ? Buffer.alloc(0) : buffer(stream).catch(() => Buffer.alloc(0));

const firstLine = (complaint: string): string => (complaint.split('\n', 1)[0] || 'the program for it failed').slice(0, 300);
