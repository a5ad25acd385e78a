import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockTimeoutException } from '../../core/errors.ts';
import { createTurns } from '../async/turns.ts';
import { codeOf } from '../fs/system-fault.ts';

export interface MachineLockOptions {
  readonly signal: AbortSignal;
  /** What is locked, for errors. */
  readonly shown: string;
  /** How long others are waited for. */
  readonly maxWaitMs?: number;
  /** How long this process may go on while others wait: changing hands takes longer than most work. */
  readonly quantumMs?: number;
}

/** As much patience as the longest honest work needs; the signal of a command mostly ends it before. */
const MAX_WAIT_MS = 600_000;
const QUANTUM_MS = 50;
/** The next command of a list wants the same name at once: it is kept for so long. */
const LINGER_MS = 2;
/** After others have waited, how often they are let go first, a millisecond apart. */
const COURTESIES = 5;
/** So often in a row nobody answered under a name that is taken. */
const SURELY_STALE = 5;
const MAX_PAUSE_MS = 20;
/** By then those who were owed a turn have had it. */
const OWED_MS = 100;

/** A name in the hands of this process, which other processes see. */
interface Claim {
  readonly server: Server;
  /** Connections of those who wait elsewhere. */
  readonly waiting: Set<Socket>;
  readonly sinceMs: number;
  /** Gives it back when nobody here has wanted it for a while. */
  lingering?: NodeJS.Timeout;
}

// Facts of this process: what is locked must be the same for everybody in it.
const turns = createTurns();
const claims = new Map<string, Claim>();
/** Names that others waited for when they were last given back. */
const owed = new Set<string>();

/**
 * Does the work while nobody else on this machine does theirs under the same name: in this process in the order they came, among
 * processes by a listening socket, which only one can have and which ends with its process, however that ends. Whoever waits is connected
 * to it and wakes when it closes. Where the system gives no such socket (a sandbox), only this process is kept apart.
 */
export const holdOnMachine = async <T>(name: string, options: MachineLockOptions, work: () => Promise<T>): Promise<T> => {
  const endTurn = await turns.take(name, options.signal);
  try {
    const claim = claims.get(name) ?? (await claimName(name, options));
    if (claim !== undefined) claims.set(name, claim);
    clearTimeout(claim?.lingering);
    return await work();
  } finally {
    leave(name, options.quantumMs ?? QUANTUM_MS);
    endTurn();
  }
};

/** The name is kept for the next one here, as long as others need not wait for it too long. */
const leave = (name: string, quantumMs: number): void => {
  const claim = claims.get(name);
  if (claim === undefined) return;
  if (claim.waiting.size > 0 && performance.now() - claim.sinceMs > quantumMs) release(name);
  else if (!turns.isAwaited(name)) claim.lingering = setTimeout(() => release(name), LINGER_MS).unref();
};

/** Where the name is found by other processes: names of Linux and Windows go with their process, elsewhere a file is left by a killed one. */
export const addressOf = (name: string, platform: NodeJS.Platform = process.platform): string => {
  const id = `factotum-lock-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  if (platform === 'linux') return `\0${id}`;
  return platform === 'win32' ? `\\\\.\\pipe\\${id}` : join(tmpdir(), `.${id}`);
};

const claimName = async (name: string, { signal, shown, maxWaitMs = MAX_WAIT_MS }: MachineLockOptions): Promise<Claim | undefined> => {
  const address = addressOf(name);
  if (owed.delete(name)) await letOthersGo(address, signal);
  const startedMs = performance.now();
  for (let misses = 0, holder = ''; ; ) {
    signal.throwIfAborted();
    const claim = await listenAt(address);
    if (claim !== 'taken') return claim;
    const leftMs = maxWaitMs - (performance.now() - startedMs);
    if (leftMs <= 0) throw notFree(shown, holder, maxWaitMs);
    const waited = await waitForEnd(address, leftMs, signal);
    holder = waited.holder || holder; // a last short look may hear nothing
    misses = waited.isHeld ? 0 : misses + 1;
    // Given back in between, about to listen, or left by a killed process: looked at again, ever more slowly.
    if (misses > SURELY_STALE) discardStale(address);
    if (misses > 1) await delay(Math.min(misses, MAX_PAUSE_MS));
  }
};

/** Those who waited elsewhere are slower to hear that the name is free than we are to take it again. */
const letOthersGo = async (address: string, signal: AbortSignal): Promise<void> => {
  for (let left = COURTESIES; left > 0 && !signal.aborted; left -= 1) {
    if ((await waitForEnd(address, MAX_WAIT_MS, signal)).isHeld) return;
    await delay(1);
  }
};

/** Undefined where there are no such sockets. */
const listenAt = async (address: string): Promise<Claim | 'taken' | undefined> => {
  const { createServer } = await import('node:net');
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => {}).on('close', () => waiting.delete(socket));
    socket.unref().write(String(process.pid));
  });
  return new Promise((resolve, reject) => {
    server.on('error', (fault) => {
      const code = codeOf(fault) ?? '';
      if (code === 'EADDRINUSE') resolve('taken');
      else if (WITHOUT_SOCKETS.has(code)) resolve(undefined);
      else reject(fault);
    });
    // Exclusive: a process of a cluster must not get the socket of its siblings.
    server.listen({ path: address, exclusive: true }, () => resolve({ server: server.unref(), waiting, sinceMs: performance.now() }));
  });
};

/** What a sandbox answers, or a directory for temporary files that cannot be written. */
const WITHOUT_SOCKETS: ReadonlySet<string> = new Set(['EAFNOSUPPORT', 'EACCES', 'EPERM', 'ENOSYS', 'EROFS', 'ENOENT', 'ENAMETOOLONG']);

interface Waited {
  /** Somebody had the name when the waiting began. */
  readonly isHeld: boolean;
  /** The number of that process. */
  readonly holder: string;
}

/** Waits until whoever has the name gives it back or ends, or the time is over, or the signal fires: the caller looks which. */
const waitForEnd = async (address: string, leftMs: number, signal: AbortSignal): Promise<Waited> => {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    let isHeld = false;
    let holder = '';
    const socket = connect({ path: address });
    const leave = () => socket.destroy();
    const timer = setTimeout(leave, leftMs);
    signal.addEventListener('abort', leave, { once: true });
    socket
      .on('connect', () => {
        isHeld = true;
      })
      .on('data', (text) => {
        holder = String(text).replace(/\D/g, '');
      })
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        resolve({ isHeld, holder });
      });
    if (signal.aborted) leave();
  });
};

/** A socket with a file whose process was killed; one that another has taken since is taken again by whoever finds no file. */
const discardStale = (address: string): void => {
  if (address.startsWith('\0') || address.startsWith('\\')) return;
  try {
    unlinkSync(address);
  } catch {
    // gone already
  }
};

const release = (name: string): void => {
  const claim = claims.get(name);
  if (claim === undefined) return;
  claims.delete(name);
  if (claim.waiting.size > 0) {
    owed.add(name);
    setTimeout(() => owed.delete(name), OWED_MS).unref();
  }
  claim.server.close();
  for (const socket of claim.waiting) socket.destroy();
};

const notFree = (shown: string, holder: string, maxWaitMs: number) =>
  new LockTimeoutException(
    `Another process${holder === '' ? '' : ` (${holder})`} has been changing ${shown} for ${maxWaitMs / 1000} s; look what it does, or try again later.`,
    { context: { path: shown, ...(holder !== '' && { pid: Number(holder) }) }, retryable: true },
  );
