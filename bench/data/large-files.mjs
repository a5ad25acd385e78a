// Set B: 200 files, 2.15 GB, 30 of them in 10 groups of three equal files.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, fillRandom } from './random.mjs';

const FILES = 200;
const FOLDERS = 10;
const BYTES = 10_750_000;
const TWIN_GROUPS = 10;
const TWINS_PER_GROUP = 3;
const BLOCK = 1 << 20;

export const writeLargeFiles = (root) => {
  const random = createRandom(0xb);
  const block = fillRandom(Buffer.allocUnsafeSlow(BLOCK), random);
  for (let file = 0; file < FILES; file += 1) {
    const folder = join(root, `folder-${file % FOLDERS}`);
    mkdirSync(folder, { recursive: true });
    const isTwin = file < TWIN_GROUPS * TWINS_PER_GROUP;
    const mark = isTwin ? file % TWIN_GROUPS : file;
    // Equal sizes for all, so that nothing but the content tells them apart.
    const fd = openSync(join(folder, `large-${String(file).padStart(3, '0')}.bin`), 'w');
    for (let done = 0, turn = 0; done < BYTES; turn += 1) {
      block.writeUInt32LE(mark * 1_000 + turn, 512);
      done += writeSync(fd, block, 0, Math.min(BLOCK, BYTES - done));
    }
    closeSync(fd);
  }
};
