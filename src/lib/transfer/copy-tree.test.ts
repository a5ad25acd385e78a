import { expect, test } from 'vitest';
import { outgoing } from '../../../test/contract/storage-samples.ts';
import type { Storage } from '../../core/storage.ts';
import { openMemory } from '../../storage/backends/memory.ts';
import { syncTree } from './copy-tree.ts';

const { signal } = new AbortController();
const OPTIONS = {
  signal,
  onConflict: 'overwrite',
  compare: 'checksum',
  verify: 'strongest',
  requireVerified: false,
  resume: false,
  maxWorkers: 1,
  preserve: true,
  include: [],
  exclude: [],
  delete: true,
  demandFew() {},
} as const;

/** A storage that takes names for one that differ only in their letters, as shares of Windows do. */
const blind = (): Storage => {
  const inner = openMemory({ location: 'mem+share:/' });
  return { ...inner, can: { ...inner.can, ignoresCase: true } };
};

test('a file that was only renamed in its letters stays at a target that cannot tell', async () => {
  const [from, to] = [openMemory({ location: 'mem+from:/' }), blind()];
  await from.write('x/report', outgoing('one'), { signal });
  await to.write('x/Report', outgoing('one'), { signal });
  const { deleted } = await syncTree({ storage: from, path: 'x' }, { storage: to, path: 'x' }, OPTIONS);
  expect(deleted).toEqual([]);
});

test('of two names that a target takes for one, the second is refused', async () => {
  const [from, to] = [openMemory({ location: 'mem+from:/' }), blind()];
  for (const name of ['Case', 'case']) await from.write(`x/${name}`, outgoing(name), { signal });
  const { files, failed } = await syncTree({ storage: from, path: 'x' }, { storage: to, path: 'x' }, OPTIONS);
  expect([files.map(({ path }) => path), failed.first.map(({ path }) => path)]).toEqual([['x/Case'], ['mem+share://x/case']]);
});
