import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/app/config/load-config.ts';
import { tempDir } from '../../support/temp-dir.ts';

const page = readFileSync('docs/how-to/notify.md', 'utf8');
const blocks = [...page.matchAll(/^```toml\n(.*?)^```/gms)].map(([, block = '']) => block);

test('the configuration that the page shows is right', async () => {
  expect(blocks).toHaveLength(1);
  for (const block of blocks) {
    using dir = tempDir({ 'factotum.toml': block });
    const { config } = await loadConfig({ env: {}, cwd: dir.path });
    expect(config.notify.sinks.map(({ name }) => name)).toEqual(['team', 'mail', 'pager']);
  }
});
