import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { loadConfig } from '../config/load-config.ts';
import { createInstance } from '../create.ts';
import { createPluginsPart } from './plugins-part.ts';

const plugin = (name: string, value: number, action = `${name}_do`): Record<string, string> => ({
  [`${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', type: 'module', factotum: { actions: './a.js' } }),
  [`${name}/a.js`]: `export const actions = () => ({ ${action}: () => ${value} });`,
});

const FILES = {
  ...plugin('one', 1),
  ...plugin('two', 2),
  ...plugin('twin', 3, 'one_do'),
  ...plugin('stat', 4, 'FA_stat'),
  'broken/package.json': '{"name": "broken", "factotum": {"actions": "./missing.js"}}',
};

const open = () => {
  const dir = tempDir(FILES);
  const lines: string[] = [];
  const factotum = createInstance({ cwd: dir.path, log: { level: 'info', write: (line) => lines.push(line) } });
  const part = createPluginsPart(factotum, dir.path);
  const config = (...names: readonly string[]) =>
    loadConfig({
      env: {},
      cwd: dir.path,
      flags: { plugins: { discover: false, paths: names.map((name) => dir.at(name)), replace: ['FA_stat'] } },
    });
  return {
    lines,
    part,
    config,
    /** Changes to these plugins; answers how to go back. */
    async change(...names: readonly string[]) {
      const change = await part.prepare(await config(...names));
      await change.apply();
      return change.revert;
    },
    /** What the actions of plugins give. */
    async values() {
      const names = factotum.registry.names().filter((name) => name.endsWith('_do') || name === 'FA_stat');
      const { results } = await factotum.run(names.map((name) => [name]));
      return Object.fromEntries(results.flatMap(({ action, value }) => (typeof value === 'number' ? [[action, value]] : [])));
    },
    async [Symbol.asyncDispose]() {
      await factotum.close();
      dir[Symbol.dispose]();
    },
  };
};

test('plugins that appear are loaded and those that are gone are forgotten', async () => {
  await using world = open();
  await world.part.load(await world.config('one'));
  expect(await world.values()).toEqual({ one_do: 1 });
  await world.change('one', 'two');
  expect(await world.values()).toEqual({ one_do: 1, two_do: 2 });
  await world.change('twin');
  expect(await world.values()).toEqual({ one_do: 3 });
  expect(world.lines.join('\n')).not.toContain('problem');
});

test('a change is taken back', async () => {
  await using world = open();
  await world.part.load(await world.config('one'));
  const revert = await world.change('twin', 'two');
  await revert();
  expect(await world.values()).toEqual({ one_do: 1 });
  await world.change();
  expect(await world.values()).toEqual({});
});

test('a broken plugin changes nothing for the others and is tried again', async () => {
  await using world = open();
  await world.part.load(await world.config('broken'));
  await world.change('broken', 'one');
  expect(await world.values()).toEqual({ one_do: 1 });
  expect(world.lines.filter((line) => line.includes('The plugin broken has a problem'))).toHaveLength(2);
});

test('a built-in action that was replaced stays so, which is said', async () => {
  await using world = open();
  await world.part.load(await world.config('stat'));
  await world.change();
  expect(await world.values()).toEqual({ FA_stat: 4 });
  expect(world.lines.at(-1)).toContain('until the next start');
});
