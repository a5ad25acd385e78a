import { expect, test } from 'vitest';
import { storageContract } from '../../../test/contract/storage.ts';
import { code, outgoing } from '../../../test/contract/storage-samples.ts';
import { withLayers } from '../layers/layers.ts';
import { openMemory } from './memory.ts';

storageContract({ name: 'memory', open: openMemory });
storageContract({ name: 'memory with all layers', open: () => withLayers(openMemory(), {}) });

test('a memory that is full says so, and takes something when there is room again', async () => {
  const { signal } = new AbortController();
  const storage = openMemory({ maxBytes: 10 });
  await storage.write('a', outgoing('12345678'), { signal });
  await expect(storage.write('b', outgoing('123'), { signal })).rejects.toEqual(code('out_of_space'));
  await storage.remove('a', { signal });
  expect(await storage.write('b', outgoing('123'), { signal })).toMatchObject({ bytes: 3 });
});
