// FA_grep against ripgrep: 1 GB of source-like text, a literal in 309 lines and one in 309,151.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { ensureData } from './data/ensure.mjs';
import { FREQUENT_LINES, FREQUENT_WORD, RARE_LINES, RARE_WORD } from './data/source-files.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));
const MOST = 1_000_000;

export const run = async (report) => {
  const root = ensureData('c');
  const rg = demandProgram('rg');
  const work = mkdtempSync(join(outputFolder(), 'factotum-bench-'));
  const [theirs, ours] = [join(work, 'rg'), join(work, 'factotum')];
  const factotum = createFactotum({ log: { level: 'silent' } });
  const grep = async (pattern) => {
    const { ok, results } = await factotum.run([['FA_grep', { root, pattern, max_matches: MOST }]]);
    if (!ok) throw new Error(JSON.stringify(results));
    return results[0].value;
  };
  const cases = [
    { name: 'few', word: RARE_WORD, lines: RARE_LINES, bars: [1, 1.8] },
    { name: 'many', word: FREQUENT_WORD, lines: FREQUENT_LINES, bars: [1.6, 2.5] },
  ];
  try {
    for (const { name, word, lines, bars } of cases) {
      const program = measureProgram([rg, '-uu', '-n', word, root], theirs);
      await program();
      demandEqual(await grep(word), readFileSync(theirs, 'utf8').trimEnd().split('\n'), lines);
      reportPairs(
        report,
        `grep/${name}/action`,
        bars[0],
        await inPairs(
          measureHere(() => grep(word)),
          program,
        ),
      );
      const cli = measureProgram(
        [process.execPath, CLI, 'exec', '--no-history', 'FA_grep', root, word, '--max-matches', String(MOST)],
        ours,
      );
      await cli();
      demandEqual(JSON.parse(readFileSync(ours, 'utf8')), readFileSync(theirs, 'utf8').trimEnd().split('\n'), lines);
      reportPairs(report, `grep/${name}/cli`, bars[1], await inPairs(cli, program));
    }
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};

const demandEqual = (matches, printed, lines) => {
  const said = matches.map(({ path, line, text }) => `${path}:${line}:${text}`).sort();
  if (said.length !== lines || said.join('\n') !== [...printed].sort().join('\n'))
    throw new Error(`the answers differ: ${said.length}, ${printed.length}, ${lines}`);
};
