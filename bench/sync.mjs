// FA_sync_dir on trees that are already alike, by size and time and by content, against rsync: 100,000 small files and 200 large ones.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));

const CASES = [
  { name: 'nothing-to-do/a', set: 'a', files: 100_000, compare: 'size_mtime', words: ['-a', '--delete'], bars: [0.8, 1.1] },
  { name: 'checksum/a', set: 'a', files: 100_000, compare: 'checksum', words: ['-ac', '--delete'], bars: [0.8, 1] },
  { name: 'checksum/b', set: 'b', files: 200, compare: 'checksum', words: ['-ac', '--delete'], bars: [0.6, 0.8] },
];

export const run = async (report) => {
  demandProgram('rsync');
  const work = mkdtempSync(join(DATA_FOLDER, 'sync-'));
  const printed = join(mkdtempSync(join(outputFolder(), 'factotum-bench-')), 'printed');
  const factotum = createFactotum({ log: { level: 'silent' } });
  try {
    for (const set of ['a', 'b']) execFileSync('cp', ['-a', ensureData(set), join(work, set)]);
    for (const { name, set, files, compare, words, bars } of CASES) {
      const [src, dst] = [ensureData(set), join(work, set)];
      const sync = async () => {
        const { ok, results } = await factotum.run([['FA_sync_dir', { src, dst, compare, delete: true }]]);
        if (!ok) throw new Error(JSON.stringify(results));
        demandSame(results[0].value, files);
      };
      const peer = measureProgram(['rsync', ...words, `${src}/`, `${dst}/`], printed);
      const cli = measureProgram(
        [process.execPath, CLI, 'exec', '--no-history', 'FA_sync_dir', src, dst, '--compare', compare, '--delete'],
        printed,
      );
      reportPairs(report, `sync/${name}/action`, bars[0], await inPairs(measureHere(sync), peer));
      const checkedCli = () => {
        const figures = cli();
        demandSame(JSON.parse(readFileSync(printed, 'utf8')), files);
        return figures;
      };
      reportPairs(report, `sync/${name}/cli`, bars[1], await inPairs(checkedCli, peer));
    }
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
    rmSync(join(printed, '..'), { recursive: true });
  }
};

const demandSame = ({ totals }, files) => {
  if (totals.skipped !== files || totals.copied + totals.deleted + totals.failed > 0) throw new Error(JSON.stringify(totals));
};
