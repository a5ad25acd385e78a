// FA_fast_find without an index against fd: 100,000 files in 2,000 directories.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFactotum } from '../dist/index.js';
import { ensureData } from './data/ensure.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));

export const run = async (report) => {
  const root = ensureData('a');
  const fd = demandProgram('fdfind', 'fd');
  const work = mkdtempSync(join(outputFolder(), 'factotum-bench-'));
  const [theirs, ours] = [join(work, 'fd'), join(work, 'factotum')];
  const factotum = createFactotum({ log: { level: 'silent' } });
  const find = async (args) => {
    const { ok, results } = await factotum.run([['FA_fast_find', { root, use_index: false, ...args }]]);
    if (!ok) throw new Error(JSON.stringify(results));
    return results[0].value;
  };
  const cases = [
    { name: 'all', args: { files_only: false }, words: ['--no-files-only'], peer: [fd, '-u', '.', root], bars: [1, 2] },
    {
      name: 'extension',
      args: { pattern: '*.ts' },
      words: ['--pattern', '*.ts'],
      peer: [fd, '-u', '-t', 'f', '-e', 'ts', '.', root],
      bars: [1, 2],
    },
  ];
  try {
    for (const { name, args, words, peer, bars } of cases) {
      const program = measureProgram(peer, theirs);
      const found = await find(args);
      await program();
      demandEqual(
        found,
        readFileSync(theirs, 'utf8')
          .trimEnd()
          .split('\n')
          .map((path) => path.replace(/\/$/, '')),
      );
      reportPairs(
        report,
        `find/${name}/action`,
        bars[0],
        await inPairs(
          measureHere(() => find(args)),
          program,
        ),
      );
      const cli = measureProgram([process.execPath, CLI, 'exec', '--no-history', 'FA_fast_find', root, '--no-use-index', ...words], ours);
      await cli();
      demandEqual(readFileSync(ours, 'utf8').trimEnd().split('\n'), found);
      reportPairs(report, `find/${name}/cli`, bars[1], await inPairs(cli, program));
    }
  } finally {
    await factotum.close();
    rmSync(work, { recursive: true });
  }
};

const demandEqual = (some, others) => {
  if (some.length !== others.length || [...some].sort().join('\n') !== [...others].sort().join('\n')) {
    throw new Error(`the answers differ: ${some.length} and ${others.length}`);
  }
};
