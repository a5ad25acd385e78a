// How long the command line takes from start to exit, against Node doing nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = 25;
const BIN = fileURLToPath(new URL('../dist/bin/factotum.cjs', import.meta.url));

/** Extra certificates would be read at every start, and on a small process that is most of its time. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const time = (args, cwd) => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}: ${stderr}`);
  return performance.now() - started;
};

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const run = async (report) => {
  const cwd = mkdtempSync(join(tmpdir(), 'factotum-bench-'));
  try {
    writeFileSync(join(cwd, 'stat.json'), '[["FA_stat", {"path": "stat.json"}]]');
    writeFileSync(join(cwd, 'create-file.json'), '[["FA_create_file", {"file_path": "a.txt", "content": "hello"}]]');
    const figures = [
      { name: 'start-up/version', bar: 1.3, args: [BIN, '--version'] },
      { name: 'start-up/run-stat', bar: 1.8, args: [BIN, 'run', '--no-history', 'stat.json'] },
      { name: 'start-up/run-create-file', bar: 1.8, args: [BIN, 'run', '--no-history', 'create-file.json'] },
    ].map((figure) => ({ ...figure, ours: [], peers: [] }));
    for (const { args } of figures) time(args, cwd); // the first start compiles and keeps the code
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { args, ours, peers } of figures) {
        const timePeer = () => peers.push(time(['-e', '0'], cwd));
        if (round % 2 === 0) timePeer();
        ours.push(time(args, cwd));
        if (round % 2 === 1) timePeer();
      }
    }
    for (const { name, bar, ours, peers } of figures) {
      report({ name, ours: median(ours), peer: median(peers), unit: 'ms', bar, value: median(ours.map((each, at) => each / peers[at])) });
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
};
