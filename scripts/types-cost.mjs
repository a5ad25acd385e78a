// npm run types: what the declarations cost a program that imports the library, above an empty project. Prints; decides nothing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, installPackages, root } from './setup.mjs';

const ROUNDS = 5;
const PROGRAMS = {
  empty: 'export {};\n',
  library: `import { call, createFactotum, executeAction } from 'factotum';
export const factotum = createFactotum();
export const stat = call('FA_stat', { path: 'a' });
export const result = executeAction([['FA_copy_file', { file_path: 'a', target_path: 'b' }], ['FA_if_exists', { path: 'x', then: [['FA_copy_file', ['a', 'b']]] }]]);
`,
  client: `import { HTTPActionClient } from 'factotum/client';
export const stat = new HTTPActionClient('http://127.0.0.1:9944').call('FA_stat', { path: 'a' });
`,
};

installPackages();
buildIfStale();
const app = mkdtempSync(join(root, 'node_modules', '.factotum-types-cost-'));
process.on('exit', () => rmSync(app, { recursive: true, force: true }));
const installed = join(app, 'node_modules', 'factotum');
mkdirSync(join(installed, 'dist'), { recursive: true });
copyFileSync(join(root, 'package.json'), join(installed, 'package.json'));
symlinkSync(join(root, 'dist', 'types'), join(installed, 'dist', 'types'));
symlinkSync(join(root, 'node_modules', '@types'), join(app, 'node_modules', '@types'));
writeFileSync(join(app, 'package.json'), '{"type":"module"}');
const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'es2022',
  lib: ['es2022', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: true,
  preserveSymlinks: true,
};
for (const [name, text] of Object.entries(PROGRAMS)) {
  writeFileSync(join(app, `${name}.ts`), text);
  writeFileSync(join(app, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
}

/** The compiler's own account of one check, in seconds. */
const check = (compiler, name) => {
  const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--extendedDiagnostics', '-p', `${name}.json`], { cwd: app, encoding: 'utf8' });
  if (/error TS/.test(stdout)) throw new Error(stdout);
  return Number(/^Total time:\s+([\d.]+)s/m.exec(stdout)?.[1]);
};

const types = join(root, 'dist', 'types');
const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
const bytes = files.reduce((sum, file) => sum + statSync(join(types, file)).size, 0);
console.log(`declarations: ${files.length} files, ${(bytes / 1000).toFixed(0)} kB`);
for (const [version, compiler] of [
  ['6', 'typescript'],
  ['7', 'typescript-7'],
]) {
  const best = {};
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of Object.keys(PROGRAMS)) best[name] = Math.min(best[name] ?? Infinity, check(compiler, name));
  for (const name of ['library', 'client'])
    console.log(
      `TypeScript ${version}: ${name} ${(best[name] - best.empty).toFixed(2)} s above an empty project (${best.empty.toFixed(2)} s)`,
    );
}
