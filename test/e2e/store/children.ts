import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { bundle } from '../files/bundle.ts';

/** The store's scripts as plain files: a child process and the writer's thread. */
export interface Scripts extends Disposable {
  readonly child: string;
  readonly writer: URL;
}

export const bundleScripts = async (child: string): Promise<Scripts> => {
  const script = await bundle(new URL(child, import.meta.url));
  const writer = await bundle(new URL('../../../src/services/engine/embedded/store.worker.ts', import.meta.url));
  return {
    child: script.path,
    writer: pathToFileURL(writer.path),
    [Symbol.dispose]() {
      script[Symbol.dispose]();
      writer[Symbol.dispose]();
    },
  };
};

/** A child and what it has said, line by line. */
export interface Child {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  /** After its first line. */
  readonly started: Promise<void>;
  /** After so many lines, or after its end. */
  said(count: number): Promise<void>;
  /** After its end and its last line. */
  readonly ended: Promise<void>;
}

export const startChild = (script: string, ...args: readonly string[]): Child => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const complaints: string[] = [];
  child.stderr.on('data', (text) => complaints.push(String(text)));
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]).then(() => {});
  const started = Promise.race([
    once(output, 'line').then(() => {}),
    ended.then(() => {
      if (lines.length === 0) throw new Error(`The child ended by itself: ${complaints.join('')}`);
    }),
  ]);
  const said = async (count: number): Promise<void> => {
    let hasEnded = false;
    const end = ended.then(() => {
      hasEnded = true;
    });
    while (lines.length < count && !hasEnded) await Promise.race([once(output, 'line'), end]);
  };
  return { process: child, lines, started, said, ended };
};
