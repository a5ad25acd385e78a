// First copies of whole trees, FA_copy_dir and FA_sync_dir against cp -a: 100,000 small files and 200 large ones.
// Every copy goes to a fresh place; small files are deleted at the very end, because making files right after deleting many is slow.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';
import { inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));

export const run = async (report) => {
  const work = mkdtempSync(join(DATA_FOLDER, 'copy-'));
  const factotum = createFactotum({ log: { level: 'silent' } });
  let copies = 0;
  try {
    for (const set of ['a', 'b']) {
      const source = ensureData(set);
      /** Measures a copy to a fresh place; the first is compared with its source, large files do not pile up. */
      const fresh = (measure) => {
        let isChecked = false;
        return async () => {
          copies += 1;
          const target = join(work, `${set}-${copies}`);
          const figures = await measure(target);
          if (!isChecked) execFileSync('diff', ['-rq', source, target]);
          isChecked = true;
          if (set === 'b') rmSync(target, { recursive: true });
          return figures;
        };
      };
      const peer = fresh((target) => measureProgram(['cp', '-a', source, target], '/dev/null')());
      const action = (name) =>
        fresh((target) =>
          measureHere(async () => {
            const { ok, results } = await factotum.run([[name, [source, target]]]);
            if (!ok) throw new Error(JSON.stringify(results));
          })(),
        );
      const cli = (name) =>
        fresh((target) => measureProgram([process.execPath, CLI, 'exec', '--no-history', name, source, target], '/dev/null')());
      reportPairs(report, `copy/copy_dir/${set}/action`, 1, await inPairs(action('FA_copy_dir'), peer));
      reportPairs(report, `copy/sync_dir/${set}/action`, 1, await inPairs(action('FA_sync_dir'), peer));
      reportPairs(report, `copy/sync_dir/${set}/cli`, 1.2, await inPairs(cli('FA_sync_dir'), peer));
    }
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};
