import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasOwnSqlite = major > 23 || (major === 22 && minor >= 16);

/** Opens a database in a process of its own, where the package is there in name only. */
const openElsewhere = async () => {
  using dir = tempDir({ 'node_modules/@photostructure/sqlite/package.json': '{ "exports": {} }' });
  await build({
    stdin: {
      contents: "import { openConnection } from './driver.ts'; openConnection(':memory:'); console.log('opened');",
      resolveDir: fileURLToPath(new URL('../../../src/services/engine', import.meta.url)),
    },
    outfile: dir.at('main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return spawnSync(process.execPath, [dir.at('main.mjs')], { encoding: 'utf8' });
};

test.skipIf(hasOwnSqlite)('without a driver the error says what to install', async () => {
  expect((await openElsewhere()).stderr).toMatch(
    /has no SQLite that can keep runs; use Node 22\.16 or newer, or run npm install @photostructure\/sqlite@[\d.]+/,
  );
});

test.skipIf(!hasOwnSqlite)('newer versions of Node need no package and print no warning', async () => {
  expect(await openElsewhere()).toMatchObject({ stdout: 'opened\n', stderr: '' });
});
