import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../support/temp-dir.ts';

/** No single input takes a reader so long; the machine may be busy. */
const SILENCE_MS = 30_000;
const FOUND = new URL('./found/', import.meta.url).pathname;

/** How many inputs a child has checked; throws where one broke it, and keeps that one. */
export const runChild = async (script: string, name: string, words: readonly string[]): Promise<number> => {
  using dir = tempDir();
  const child = spawn(process.execPath, ['--max-old-space-size=600', script, name, dir.path, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  let count = 0;
  let isSilent = false;
  const give = () => {
    isSilent = true;
    child.kill('SIGKILL');
  };
  let patience = setTimeout(give, SILENCE_MS);
  child.stdout.on('data', (text) => {
    count = Number(String(text).trimEnd().split('\n').at(-1));
    clearTimeout(patience);
    patience = setTimeout(give, SILENCE_MS);
  });
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  const [code, signal] = await once(child, 'exit');
  clearTimeout(patience);
  if (code === 0) return count;
  const kept = keep(name, dir.at('current'));
  throw new Error(`${isSilent ? `no answer for ${SILENCE_MS} ms` : `ended by ${code ?? signal}`}, input kept as ${kept}\n${complaints}`);
};

/** Becomes part of what every test run replays. */
const keep = (name: string, file: string): string => {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const kept = join('found', name, hash);
  mkdirSync(join(FOUND, name), { recursive: true });
  copyFileSync(file, join(FOUND, name, hash));
  return kept;
};
