import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { canMountTmpfs, tmpfs } from '../../support/tmpfs.ts';
import { openRecordedHouse } from './recorded-house.ts';

describe('a split that fails', () => {
  test('leaves no directory that it has made, and what stood there stays', async () => {
    using dir = tempDir({ 'w/a': '0123456789', 'w/there/mine': 'x' });
    let written = 0;
    await using house = openRecordedHouse({
      cwd: dir.at('w'),
      stateDirectory: dir.at('state'),
      // Cut while it is being split.
      onAppend: () => {
        written += 1;
        if (written === 5) writeFileSync(dir.at('w/a'), '0123');
      },
    });
    const { run_id, results } = await house.run([['FA_file_split', { file_path: 'a', chunk_size: 2, output_dir: 'there/new/parts' }]]);
    expect(results[0]).toMatchObject({ status: 'failed', error: { type: 'TextOpsException' } });
    expect(results[0]?.notes).toBeUndefined();
    expect(readdirSync(dir.at('w'), { recursive: true }).sort()).toEqual(['a', 'there', 'there/mine']);
    expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
  });

  describe.skipIf(!canMountTmpfs)('on a full device (needs the right to mount)', () => {
    test('frees what it took, and undoing it has nothing to refuse', async () => {
      using dir = tempDir();
      using small = tmpfs('size=1200k');
      writeFileSync(dir.at('big'), Buffer.alloc(3_000_000, 'x'));
      await using house = openRecordedHouse({ cwd: dir.path, stateDirectory: dir.at('state') });
      const parts = join(small.path, 'parts');
      const { run_id, results } = await house.run([['FA_file_split', { file_path: 'big', chunk_size: 100_000, output_dir: parts }]]);
      expect(results[0]).toMatchObject({ status: 'failed', error: { context: { code: 'ENOSPC' } } });
      expect(results[0]?.notes).toBeUndefined();
      expect(readdirSync(small.path)).toEqual([]);
      expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
      expect(readdirSync(small.path)).toEqual([]);
    });
  });
});
