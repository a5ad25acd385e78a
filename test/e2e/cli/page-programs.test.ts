import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { builtPackage } from './built.ts';

/** The programs of a page, in order. */
const programsOf = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, program = '']) => program);

/** Runs a program in an empty project that has the package; gives what it prints. */
const outputOf = async (program: string, files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { code } = await transform(program, { loader: 'ts', format: 'esm', target: 'node20' });
  using project = tempDir({ 'package.json': '{"type":"module"}', 'program.js': code, ...files });
  mkdirSync(project.at('node_modules'));
  symlinkSync(builtPackage, project.at('node_modules/factotum'));
  const { stdout } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: project.path });
  return stdout;
};

describe('the programs of docs/how-to/library.md print what the page says', () => {
  const programs = programsOf('docs/how-to/library.md', 'ts');
  test.each(programs.map((program, at) => [at + 1, program] as const))('program %i', async (_, program) => {
    const shown = [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => `${line}\n`);
    expect(shown.length).toBeGreaterThan(0);
    expect(await outputOf(program)).toBe(shown.join(''));
  });
});

test('the program of the first page runs', async () => {
  const [program = '', ...others] = programsOf('README.md', 'js');
  expect(others).toEqual([]);
  expect(await outputOf(program, { 'a.txt': 'hello' })).toBe('ok true\n');
});
