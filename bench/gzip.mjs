// FA_create_tar with gz on one file of 200 MB against pigz on two threads.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const BYTES = 200_000_000;
const LINE = 'pigz -p2 -6 -k -c text > peer.gz && sync peer.gz';

/** The files of the source-like set, one behind the other. */
const writeText = (path, data) => {
  const file = openSync(path, 'w');
  let done = 0;
  for (const name of readdirSync(data, { recursive: true }).sort()) {
    const source = join(data, name);
    if (done >= BYTES) break;
    if (statSync(source).isFile()) done += writeSync(file, readFileSync(source));
  }
  closeSync(file);
};

export const run = async (report) => {
  demandProgram('pigz');
  const cwd = mkdtempSync(join(DATA_FOLDER, 'gzip-'));
  const factotum = createFactotum({ cwd, log: { level: 'silent' } });
  const pack = async () => {
    const { ok, results } = await factotum.run([['FA_create_tar', { source: 'text', target: 'ours.tgz' }]]);
    if (!ok) throw new Error(JSON.stringify(results[0].error));
  };
  try {
    writeText(join(cwd, 'text'), ensureData('c'));
    const peer = measureProgram(['sh', '-c', `cd '${cwd}' && ${LINE}`], '/dev/null');
    reportPairs(report, 'gzip/pigz', 0.9, await inPairs(measureHere(pack), peer));
    const sizeOf = (name) => statSync(join(cwd, name)).size / 1e6;
    report({ name: 'gzip/pigz/size', ours: sizeOf('ours.tgz'), peer: sizeOf('peer.gz'), unit: 'MB', bar: 1.02 });
    execFileSync('gzip', ['-t', 'ours.tgz'], { cwd });
    execFileSync('sh', ['-c', 'tar -xzOf ours.tgz text | cmp - text'], { cwd });
  } finally {
    await factotum.close();
    rmSync(cwd, { recursive: true });
  }
};
