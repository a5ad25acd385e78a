// Declarations of the doors: those files that a program which imports the package can reach, and no others.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const DOORS = ['index.d.ts', 'spec.d.ts', join('client', 'index.d.ts')];
const ARRAYS = /\b(\w*Array|Buffer|DataView)<ArrayBuffer(?:Like)?>/g;
const IMPORTS = /(\bfrom |\bimport\(|\bimport )(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

export const buildTypes = async (folder) => {
  const tsc = ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder];
  await promisify(execFile)(process.execPath, tsc);
  const reached = new Set();
  for (const door of DOORS) await reach(join(folder, door), reached);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { parentPath, path, name } of files) {
    const file = join(parentPath ?? path, name);
    if (!reached.has(file)) await rm(file);
  }
  await removeEmpty(folder);
};

/** TypeScript leaves the endings of imports in declarations as they are written, and writes arrays of bytes as only 5.7 and newer read them. */
const reach = async (file, reached) => {
  if (reached.has(file)) return;
  reached.add(file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(IMPORTS, '$1$2$3.js$2').replace(ARRAYS, '$1'));
  for (const [, , , target] of text.matchAll(IMPORTS)) {
    const next = join(dirname(file), `${target}.d.ts`);
    if (existsSync(next)) await reach(next, reached);
    else throw new Error(`${file} imports ${target}, of which there is no declaration`);
  }
};

const removeEmpty = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
};
