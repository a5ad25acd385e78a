// FA_write_manifest against programs that make digests on two cores: sha256sum for 100,000 small files, openssl for 200 large ones.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { ensureData } from './data/ensure.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));
/** In a process of its own, because the memory of this one is measured. */
const CHECK = fileURLToPath(new URL('measure/same-digests.mjs', import.meta.url));
const CASES = [
  { set: 'a', program: 'sha256sum', words: 'sha256sum', atOnce: 500, bars: { action: 0.45, cli: 0.6 } },
  { set: 'b', program: 'openssl', words: 'openssl dgst -sha256 -r', atOnce: 10, bars: { action: 1, cli: 1.1 } },
];

export const run = async (report) => {
  const work = mkdtempSync(join(outputFolder(), 'factotum-bench-'));
  const [theirs, ours] = [join(work, 'peer'), join(work, 'factotum')];
  const manifest = join(work, 'manifest.json');
  const factotum = createFactotum({ log: { level: 'silent' } });
  try {
    for (const { set, program, words, atOnce, bars } of CASES) {
      demandProgram(program);
      const root = ensureData(set);
      const write = async () => {
        const { ok, results } = await factotum.run([['FA_write_manifest', { root, manifest_path: manifest }]]);
        if (!ok) throw new Error(JSON.stringify(results));
      };
      const script = `find "$1" -type f -print0 | xargs -0 -P2 -n${atOnce} ${words}`;
      const peer = measureProgram(['sh', '-c', script, 'sh', root], theirs);
      const cli = measureProgram([process.execPath, CLI, 'exec', '--no-history', '--quiet', 'FA_write_manifest', root, manifest], ours);
      peer();
      await write();
      execFileSync(process.execPath, [CHECK, manifest, theirs, root], { stdio: 'inherit' });
      reportPairs(report, `manifest/${set}/action`, bars.action, await inPairs(measureHere(write), peer));
      reportPairs(report, `manifest/${set}/cli`, bars.cli, await inPairs(cli, peer));
    }
    report({ name: 'manifest/memory', ours: process.resourceUsage().maxRSS / 1024, unit: 'MB', bar: 250 });
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};
