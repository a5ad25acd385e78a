import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';

/** The programs of the page as one: what they import and declare at the top, each in a block of its own below the first. */
const programOf = (page: string): string => {
  const [first = '', ...others] = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block);
  const isImport = /^import .*\n|^declare module [\s\S]*?^}\n/gm;
  const imports = [first, ...others].flatMap((block) => block.match(isImport) ?? []);
  const [start, ...blocks] = [first, ...others].map((block) => block.replace(isImport, ''));
  const door = JSON.stringify(resolve('src/client/index.ts'));
  return [...imports, start, ...blocks.map((block) => `{\n${block}}\n`)].join('').replaceAll("'factotum/client'", door);
};

test('the programs of the how-to page compile', { timeout: 180_000 }, async () => {
  const program = programOf(readFileSync('docs/how-to/client.md', 'utf8'));
  expect(program).toContain('client.call');
  using dir = tempDir({
    'program.ts': program,
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({
      extends: resolve('tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')], rewriteRelativeImportExtensions: false, noUnusedLocals: false },
      include: ['program.ts'],
    }),
  });
  const checked = promisify(execFile)(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', dir.path]);
  expect(await checked.catch(({ stdout }: { stdout: string }) => ({ stdout, stderr: '' }))).toEqual({ stdout: '', stderr: '' });
});
