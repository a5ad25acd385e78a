// FA_find_duplicates against jdupes: 100,000 small files, and 200 large ones.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { ensureData } from './data/ensure.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));
const CASES = [
  { set: 'a', bars: { action: 1, cli: 1.3 } },
  { set: 'b', bars: { action: 0.5, cli: 1.1 } },
];

export const run = async (report) => {
  const jdupes = demandProgram('jdupes');
  const work = mkdtempSync(join(outputFolder(), 'factotum-bench-'));
  const [theirs, ours] = [join(work, 'jdupes'), join(work, 'factotum')];
  const factotum = createFactotum({ log: { level: 'silent' } });
  try {
    for (const { set, bars } of CASES) {
      const root = ensureData(set);
      const find = async () => {
        const { ok, results } = await factotum.run([['FA_find_duplicates', { root }]]);
        if (!ok) throw new Error(JSON.stringify(results));
        return results[0].value;
      };
      const program = measureProgram([jdupes, '-q', '-r', root], theirs);
      const cli = measureProgram([process.execPath, CLI, 'exec', '--no-history', 'FA_find_duplicates', root], ours);
      program();
      demandEqual(await find(), groupsIn(readFileSync(theirs, 'utf8')));
      reportPairs(report, `duplicates/${set}/action`, bars.action, await inPairs(measureHere(find), program));
      reportPairs(report, `duplicates/${set}/cli`, bars.cli, await inPairs(cli, program));
    }
    report({ name: 'duplicates/memory', ours: process.resourceUsage().maxRSS / 1024, unit: 'MB', bar: 250 });
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};

/** Paths line by line, an empty line behind each group. */
const groupsIn = (text) =>
  text
    .split('\n\n')
    .map((group) => group.split('\n').filter((line) => line !== ''))
    .filter((group) => group.length > 0);

const demandEqual = (some, others) => {
  const lines = (groups) =>
    groups
      .map((group) => [...group].sort().join('\t'))
      .sort()
      .join('\n');
  if (lines(some) !== lines(others)) throw new Error(`the answers differ: ${some.length} and ${others.length} groups`);
};
