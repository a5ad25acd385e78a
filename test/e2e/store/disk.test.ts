import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import type { Store } from '../../../src/services/engine/port.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { collectGarbage } from './collect-garbage.ts';
import { finished, submission } from './contract/suite.ts';
import { integrityOf } from './integrity.ts';
import { canMount, type SmallDisk, smallDisk } from './small-disk.ts';

const demandDisk = (): SmallDisk => {
  const disk = smallDisk();
  if (disk === undefined) throw new Error('no disk');
  return disk;
};

/** Submits until the store refuses; answers the ids that were acknowledged. */
const submitUntilFull = async (store: Store): Promise<{ readonly acknowledged: string[]; readonly fault: unknown }> => {
  const acknowledged: string[] = [];
  for (;;) {
    try {
      acknowledged.push((await store.submit(submission({ body: ['x'.repeat(4_000)] }))).runId);
    } catch (fault) {
      return { acknowledged, fault };
    }
  }
};

const idsIn = async (store: Store): Promise<string[]> => (await store.runs({ limit: 1_000 })).items.map(({ runId }) => runId);

describe.skipIf(!canMount)('a store on a bad disk (needs the right to mount a tmpfs)', () => {
  test('that is full refuses clearly, and shows all it acknowledged', async () => {
    using disk = demandDisk();
    const file = storeFileIn(join(disk.path, 'state'));
    await using store = embeddedStore({ file, isServing: true });
    const { acknowledged, fault } = await submitUntilFull(store);
    expect(acknowledged.length).toBeGreaterThan(30); // of 2 MiB, each commit takes its pages twice: in the log and in the database
    expect(fault).toMatchObject({ type: 'StoreException', retryable: true, context: { place: file, fault: 'full' } });
    expect(String(fault)).toMatch(/^StoreException: No space is left for the store at .*; free some, what is stored can still be read\.$/);
    expect((await idsIn(store)).sort()).toEqual([...acknowledged].sort());
    expect(await store.health()).toMatchObject({ isWritable: true, reason: expect.stringContaining('No space is left') });
    await store.close();
    expect(integrityOf(file)).toBe('ok');
  });

  test('that was full when it was opened is read, and written once there is room', async () => {
    using disk = demandDisk();
    const file = storeFileIn(join(disk.path, 'state'));
    const before = embeddedStore({ file });
    const { runId } = await before.submit(submission());
    await before.close();
    disk.fill();
    await using store = embeddedStore({ file, isServing: true });
    expect(await idsIn(store)).toEqual([runId]);
    await expect(store.submit(submission())).rejects.toMatchObject({ type: 'StoreException', context: { fault: 'full' } });
    disk.free();
    const second = await store.submit(submission());
    expect(await idsIn(store)).toEqual([second.runId, runId]);
    expect(await store.health()).toMatchObject({ isWritable: true, reason: null });
  });

  test('that is read-only is read, and written once it may be', async () => {
    using disk = demandDisk();
    const state = join(disk.path, 'state');
    const file = storeFileIn(state);
    const before = embeddedStore({ file });
    const { runId } = await before.submit(submission());
    await before.close();
    spoolRun(state, finished('spooled'));
    await collectGarbage();
    disk.allowWriting(false);
    await using store = embeddedStore({ file, isServing: true });
    await store.ready();
    expect(await idsIn(store)).toEqual([runId]);
    expect(await store.health()).toMatchObject({ isWritable: false, reason: expect.stringContaining('cannot be written') });
    await expect(store.submit(submission())).rejects.toMatchObject({ type: 'StoreException', context: { fault: 'read_only' } });
    disk.allowWriting(true);
    await store.submit(submission());
    expect(await idsIn(store)).toHaveLength(3);
  });

  test('a one-shot that cannot leave its run says why', () => {
    using disk = demandDisk();
    const state = join(disk.path, 'state');
    spoolRun(state, finished('first'));
    disk.fill();
    expect(() => spoolRun(state, finished('second', { body: ['x'.repeat(100_000)] }))).toThrow(/^No space is left for the store at /);
  });

  test('without a store there is nothing to read', async () => {
    using disk = demandDisk();
    disk.allowWriting(false);
    await using store = embeddedStore({ file: storeFileIn(join(disk.path, 'state')) });
    await expect(store.health()).rejects.toMatchObject({ type: 'StoreException', context: { fault: 'read_only' } });
  });
});
