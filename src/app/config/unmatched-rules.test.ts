import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { loadConfig } from './load-config.ts';

const warningsOf = async (toml: string): Promise<readonly string[]> => {
  using dir = tempDir({ 'factotum.toml': toml });
  return (await loadConfig({ env: {}, cwd: dir.path })).warnings();
};

test('rules that no action fits are pointed out, with what was probably meant', async () => {
  const warnings = await warningsOf(`
    [policy]
    deny = ["group:serch", "FA_remove_*"]
    [mcp]
    allow = ["FA_made_by_a_plugin"]
    [[tokens]]
    name = "a"
    secret = "\${env:A}"
    allow = ["effect:reads", "group:search", "FA_copy_file"]
    deny = ["FA_remove_dir_tre"]
    [defaults.actions.FA_cpoy_file]
    timeout_s = 5
    [defaults.actions.FA_move_file]
    timeout_s = 5
  `);
  expect(warnings).toEqual([
    'policy.deny: no action of factotum fits group:serch; did you mean group:search?',
    'mcp.allow: no action of factotum fits FA_made_by_a_plugin; a plugin has to bring it.',
    'tokens[0].deny: no action of factotum fits FA_remove_dir_tre; did you mean FA_remove_dir_tree?',
    'defaults.actions: no action of factotum fits FA_cpoy_file; did you mean FA_copy_file?',
  ]);
});

test('older names count too', async () => {
  expect(await warningsOf('[policy]\ndeny = ["FA_grep_files"]')).toEqual([]);
});
