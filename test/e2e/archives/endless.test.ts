import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { buildRar5 } from '../../support/archives/build-rar.ts';
import { packRar5WithoutEnd } from '../../support/archives/pack-rar-literals.ts';
import { namesIn } from '../../support/archives/tree.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startFactotum } from '../cli/built.ts';

test('the first SIGTERM ends a command whose archive keeps its reader busy for ever', async () => {
  using dir = tempDir({
    'o.rar': buildRar5([
      { name: 'first', data: 'words' },
      { name: 'endless', data: '', packed: packRar5WithoutEnd(), size: 196_608 },
    ]),
  });
  const child = startFactotum(['exec', 'extract_archive', 'o.rar', 'x'], dir.path);
  const [err, ended] = [text(child.stderr), once(child, 'exit')];
  const isFirstOut = () => readdirSync(dir.path).some((name) => name.endsWith('.part') && existsSync(dir.at(`${name}/first`)));
  while (!isFirstOut()) await new Promise(setImmediate);
  child.kill('SIGTERM');
  expect(await ended).toEqual([130, null]);
  expect(await err).toContain('interrupted');
  expect(namesIn(dir.path)).toEqual(['o.rar']);
});
