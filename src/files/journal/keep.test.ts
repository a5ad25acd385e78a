import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { keptAsideName } from '../../lib/fs/own-names.ts';
import { entryOf } from '../entry.ts';
import { createKeeper } from './keep.ts';

const room = () => {
  const dir = tempDir({ a: 'first', b: 'second' });
  const keeper = createKeeper({ runId: 'run', stateDirectory: dir.at('state'), limits: { maxBytes: 1_000, maxFiles: 1e6 } });
  return { dir, keeper, seen: entryOf(dir.at('a'), lstatSync(dir.at('a'))), [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

test('of two that replace a file at once, the second keeps what the first has put there', async () => {
  using at = room();
  renameSync(at.dir.at('b'), at.dir.at('a'));
  const kept = await at.keeper.keep(at.seen, 1);
  expect(typeof kept === 'object' && readFileSync(kept.at, 'utf8')).toBe('second');
  expect(kept).toMatchObject({ identity: entryOf(at.dir.at('a'), lstatSync(at.dir.at('a'))).identity });
});

test('what has become a link meanwhile is refused, and nothing is kept', async () => {
  using at = room();
  rmSync(at.dir.at('a'));
  symlinkSync('b', at.dir.at('a'));
  await expect(at.keeper.keep(at.seen, 1)).rejects.toMatchObject({ type: 'PathTraversalException' });
  expect(readdirSync(at.dir.at(`state/${keptAsideName(at.dir.at('state'))}/run`))).toEqual([]);
});

test('what is taken away meanwhile is no fault of the keeper', async () => {
  using at = room();
  writeFileSync(at.dir.at('c'), '');
  rmSync(at.dir.at('a'));
  await expect(at.keeper.keep(at.seen, 1)).rejects.toMatchObject({ code: 'ENOENT' });
});
