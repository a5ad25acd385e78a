import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFactotum } from 'factotum';
import { actions } from './actions.js';

test('both actions do what they say', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'hello-'));
  const factotum = createFactotum({ cwd });
  factotum.registry.registerMany(actions());
  try {
    const { results } = await factotum.run([
      ['hello_greet', { file_path: 'a.txt', name: 'Ada' }],
      ['hello_shout', ['${results[0].value}']],
    ]);
    const values = results.map(({ value }) => value);
    assert.deepEqual(values, ['Hello, Ada!', 'HELLO, ADA!']);
    assert.equal(await readFile(join(cwd, 'a.txt'), 'utf8'), 'Hello, Ada!');
  } finally {
    await factotum.close();
    await rm(cwd, { recursive: true });
  }
});
