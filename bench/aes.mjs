// FA_encrypt_file on 1 GiB against age and openssl; all write to the disk and sync.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER } from './data/ensure.mjs';
import { createRandom, fillRandom } from './data/random.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const BLOCKS = 1024;
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const OPENSSL = `openssl enc -aes-256-ctr -K ${KEY} -iv 00112233445566778899aabbccddeeff -in plain -out peer && sync peer`;

const writePlain = (path) => {
  const random = createRandom(0xae5);
  const block = fillRandom(Buffer.allocUnsafeSlow(1 << 20), random);
  const file = openSync(path, 'w');
  for (let turn = 0; turn < BLOCKS; turn += 1) {
    block.writeUInt32LE(turn, 0);
    writeSync(file, block);
  }
  closeSync(file);
};

/** age wants a recipient: a key of its own for this bench. */
const ageLine = (cwd) => {
  const { stderr } = spawnSync('age-keygen', ['-o', join(cwd, 'age.key')], { encoding: 'utf8' });
  return `age -r ${stderr.trim().split(' ').at(-1)} -o peer plain && sync peer`;
};

export const run = async (report) => {
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'aes-'));
  const factotum = createFactotum({ cwd, log: { level: 'silent' } });
  const command = async (name, args) => {
    const { ok, results } = await factotum.run([[name, args]]);
    if (!ok) throw new Error(JSON.stringify(results[0].error));
  };
  const ours = () => command('FA_encrypt_file', { source: 'plain', target: 'ours', key: { hex: KEY } });
  try {
    writePlain(join(cwd, 'plain'));
    const peers = [
      { name: 'age', bar: 0.6, line: ageLine },
      { name: 'openssl', bar: 0.8, line: () => OPENSSL },
    ];
    for (const { name, bar, line } of peers) {
      demandProgram(name);
      const peer = measureProgram(['sh', '-c', `cd '${cwd}' && ${line(cwd)}`], '/dev/null');
      reportPairs(report, `aes/${name}`, bar, await inPairs(measureHere(ours), peer));
    }
    await command('FA_decrypt_file', { source: 'ours', target: 'back', key: { hex: KEY } });
    if (spawnSync('cmp', ['plain', 'back'], { cwd }).status !== 0) throw new Error('what was decrypted is not what was encrypted');
  } finally {
    await factotum.close();
    rmSync(cwd, { recursive: true });
  }
};
