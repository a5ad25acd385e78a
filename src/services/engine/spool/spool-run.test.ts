import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { newPartName, readOwner } from '../../../lib/fs/part-name.ts';
import type { FinishedRun } from '../port/runs.ts';
import { pathIn } from './place.ts';
import { spoolRun } from './spool-run.ts';

test('what a killed process was writing there goes with the next run, and what a living one writes stays', () => {
  using dir = tempDir();
  const { home, boot } = readOwner();
  const dead = `.factotum-${home}-${boot}-4194303-1-${'0'.repeat(32)}.part`;
  const living = newPartName();
  const spool = pathIn(dir.path).slice(dir.path.length + 1);
  mkdirSync(dir.at(spool), { mode: 0o700 });
  for (const name of [dead, living]) dir.write(join(spool, name), '');
  spoolRun(dir.path, { runId: 'one' } as FinishedRun); // what else a run has does not matter here
  expect(readdirSync(pathIn(dir.path)).sort()).toEqual([living, 'one.json'].sort());
});
