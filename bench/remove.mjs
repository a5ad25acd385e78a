// FA_remove_dir_tree against rm -rf: trees of 100,000 files in 2,000 directories.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';
import { inPairs, measureHere, measureProgram, ROUNDS, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));

export const run = async (report) => {
  const source = ensureData('a');
  const work = mkdtempSync(join(DATA_FOLDER, 'remove-'));
  const factotum = createFactotum({ log: { level: 'silent' } });
  // All are made before the first goes: making files right after deleting many is slow.
  const trees = Array.from({ length: 4 * (ROUNDS + 1) }, (_, at) => join(work, `${at}`));
  const removed = (measure) => async () => {
    const tree = trees.pop();
    const figures = await measure(tree);
    if (existsSync(tree)) throw new Error(`${tree} is still there`);
    return figures;
  };
  const peer = removed((tree) => measureProgram(['rm', '-rf', tree], '/dev/null')());
  const action = removed((tree) =>
    measureHere(async () => {
      const { ok, results } = await factotum.run([['FA_remove_dir_tree', [tree]]]);
      if (!ok) throw new Error(JSON.stringify(results));
    })(),
  );
  const cli = removed((tree) => measureProgram([process.execPath, CLI, 'exec', '--no-history', 'FA_remove_dir_tree', tree], '/dev/null')());
  try {
    for (const tree of trees) execFileSync('cp', ['-a', source, tree]);
    execFileSync('sync');
    reportPairs(report, 'remove/a/action', 1.2, await inPairs(action, peer));
    reportPairs(report, 'remove/a/cli', 1.4, await inPairs(cli, peer));
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};
