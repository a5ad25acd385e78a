import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';
import { listPlugins, loadPluginsInto, type PluginOptions } from '../../app/plugins.ts';

/** The files of an installed package. */
const installed = (name: string, code: string, manifest: object = {}): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    version: '1.2.3',
    type: 'module',
    factotum: { actions: './a.js' },
    ...manifest,
  }),
  [`node_modules/${name}/a.js`]: code,
});

const projectOf = (...names: readonly string[]) => ({
  'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }),
});

const giving = (name: string, value: unknown) => `export const actions = () => ({ ${name}: () => (${JSON.stringify(value)}) });`;

/** Loads the plugins of a project and tells everything there is to know afterwards. */
const load = async (files: Record<string, string>, options: Omit<PluginOptions, 'project'> = {}) => {
  using dir = tempDir(files);
  const lines: string[] = [];
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'info', format: 'json', write: (line) => lines.push(line) } });
  const paths = options.paths?.map((path) => dir.at(path));
  const loaded = await loadPluginsInto(factotum, { project: dir.path, ...options, ...(paths && { paths }) });
  const run = async (name: string) => (await factotum.run([[name]])).results[0];
  const names = factotum.registry.names().filter((name) => !name.startsWith('FA_'));
  const values = Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await run(name))?.value])));
  return { loaded, values, lines: lines.join('\n'), stat: await run('FA_stat') };
};

test('the direct dependencies of the project are looked at, those of others are not', async () => {
  const { loaded, values, lines } = await load({
    ...projectOf('one', '@my/two', 'plain'),
    ...installed('one', giving('one_do', 1), { dependencies: { hidden: '*' } }),
    ...installed('@my/two', giving('two_do', 2)),
    ...installed('hidden', giving('hidden_do', 3)),
    'node_modules/plain/package.json': '{"name": "plain"}',
  });
  expect(values).toEqual({ one_do: 1, two_do: 2 });
  expect(loaded.map(({ package: name, version, actions, problems }) => [name, version, actions, problems])).toEqual([
    ['one', '1.2.3', ['one_do'], []],
    ['@my/two', '1.2.3', ['two_do'], []],
  ]);
  expect(lines).toContain('The plugin @my/two is loaded.');
});

test('a package of the directory above is found, as Node would', async () => {
  using dir = tempDir({
    ...installed('one', giving('one_do', 1)),
    ...Object.fromEntries(Object.entries(projectOf('one')).map(([name, text]) => [`app/${name}`, text])),
  });
  expect((await listPlugins({ project: dir.at('app') })).map(({ package: name }) => name)).toEqual(['one']);
});

test('without discovery only the paths count: a package, or a directory of packages', async () => {
  const { values } = await load(
    {
      ...projectOf('one'),
      ...installed('one', giving('one_do', 1)),
      'own/package.json': '{"name": "own", "type": "module", "factotum": {"actions": "a.js"}}',
      'own/a.js': giving('own_do', 2),
      'many/x/package.json': '{"name": "x", "type": "module", "factotum": {"actions": "a.js"}}',
      'many/x/a.js': giving('x_do', 3),
      'many/@scope/y/package.json': '{"name": "@scope/y", "type": "module", "factotum": {"actions": "a.js"}}',
      'many/@scope/y/a.js': giving('y_do', 4),
    },
    { discover: false, paths: ['own', 'many', 'missing'] },
  );
  expect(values).toEqual({ own_do: 2, x_do: 3, y_do: 4 });
});

test('a package met twice is loaded once; an old module and one that needs time work too', async () => {
  const { loaded, values } = await load(
    {
      ...projectOf('old', 'slow'),
      ...installed('old', 'module.exports = () => ({ old_do: () => 1 });', { type: 'commonjs' }),
      ...installed('slow', 'await null; export default async () => ({ slow_do: () => 2 });'),
    },
    { paths: ['node_modules'] },
  );
  expect(values).toEqual({ old_do: 1, slow_do: 2 });
  expect(loaded).toHaveLength(2);
});

describe('a plugin that is broken is named in the log and disturbs no other', () => {
  test.each([
    ['does not parse', 'export const actions = (', {}, ''],
    ['throws when imported', 'throw new Error("at import");', {}, 'at import'],
    ['has a factory that throws', 'export const actions = () => { throw new Error("in factory"); };', {}, 'in factory'],
    ['throws what is no error', 'export const actions = () => { throw null; };', {}, 'null'],
    ['exports no function', 'export const actions = {};', {}, 'must export a function'],
    ['returns a list', 'export const actions = () => [];', {}, 'an object of names'],
    ['returns nothing', 'export const actions = () => {};', {}, 'an object of names'],
    ['returns a map', 'export const actions = () => new Map([["bad_do", () => 1]]);', {}, 'an object of names'],
    ['names a module outside', giving('evil_do', 1), { factotum: { actions: '../good/a.js' } }, 'outside the package'],
    ['names no module', giving('evil_do', 1), { factotum: { actions: './missing.js' } }, 'no such file'],
    ['names something else', giving('evil_do', 1), { factotum: { actions: 7 } }, 'must be the path of a module'],
  ])('it %s', async (_, code, manifest, reason) => {
    const { loaded, values, lines } = await load({
      ...projectOf('bad', 'good'),
      ...installed('bad', code, manifest),
      ...installed('good', giving('good_do', 1)),
    });
    expect(values).toEqual({ good_do: 1 });
    expect(loaded[0]?.problems[0]).toContain(reason);
    expect(lines).toContain('The plugin bad has a problem.');
    expect(lines).not.toContain('The plugin bad is loaded.');
  });

  test('its package.json is no JSON', async () => {
    const files = { ...projectOf('bad', 'good'), ...installed('good', giving('good_do', 1)), 'node_modules/bad/package.json': '{' };
    expect(await load(files)).toMatchObject({
      values: { good_do: 1 },
      lines: expect.stringContaining('The plugin bad cannot be looked at.'),
    });
  });

  test('names that cannot be, or are taken, are refused one by one', async () => {
    const code =
      'export const actions = () => ({ "no name": () => 1, FA_stat: () => "stolen", half: { run() {}, args: null }, none: 7, fine_do: () => 2 });';
    const { loaded, values, stat } = await load({ ...projectOf('bad'), ...installed('bad', code) });
    expect(values).toEqual({ fine_do: 2 });
    expect(loaded[0]?.problems).toHaveLength(4);
    expect(stat?.value).not.toBe('stolen');
  });
});

test('a built-in action is replaced only where the configuration names it', async () => {
  const files = { ...projectOf('own'), ...installed('own', giving('FA_stat', 'mine')) };
  expect((await load(files, { replace: ['FA_stat'] })).stat?.value).toBe('mine');
});

test('a dependency whose name leads elsewhere is passed over', async () => {
  using dir = tempDir({
    'package.json': '{"dependencies": {"../outside": "*", ".": "*", "": "*", "linked": "*"}}',
    'outside/package.json': '{"name": "outside", "factotum": {"actions": "a.js"}}',
    'node_modules/x': '',
  });
  symlinkSync('../outside', dir.at('node_modules/linked'));
  expect((await listPlugins({ project: dir.path })).map(({ package: name }) => name)).toEqual(['outside']); // by its link only
});

test('a plugin that never answers is given up', async () => {
  using dir = tempDir({
    'p/package.json': '{"name": "p", "type": "module"}',
    'p/a.js': 'export const actions = () => new Promise(() => {});',
  });
  const { loadPlugin } = await import('./load-plugin.ts');
  const loaded = await loadPlugin({ package: 'p', version: null, path: dir.at('p'), actions: 'a.js' }, () => {}, 20);
  expect(loaded.problems).toEqual(['it did not answer within 0.02 s']);
});
