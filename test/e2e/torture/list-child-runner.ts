import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundle, type Script } from '../files/bundle.ts';

/** A process that runs lists. */
export interface ListChild {
  readonly process: ChildProcess;
  /** The numbers of the lists that have ended well so far. */
  readonly done: number[];
  /** Resolves when it has ended; rejects where it ended badly by itself. */
  readonly over: Promise<void>;
}

/** The script of such processes; gone after the block that holds it. */
export const bundleListChild = (): Promise<Script> => bundle(new URL('./list-child.ts', import.meta.url));

export const startListChild = ({ path }: Script, cwd: string, lists: readonly unknown[]): ListChild => {
  const child = spawn(process.execPath, [path, cwd], { stdio: ['pipe', 'pipe', 'pipe'] });
  const done: number[] = [];
  let complaint = '';
  let unread = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdout.on('data', (chunk) => {
    const lines = `${unread}${chunk}`.split('\n');
    unread = lines.pop() ?? '';
    done.push(...lines.map(Number));
  });
  child.stdin.on('error', () => {}).end(JSON.stringify(lists)); // one that is killed early has not read it
  const over = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal === null) throw new Error(`A process that runs lists ended with ${code}: ${complaint}`);
  });
  over.catch(() => {}); // whoever waits hears of it
  return { process: child, done, over };
};
