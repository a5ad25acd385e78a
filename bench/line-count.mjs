// FA_line_count on 200 MB of text against wc -l.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER } from './data/ensure.mjs';
import { createRandom } from './data/random.mjs';
import { outputFolder } from './measure/output-folder.mjs';
import { inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const BYTES = 200_000_000;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa'];

const writeText = (path) => {
  const random = createRandom(0x11e);
  const line = () => `${Array.from({ length: 2 + random(16) }, () => WORDS[random(WORDS.length)]).join(' ')}\n`;
  const block = Buffer.from(Array.from({ length: 20_000 }, line).join(''));
  const file = openSync(path, 'w');
  for (let done = 0; done < BYTES; ) done += writeSync(file, block);
  closeSync(file);
};

export const run = async (report) => {
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'lines-'));
  const factotum = createFactotum({ cwd, log: { level: 'silent' } });
  try {
    writeText(join(cwd, 'text'));
    const expected = Number.parseInt(execFileSync('wc', ['-l', 'text'], { cwd, encoding: 'utf8' }), 10);
    const ours = async () => {
      const { results } = await factotum.run([['FA_line_count', { file_path: 'text' }]]);
      if (results[0].value !== expected) throw new Error(`${JSON.stringify(results[0])} instead of ${expected} lines`);
    };
    const peer = measureProgram(['wc', '-l', join(cwd, 'text')], join(outputFolder(), 'factotum-bench-lines'));
    reportPairs(report, 'line-count/wc', 1.2, await inPairs(measureHere(ours), peer));
  } finally {
    await factotum.close();
    rmSync(cwd, { recursive: true });
  }
};
