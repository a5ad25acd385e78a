import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';
import { buildDefaultRegistry } from '../../app/default-registry.ts';
import { loadPackage } from './package-loader.ts';

const load = async (name: string, files: Record<string, string>) => {
  using dir = tempDir(files);
  await using factotum = createInstance({ cwd: dir.path });
  const told: string[] = [];
  const count = await loadPackage(name, {
    project: dir.path,
    register: factotum.registry.register,
    log: (_, message, fields) => told.push(`${message} ${fields?.reason}`),
  });
  const names = factotum.registry.names().filter((each) => !each.startsWith('FA_'));
  return { count, names, told, run: async (list: unknown) => (await factotum.run(list)).results };
};

test('the functions of a package become actions, its classes and values do not', async () => {
  const { count, names } = await load('my-tool', {
    'node_modules/my-tool/package.json': '{"type": "module", "exports": {".": {"types": "./x.d.ts", "import": "./m.js"}}}',
    'node_modules/my-tool/m.js':
      'export const add = (a, b) => a + b; export function twice(n) { return 2 * n; } export class Thing {} export const SIZE = 3;',
  });
  expect(count).toBe(2);
  expect(names).toEqual(['my-tool_add', 'my-tool_twice']);
});

test('scopes and old modules work, and so do modules of Node', async () => {
  const scoped = await load('@my/tool', {
    'node_modules/@my/tool/package.json': '{"main": "lib/main"}',
    'node_modules/@my/tool/lib/main.js': 'module.exports = Object.fromEntries([["join", (...words) => words.join("-")]]);',
  });
  expect(scoped.names).toEqual(['my_tool_join']);
  expect((await load('node:path', {})).names).toContain('path_basename');
});

test.each(['missing', '../outside', '/etc', 'broken'])(
  '%s cannot be imported: nothing is registered and the reason is logged',
  async (name) => {
    const { count, names, told } = await load(name, {
      'node_modules/broken/package.json': '{"exports": "./m.js", "type": "module"}',
      'node_modules/broken/m.js': 'throw new Error("broken");',
      'outside/package.json': '{"main": "m.js"}',
      'outside/m.js': 'exports.evil = () => 1;',
    });
    expect({ count, names }).toEqual({ count: 0, names: [] });
    expect(told).toHaveLength(1);
  },
);

test('no action loads packages or plugins, so no server can', () => {
  expect(
    buildDefaultRegistry()
      .names()
      .filter((name) => /package|plugin/i.test(name)),
  ).toEqual([]);
});
