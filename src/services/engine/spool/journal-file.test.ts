import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openJournalFile, type StartedRun } from './journal-file.ts';
import { JOURNAL_ENDING, pathIn } from './place.ts';

/** Whether the disk takes nothing more. */
const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('../../../lib/fs/append-whole.ts', async (original) => {
  const { appendWhole } = await original<typeof import('../../../lib/fs/append-whole.ts')>();
  return {
    appendWhole: (...given: Parameters<typeof appendWhole>) => {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
      return appendWhole(...given);
    },
  };
});

afterEach(() => {
  disk.isFull = false;
});

const run = (runId: string): StartedRun => ({ runId, startedAt: 1, source: 'queue', caller: 'owner', body: [] });

test('a run has one journal: who has its name already keeps it', () => {
  using dir = tempDir();
  const state = dir.at('state');
  const first = openJournalFile(state, run('r'));
  const file = pathIn(state, 'r', JOURNAL_ENDING);
  const before = readFileSync(file, 'utf8');
  expect(() => openJournalFile(state, run('r'))).toThrow(expect.objectContaining({ type: 'StoreException' }));
  expect(readFileSync(file, 'utf8')).toBe(before);
  first.close();
});

test('no run is known by half a line: where the disk takes no beginning, no journal is left', () => {
  using dir = tempDir();
  disk.isFull = true;
  expect(() => openJournalFile(dir.at('state'), run('r'))).toThrow(expect.objectContaining({ type: 'StoreException' }));
  expect(readdirSync(pathIn(dir.at('state')))).toEqual([]);
});
