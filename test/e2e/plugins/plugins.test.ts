import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { builtPackage, factotum } from '../cli/built.ts';

const EXAMPLE = resolve('examples/plugin-hello');

const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Puts the built package where a folder finds it. */
const linkFactotum = (dir: TempDir, folder: string) => {
  mkdirSync(dir.at(`${folder}/node_modules`), { recursive: true });
  symlinkSync(builtPackage, dir.at(`${folder}/node_modules/factotum`));
};

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('the example is what `factotum init --plugin` writes, and its own test passes', { timeout: 300_000 }, () => {
  using dir = tempDir();
  expect(factotum(['init', '--plugin', 'plugin-hello'], { cwd: dir.path })).toMatchObject({
    code: 0,
    out: expect.stringContaining('npm test'),
  });
  expect(filesOf(dir.at('plugin-hello'))).toEqual(filesOf(EXAMPLE));
  expect(factotum(['init', '--plugin', 'plugin-hello'], { cwd: dir.path }).code).not.toBe(0);
  linkFactotum(dir, 'plugin-hello');
  const { status, stdout } = spawnSync(process.execPath, ['--test'], { cwd: dir.at('plugin-hello'), encoding: 'utf8' });
  expect(stdout).toContain('# pass 1');
  expect(status).toBe(0);
});

const PROGRAM = `
import { addPackageToExecutor, executeAction, loadEntryPointPlugins } from 'factotum';
import { load_entry_point_plugins } from 'factotum/spec';
const loaded = await loadEntryPointPlugins();
const members = await addPackageToExecutor('calculator');
const { results } = await executeAction([['hello_greet', ['a.txt']], ['hello_shout', ['hi']], ['calculator_add', [1, 2]]]);
const taken = [];
const handedOver = await load_entry_point_plugins((mapping) => taken.push(...Object.keys(mapping)));
console.log(JSON.stringify({ loaded, members, values: results.map(({ value, error }) => value ?? error), handedOver, taken }));
`;

test('packed and installed with npm, a plugin is found by a program, beside one that is broken', { timeout: 300_000 }, () => {
  using dir = tempDir({
    'app/package.json': '{"name": "app", "private": true, "type": "module"}',
    'app/program.js': PROGRAM,
    'broken/package.json': '{"name": "broken", "version": "1.0.0", "type": "module", "factotum": {"actions": "./a.js"}}',
    'broken/a.js': 'throw new Error("I am broken");',
    'calculator/package.json': '{"name": "calculator", "version": "1.0.0", "type": "module", "exports": "./c.js"}',
    'calculator/c.js': 'export const add = (a, b) => a + b;',
  });
  const app = dir.at('app');
  const packed = [EXAMPLE, dir.at('broken'), dir.at('calculator')].map((folder) =>
    npm(['pack', folder, '--pack-destination', dir.path], dir.path).trim(),
  );
  npm(['install', '--legacy-peer-deps', ...packed.map((name) => dir.at(name))], app);
  linkFactotum(dir, 'app');

  const { stdout, stderr } = spawnSync(process.execPath, ['program.js'], { cwd: app, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({
    loaded: [
      expect.objectContaining({ package: 'broken', actions: [], problems: ['I am broken'] }),
      expect.objectContaining({ package: 'plugin-hello', version: '0.1.0', actions: ['hello_greet', 'hello_shout'], problems: [] }),
    ],
    members: 1,
    values: ['Hello, world!', 'HI', 3],
    handedOver: 2,
    taken: ['hello_greet', 'hello_shout'],
  });
  expect(stderr).toContain('The plugin broken has a problem.');
  expect(dir.read('app/a.txt')).toBe('Hello, world!');

  const { out } = factotum(['doctor', '--json'], { cwd: app });
  expect(JSON.parse(out).findings).toContainEqual(
    expect.objectContaining({ about: 'plugin', message: expect.stringContaining('plugin-hello 0.1.0') }),
  );
});
