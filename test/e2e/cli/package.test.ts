import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPackage, factotum, manifest } from './built.ts';

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** An empty project with nothing but the package in it. Its install scripts do not run: there are none that it needs. */
let app: string;
let paths: readonly string[];
beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'packed-'));
  writeFileSync(join(app, 'package.json'), '{"private": true}');
  factotum(['run', '-'], { input: '[]' }); // leaves a code cache, which is not for other machines
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', app], builtPackage));
  paths = packed.files.map(({ path }: { readonly path: string }) => path);
  npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', join(app, packed.filename)], app);
});
afterAll(() => rmSync(app, { recursive: true }));

test('the command runs, and every subpath can be imported', () => {
  const bin = join(app, 'node_modules', '.bin', 'factotum');
  expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toBe(`${manifest.version}\n`);
  // A subpath that leads to null is reserved: nothing is there yet, and nothing else can take its place.
  const subpaths = Object.entries(manifest.exports).flatMap(([path, door]) => (door === null || path.endsWith('.json') ? [] : [path]));
  expect(subpaths.length).toBeGreaterThan(1);
  const imports = subpaths.map((path) => `Object.keys(await import(${JSON.stringify(path.replace('.', 'factotum'))})).length > 0`);
  const script = `(async () => console.log(JSON.stringify([${imports.join()}])))()`;
  const answer: unknown = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: app, encoding: 'utf8' }));
  expect(answer).toEqual(subpaths.map(() => true));
});

test('an error of the client is of the same class as one of the library', () => {
  const script = `(async () => {
    const [{ errors }, client] = await Promise.all([import('factotum'), import('factotum/client')]);
    const fault = await new client.HTTPActionClient('http://127.0.0.1:9', { timeoutMs: 1, fetch: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) }).health().catch((each) => each);
    console.log(fault instanceof errors.TimeoutException, fault instanceof client.HTTPActionClientException);
  })()`;
  expect(execFileSync(process.execPath, ['-e', script], { cwd: app, encoding: 'utf8' })).toBe('true true\n');
});

test('what is packed has no code cache in it, and takes less than 60 MB with all that it needs', () => {
  expect(paths).toContain('dist/index.js');
  expect(paths.filter((path) => path.includes('cache'))).toEqual([]);
  const files = readdirSync(join(app, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const blocks = files.reduce((total, file) => total + lstatSync(join(app, 'node_modules', file)).blocks, 0);
  expect((blocks * 512) / 2 ** 20).toBeLessThan(60);
});

test('no package in it has an install script, which some package managers refuse', () => {
  const manifests = readdirSync(join(app, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file),
  );
  expect(manifests.length).toBeGreaterThan(20);
  const scripted = manifests.filter((file) => {
    const { scripts = {} }: { readonly scripts?: object } = JSON.parse(readFileSync(join(app, 'node_modules', file), 'utf8'));
    return (
      ['preinstall', 'install', 'postinstall'].some((name) => name in scripts) ||
      existsSync(join(app, 'node_modules', file, '..', 'binding.gyp'))
    );
  });
  expect(scripted).toEqual([]);
});

describe('what users do with it works', () => {
  const tryOn = (which: string) => spawnSync(process.execPath, ['scripts/versions.mjs', '--app', app, which], { encoding: 'utf8' });

  test('on this version of Node', () => {
    expect(tryOn('own')).toMatchObject({ status: 0, stdout: expect.stringContaining('0 failed, 0 skipped') });
  });

  test('on another one every day', ({ skip }) => {
    const { status, stdout } = tryOn('today');
    skip(stdout.startsWith('SKIPPED'), stdout.split('\n')[0]);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('0 failed') });
  });
});

test('the declarations stand by themselves', { timeout: 300_000 }, () => {
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
    // The client is for browsers, too: there the types of Node are missing.
    const browser = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
    const client = join(stage, 'dist', 'types', 'client', 'index.d.ts');
    const libraries = ['--lib', 'es2022,dom', '--types', 'none'];
    writeFileSync(join(stage, 'none.d.ts'), '');
    const checkClient = spawnSync(
      process.execPath,
      [resolve('node_modules/typescript-7/bin/tsc'), ...browser, ...libraries, '--typeRoots', stage, client],
      { encoding: 'utf8' },
    );
    expect(checkClient).toMatchObject({ status: 0, stdout: '' });
    const texts = readdirSync(join(stage, 'dist', 'types'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(join(stage, 'dist', 'types', file), 'utf8'));
    expect(texts.filter((text) => /<ArrayBuffer(?:Like)?>/.test(text))).toEqual([]); // TypeScript before 5.7 cannot read it
  } finally {
    rmSync(stage, { recursive: true });
  }
});

test('the links of the first page lead to what is packed', () => {
  const targets = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((target) => !existsSync(join(app, 'node_modules', 'factotum', target)))).toEqual([]);
  expect(existsSync(join(app, 'node_modules', 'factotum', manifest.man))).toBe(true);
});

test('programs that use the library can be bundled into one file', async () => {
  writeFileSync(
    join(app, 'main.mjs'),
    "import { executeAction } from 'factotum'; console.log((await executeAction([['FA_stat', ['.']]])).status);",
  );
  await build({
    entryPoints: [join(app, 'main.mjs')],
    outfile: join(app, 'out', 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  expect(execFileSync(process.execPath, [join(app, 'out', 'main.mjs')], { cwd: app, encoding: 'utf8' })).toBe('ok\n');
});

test('what is bundled is named with its licence', () => {
  expect(readFileSync(join(builtPackage, 'THIRD-PARTY-NOTICES.md'), 'utf8')).toMatch(/## commander [\d.]+ \(MIT\)\n\n {4}/);
});
