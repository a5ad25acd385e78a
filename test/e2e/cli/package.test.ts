import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { builtPackage, factotum, manifest } from './built.ts';

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('packed, and installed in an empty folder, the command runs and every subpath can be imported', { timeout: 240_000 }, () => {
  using dir = tempDir({ 'app/package.json': '{"private": true}', 'app/list.json': '[["FA_create_file", ["a.txt", "hello"]]]' });
  const app = dir.at('app');
  factotum(['run', '-'], { input: '[]' }); // leaves a code cache, which is not for other machines
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', dir.path], builtPackage));
  const paths: string[] = packed.files.map(({ path }: { readonly path: string }) => path);
  expect(paths).toContain('dist/index.js');
  expect(paths.filter((path) => path.includes('cache'))).toEqual([]);
  npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', dir.at(packed.filename)], app);

  const bin = join(app, 'node_modules', '.bin', 'factotum');
  expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toBe(`${manifest.version}\n`);
  expect(execFileSync(bin, ['run', 'list.json'], { cwd: app, encoding: 'utf8' })).toContain('1 ok');
  expect(dir.read('app/a.txt')).toBe('hello');

  // A subpath that leads to null is reserved: nothing is there yet, and nothing else can take its place.
  const subpaths = Object.entries(manifest.exports).flatMap(([path, door]) => (door === null || path.endsWith('.json') ? [] : [path]));
  expect(subpaths.length).toBeGreaterThan(1);
  for (const path of subpaths) {
    const script = `import(${JSON.stringify(path.replace('.', 'factotum'))}).then((door) => console.log(Object.keys(door).length > 0))`;
    expect(execFileSync(process.execPath, ['-e', script], { cwd: app, encoding: 'utf8' }), path).toBe('true\n');
  }
});

test('the declarations stand by themselves', { timeout: 120_000 }, () => {
  const stage = mkdtempSync(join(dirname(builtPackage), 'types-'));
  try {
    const build = spawnSync(process.execPath, ['scripts/build.mjs', '--out', join(stage, 'dist')], { encoding: 'utf8' });
    expect(build).toMatchObject({ status: 0, stderr: '' });
    const doors = ['index', 'spec'].map((name) => join(stage, 'dist', 'types', `${name}.d.ts`));
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
      '--types',
      'node',
    ];
    const check = spawnSync(process.execPath, [resolve('node_modules/typescript-7/bin/tsc'), ...flags, ...doors], { encoding: 'utf8' });
    expect(check).toMatchObject({ status: 0, stdout: '' });
  } finally {
    rmSync(stage, { recursive: true });
  }
});

test('what is bundled is named with its licence', () => {
  expect(readFileSync(join(builtPackage, 'THIRD-PARTY-NOTICES.md'), 'utf8')).toMatch(/## commander [\d.]+ \(MIT\)\n\n {4}/);
});
