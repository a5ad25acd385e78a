// Set A: 100,000 files of 1 to 8 kB in 2,000 directories, 5,000 of them in 50 groups of equal files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, fillRandom } from './random.mjs';

const FILES = 100_000;
const FOLDERS = 2_000;
const FILES_PER_FOLDER = FILES / FOLDERS;
const FOLDERS_PER_BRANCH = 50;
const TWINS = 5_000;
const TWIN_GROUPS = 50;
const ENDINGS = ['txt', 'json', 'ts', 'md', 'log', 'csv', 'png', 'bin'];

export const writeSmallFiles = (root) => {
  const random = createRandom(0xa);
  const bytes = fillRandom(Buffer.allocUnsafeSlow(1 << 20), random);
  /** A stretch of the random bytes; the number at its start makes every file its own. */
  const content = (mark) => {
    const size = 1024 + random(7 * 1024);
    const piece = Buffer.from(bytes.subarray(random(bytes.length - size)).subarray(0, size));
    piece.writeUInt32LE(mark, 0);
    return piece;
  };
  const twins = Array.from({ length: TWIN_GROUPS }, (_, group) => content(0xffff_0000 + group));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(root, `branch-${pad(Math.floor(folder / FOLDERS_PER_BRANCH), 3)}`, `folder-${pad(folder, 4)}`);
    mkdirSync(path, { recursive: true });
    for (let at = 0; at < FILES_PER_FOLDER; at += 1) {
      const file = folder * FILES_PER_FOLDER + at;
      const name = `file-${pad(file, 6)}.${ENDINGS[random(ENDINGS.length)]}`;
      const isTwin = file % (FILES / TWINS) === 0;
      writeFileSync(join(path, name), isTwin ? twins[(file / (FILES / TWINS)) % TWIN_GROUPS] : content(file));
    }
  }
};

const pad = (number, width) => String(number).padStart(width, '0');
