import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { binOf, builtPackage } from '../cli/built.ts';

/** A real `factotum serve` in a process of its own. */
export interface Served extends AsyncDisposable {
  readonly process: ChildProcess;
  /** The address of its HTTP door; rejects where it ends before it has one. */
  readonly url: Promise<string>;
  /** What it has said on standard error so far. */
  readonly complaints: () => string;
  /** Ends it with a signal and waits until it is gone; answers its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServedOptions {
  /** Where its factotum.toml lies; its state goes below. */
  readonly cwd: string;
  /** Where the state goes instead. */
  readonly state?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs it; by default the one of the tests. */
  readonly node?: string;
}

/** Starts the built service on any free port. */
export const startServed = ({ cwd, state = `${cwd}/.state`, env = {}, node = process.execPath }: ServedOptions): Served => {
  const child = spawn(node, [binOf(builtPackage), 'serve', '--port', '0', '--no-tcp'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: state, ...env },
  });
  const ended = Promise.all([once(child, 'exit'), once(child.stderr, 'close')]); // its last words may come after its end
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const url = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [address] = /(?<=^Listening on )https?:\S+/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error(`The service opened no door: ${err}`);
  })();
  url.catch(() => {}); // whoever needs it hears of it
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    process: child,
    url,
    complaints: () => err,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
};
