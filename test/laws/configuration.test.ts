import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { VARIABLES } from '../../src/services/config/derived.generated.ts';
import { tempDir } from '../support/temp-dir.ts';

const page = readFileSync('docs/how-to/configure.md', 'utf8');
const blocks = [...page.matchAll(/^```toml\n(.*?)^```/gms)].map(([, block = '']) => block);

test('the page about the configuration shows some', () => {
  expect(blocks.length).toBeGreaterThan(2);
});

test.each(blocks)('this configuration is right: %s', async (block) => {
  using dir = tempDir({ 'factotum.toml': block });
  await expect(loadConfig({ env: {}, cwd: dir.path })).resolves.toHaveProperty('path', dir.at('factotum.toml'));
});

test('the reference names every variable, and no other', () => {
  const reference = readFileSync('docs/reference/configuration.md', 'utf8');
  const named = new Set([...reference.matchAll(/`(FACTOTUM_\w+)` \|$/gm)].map(([, name]) => name));
  expect([...named].sort()).toEqual(VARIABLES.map(({ name }) => name).sort());
});
