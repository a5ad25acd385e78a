import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { leftovers } from '../files/ports.ts';
import { snapshot } from './snapshot.ts';

const trial = trialOf('killed-synchronisations');
const KILLS = trial.count;
const LONGEST_LIFE_MS = 400;
const FILES = 6_000;

/** A script with worker threads that a plain child process can run. */
const bundleWithThreads = async (): Promise<{ readonly path: string } & Disposable> => {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-child-'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  await build({
    entryPoints: {
      main: new URL('./child.ts', import.meta.url).pathname,
      'pool.worker': new URL('../../../src/lib/workers/pool.worker.ts', import.meta.url).pathname,
    },
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return { path: join(folder, 'main.js'), [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};

/** Runs the script; kills it after a random time where it is told to. */
const runChild = async (script: string, words: readonly string[], { isKilled }: { readonly isKilled: boolean }): Promise<string> => {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  await once(child.stdout, 'data');
  const timer = isKilled ? setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS) : undefined;
  await once(child, 'close');
  clearTimeout(timer);
  return said.slice('ready'.length);
};

/** Files at the target that are not whole. */
const halvesIn = (target: string, source: string): string[] =>
  readdirSync(target, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.factotum-')) return [];
    const [at, from] = [join(target, entry.name), join(source, entry.name)];
    if (entry.isDirectory()) return halvesIn(at, from);
    return readFileSync(at).equals(readFileSync(from)) ? [] : [at];
  });

test(`a synchronisation that was killed ${KILLS} times shows whole files only, and the next one finishes the job`, {
  timeout: 240_000,
}, async () => {
  using script = await bundleWithThreads();
  using dir = tempDir();
  const names = Array.from({ length: FILES }, (_, at) => `s/${at % 40}/${at % 7}/${at}`);
  for (const [at, name] of names.entries()) {
    dir.write(name, `${at} `.repeat(at % 900));
    utimesSync(dir.at(name), 1_600_000_000, 1_600_000_000);
  }
  const words = [dir.at('s'), dir.at('d')];
  dir.write('d/extra', 'goes');
  for (let round = 0; round < KILLS; round += 1) {
    await runChild(script.path, words, { isKilled: true });
    trial.did();
    rmSync(dir.at('d/extra'), { force: true });
    expect(halvesIn(dir.at('d'), dir.at('s'))).toEqual([]);
  }
  const report = await runChild(script.path, words, { isKilled: false });
  expect(JSON.parse(report)).toMatchObject({ status: 'ok', value: { errors: [], deleted: [] } });
  expect(leftovers(dir.at('d'))).toEqual([]);
  const again = await runChild(script.path, words, { isKilled: false });
  expect(JSON.parse(again)).toMatchObject({ value: { totals: { copied: 0, skipped: FILES, deleted: 0, failed: 0 } } });
  const looks = (tree: string) => snapshot(tree).map((line) => line.replace(/^(.*\/) ([0-7]+) \d+$/, '$1 $2'));
  expect(looks(dir.at('d'))).toEqual(looks(dir.at('s')));
});
