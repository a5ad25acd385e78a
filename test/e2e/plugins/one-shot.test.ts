import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from '../cli/built.ts';

const PLUGIN = {
  'package.json': '{"name": "shouting", "version": "1.2.3", "type": "module", "factotum": {"actions": "./a.js"}}',
  'a.js': 'export const actions = () => ({ my_shout: (words) => words.toUpperCase() });',
};
const BROKEN = {
  'package.json': '{"name": "broken", "version": "1.0.0", "type": "module", "factotum": {"actions": "./a.js"}}',
  'a.js': 'throw new Error("I am broken");',
};

const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

/** A project that depends on a plugin. */
const PROJECT = {
  'package.json': '{"dependencies": {"shouting": "1"}}',
  'list.json': '[["my_shout", ["hi"]]]',
  ...below('node_modules/shouting', PLUGIN),
};

describe('the plugins of a project', () => {
  test('are there for every command', () => {
    using dir = tempDir(PROJECT);
    const ask = (...words: string[]) => factotum(words, { cwd: dir.path });
    expect(answerOf(ask('run', 'list.json', '--json'))).toMatchObject({ results: [{ value: 'HI' }] });
    expect(answerOf(ask('run', 'list.json', '--json', '--no-history'))).toMatchObject({ results: [{ value: 'HI' }] });
    expect(ask('exec', 'my_shout', 'hi').out).toBe('HI\n');
    expect(ask('-e', 'list.json').code).toBe(0);
    expect(ask('validate', 'list.json').code).toBe(0);
    expect(ask('actions').out).toContain('my_shout');
  });

  test('are there for a run that is resumed, as the sinks of the configuration are', () => {
    const list = [['FA_read_file', ['late.txt']], ['my_shout', ['${results[0].value}']], ['FA_notify_list']];
    using dir = tempDir({
      ...PROJECT,
      'list.json': JSON.stringify({ actions: list, stop_on_error: true }),
      'factotum.toml': '[[notify.sinks]]\nname = "hook"\ntype = "webhook"\nurl = "https://example.com/x"\n',
    });
    const ask = (...words: string[]) => factotum(words, { cwd: dir.path, env: { XDG_STATE_HOME: dir.at('state') } });
    const { run_id } = answerOf<{ run_id: string }>(ask('run', 'list.json', '--json'));
    dir.write('late.txt', 'hi');
    expect(answerOf(ask('runs', 'resume', run_id, '--json'))).toMatchObject({
      ok: true,
      results: [{ value: 'hi' }, { value: 'HI' }, { value: [{ name: 'hook' }] }],
    });
  });

  test('are not loaded elsewhere, or where the configuration says so', () => {
    using dir = tempDir({ ...PROJECT, 'factotum.toml': '[plugins]\ndiscover = false\n', 'elsewhere/list.json': PROJECT['list.json'] });
    for (const cwd of [dir.path, dir.at('elsewhere')]) {
      expect(answerOf(factotum(['run', 'list.json', '--json'], { cwd }))).toMatchObject({
        results: [{ error: { type: 'UnknownActionException' } }],
      });
    }
  });

  test('that are broken cost a line on standard error, and the others work', () => {
    using dir = tempDir({
      ...PROJECT,
      'package.json': '{"dependencies": {"broken": "1", "shouting": "1"}}',
      ...below('node_modules/broken', BROKEN),
    });
    expect(factotum(['run', 'list.json', '--quiet'], { cwd: dir.path })).toEqual({
      code: 0,
      out: '',
      err: '! The plugin broken has a problem. I am broken\n',
    });
  });
});

test('the configuration names plugins, also of a directory that is no project', () => {
  using dir = tempDir({
    'w/list.json': PROJECT['list.json'],
    'w/factotum.toml': 'plugins.paths = ["../lent"]\n',
    ...below('lent/shouting', PLUGIN),
  });
  expect(answerOf(factotum(['run', 'list.json', '--json'], { cwd: dir.at('w') }))).toMatchObject({ results: [{ value: 'HI' }] });
});
