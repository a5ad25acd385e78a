import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSync } from 'esbuild';
import type { RunResult } from '../../../src/core/result.ts';

const ROOT = process.cwd();

const PROGRAM = `
import { createInstance } from './src/app/create.ts';
const [cwd, actions] = process.argv.slice(2);
const factotum = createInstance({ cwd, log: { level: 'silent' } });
const result = await factotum.run(JSON.parse(actions));
process.stdout.write(JSON.stringify({ result, maxRssBytes: process.resourceUsage().maxRSS * 1024 }));
`;

/** How a list ended in a process of its own. */
export interface Ended {
  readonly result: RunResult;
  readonly maxRssBytes: number;
}

/** Runs lists in processes of their own. */
export interface Runner extends Disposable {
  /** Starts a list in a directory, with flags for Node. */
  start(
    cwd: string,
    actions: unknown,
    flags?: readonly string[],
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended | undefined> };
}

/** Compiles the program once; it is gone with the block that holds it. */
export const openRunner = (): Runner => {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.factotum-e2e-'));
  buildSync({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts', sourcefile: 'main.ts' },
    outdir: folder,
    entryNames: 'main',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
  });
  return {
    start(cwd, actions, flags = []) {
      const child = spawn(process.execPath, [...flags, join(folder, 'main.mjs'), cwd, JSON.stringify(actions)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = Promise.all([text(child.stdout), once(child, 'exit')]).then(
        ([said, [code]]): Ended | undefined => (code === 0 && said !== '' ? JSON.parse(said) : undefined), // one that was killed may have said half of it
      );
      return { child, ended };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
};
