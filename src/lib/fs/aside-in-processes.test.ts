import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PathTraversalException } from '../../core/errors.ts';
import { openAside } from './aside.ts';
import { openDirectory } from './handles.ts';
import { codeOf } from './system-fault.ts';

interface Running {
  /** Waits until the program has written that many bytes, each of them one step of its work. */
  steps(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const PATIENCE_MS = 60_000; // many processes on a busy machine

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-processes-')));
  mkdirSync(join(root, 'd'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Bundles a small program over the code under test; answers the path of the script. */
function program(contents: string): string {
  const outfile = join(root, 'program.mjs');
  buildSync({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
  });
  return outfile;
}

/** Runs a program until it is disposed, which kills it at once. */
function start(script: string, ...args: string[]): Running {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  return {
    async steps(count) {
      let seen = 0;
      for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
        seen += chunk.length;
        if (seen >= count) return;
      }
      throw new Error('the program ended early');
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

test('a new file gets what the umask of its process leaves', () => {
  const script = program(`
    import { openAside } from './aside.ts';
    process.umask(0o027);
    const aside = await openAside(process.argv[2]);
    await aside.commit('f', { durable: false, mode: undefined });
  `);
  execFileSync(process.execPath, [script, join(root, 'd')]);
  expect(statSync(join(root, 'd/f')).mode & 0o777).toBe(0o640);
});

test('a process killed at any moment leaves the whole old or the whole new content', { timeout: PATIENCE_MS }, async () => {
  const script = program(`
    import { openAside } from './aside.ts';
    const step = () => process.stdout.write('.');
    for (let round = 0; ; round += 1) {
      const aside = await openAside(process.argv[2]);
      step();
      for (let part = 0; part < 4; part += 1) {
        await aside.handle.write(Buffer.alloc(65_536, round % 2 ? 'a' : 'b'));
        step();
      }
      await aside.commit('f', { durable: round % 3 === 0, mode: undefined });
      step();
    }
  `);
  const wholes = new Set(['a', 'b'].map((letter) => letter.repeat(4 * 65_536)));
  writeFileSync(join(root, 'd/f'), 'a'.repeat(4 * 65_536));
  let interrupted = 0;
  for (let round = 0; round < 25; round += 1) {
    {
      await using writer = start(script, join(root, 'd'));
      await writer.steps(1 + Math.floor(Math.random() * 40));
    }
    expect(wholes.has(readFileSync(join(root, 'd/f'), 'utf8'))).toBe(true);
    interrupted += readdirSync(join(root, 'd')).length > 1 ? 1 : 0;
    for (const name of readdirSync(join(root, 'd'))) if (name !== 'f') rmSync(join(root, 'd', name));
  }
  expect(interrupted).toBeGreaterThan(0); // else no kill fell into a write
});

test('nothing escapes while another process swaps the directory for a link and back', { timeout: PATIENCE_MS }, async () => {
  mkdirSync(join(root, 'outside'));
  const script = program(`
    import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
    const [path, outside] = process.argv.slice(2);
    process.stdout.write('.');
    for (;;) {
      renameSync(path, path + '-moved');
      symlinkSync(outside, path);
      unlinkSync(path);
      renameSync(path + '-moved', path);
    }
  `);
  await using swapper = start(script, join(root, 'd'), join(root, 'outside'));
  await swapper.steps(1);
  const counts = { written: 0, refused: 0 };
  for (let id = 0; id < 200 || counts.written === 0 || counts.refused === 0; id += 1) {
    try {
      using directory = openDirectory(root, ['d']);
      await using aside = await openAside(directory.address());
      await aside.handle.writeFile('inside');
      await aside.commit(`f${id}`, { durable: false, mode: undefined });
      counts.written += 1;
    } catch (fault) {
      if (!(fault instanceof PathTraversalException) && codeOf(fault) !== 'ENOENT') throw fault;
      counts.refused += 1;
    }
  }
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
});
