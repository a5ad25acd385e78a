// The data that benches work on, made once into bench/.data from fixed seeds; never committed.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLargeFiles } from './large-files.mjs';
import { writeManyFiles } from './many-files.mjs';
import { writeSmallFiles } from './small-files.mjs';
import { writeSourceFiles } from './source-files.mjs';

/** Part of the folder's name: raise it when a generator changes. */
const VERSION = 1;
const SETS = { a: writeSmallFiles, b: writeLargeFiles, c: writeSourceFiles, m: writeManyFiles };

export const DATA_FOLDER = fileURLToPath(new URL('../.data', import.meta.url));

/** The folder of a data set (`a`, `b`, `c` or `m`), made if it is missing. */
export const ensureData = (set) => {
  const folder = join(DATA_FOLDER, `${set}-${VERSION}`);
  if (existsSync(folder)) return folder;
  console.error(`making data set ${set} in ${folder}…`);
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  SETS[set](unfinished);
  renameSync(unfinished, folder);
  return folder;
};
