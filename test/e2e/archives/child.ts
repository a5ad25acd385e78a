import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunResult } from '../../../src/core/result.ts';
import { builtPackage } from '../cli/built.ts';

/** Runs a list with the built library, so with real threads, and tells how it ended and how much memory it took. */
const PROGRAM = `
const [library, cwd, actions] = process.argv.slice(1);
const { createFactotum } = await import(library);
const factotum = createFactotum({ cwd, log: { level: 'silent' } });
process.stdout.write('ready\\n');
const result = await factotum.run(JSON.parse(actions));
process.stdout.write(JSON.stringify({ result, maxRssBytes: process.resourceUsage().maxRSS * 1024 }));
`;

/** How a list ended in a process of its own. */
export interface Ended {
  readonly result: RunResult;
  readonly maxRssBytes: number;
}

/** A process at work. */
export interface Child {
  readonly process: ChildProcess;
  /** It is about to start the list. */
  readonly ready: Promise<unknown>;
  /** Undefined where it was killed. */
  readonly ended: Promise<Ended | undefined>;
}

/** Starts a list in a directory, with flags for Node. */
export const startChild = (cwd: string, actions: unknown, flags: readonly string[] = []): Child => {
  const library = join(builtPackage, 'dist/index.js');
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM, library, cwd, JSON.stringify(actions)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = Promise.all([text(child.stdout), once(child, 'exit')]).then(([said]): Ended | undefined => {
    const [, answer = ''] = said.split('\n');
    return answer === '' ? undefined : JSON.parse(answer);
  });
  return { process: child, ready: once(child.stdout, 'data'), ended };
};
