// FA_zip_dir on 160 MB of source-like text against zip and 7z, each at a level that gives an archive of about the same size.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER, ensureData } from './data/ensure.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

/** 3,150 files of the set. */
const PACKAGES = ['package-00', 'package-01', 'package-02'];
/** An archive may be this much larger than the peer's and still count as of like size. */
const LIKE_SIZE = 1.05;
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const PEERS = [
  { name: 'zip', bar: 0.4, line: 'zip -q -r -6 peer.zip tree' },
  { name: '7z', bar: 0.8, line: '7z a -bso0 -bsp0 -tzip -mx=3 -mmt=2 peer.zip tree' },
];

export const run = async (report) => {
  const data = ensureData('c');
  const cwd = mkdtempSync(join(DATA_FOLDER, 'zip-'));
  const factotum = createFactotum({ cwd, log: { level: 'silent' } });
  const pack = async (level) => {
    const { ok, results } = await factotum.run([['FA_zip_dir', { dir_we_want_to_zip: 'tree', zip_name: 'ours.zip', level }]]);
    if (!ok) throw new Error(JSON.stringify(results[0].error));
  };
  const sizeOf = (name) => statSync(join(cwd, name)).size;
  try {
    execFileSync('mkdir', ['tree'], { cwd });
    execFileSync('cp', ['-al', ...PACKAGES.map((name) => join(data, name)), 'tree'], { cwd });
    for (const { name, bar, line } of PEERS) {
      demandProgram(name);
      const peer = measureProgram(['sh', '-c', `cd '${cwd}' && rm -f peer.zip && ${line} && sync peer.zip`], '/dev/null');
      peer();
      const level = await fastestLevel(pack, () => sizeOf('ours.zip') <= sizeOf('peer.zip') * LIKE_SIZE);
      reportPairs(
        report,
        `zip/${name}`,
        bar,
        await inPairs(
          measureHere(() => pack(level)),
          peer,
        ),
      );
      report({ name: `zip/${name}/size`, ours: sizeOf('ours.zip') / 1e6, peer: sizeOf('peer.zip') / 1e6, unit: 'MB', bar: LIKE_SIZE });
      execFileSync('unzip', ['-tqq', 'ours.zip'], { cwd });
    }
  } finally {
    await factotum.close();
    rmSync(cwd, { recursive: true });
  }
};

const fastestLevel = async (pack, isLikeSize) => {
  for (const level of LEVELS) {
    await pack(level);
    if (isLikeSize()) return level;
  }
  throw new Error('no level gives an archive as small as that of the peer');
};
