import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { syncDir } from '../../../src/actions/sync/sync-dir.ts';
import type { Context } from '../../../src/core/context.ts';
import type { Change } from '../../../src/core/journal.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { openOwner, signal } from '../files/ports.ts';

const DEFAULTS = {
  compare: 'size_mtime' as const,
  delete: true,
  dry_run: false,
  tolerance_s: 2,
  max_delete: 50,
  max_delete_share: 0.1,
  trash: false,
  exclude: [],
  max_listed: 100,
  on_unreadable: 'fail' as const,
};

test('a journal is told of every change before it happens', async () => {
  using dir = tempDir({ 's/new/a': 'a', 's/changed': 'now', 'd/changed': 'before', 'd/gone': 'x', 'd/old/y': 'y' });
  const told: string[] = [];
  const before = (change: Change) => {
    const name = relative(dir.path, 'path' in change ? change.path : change.to);
    const there = statSync(dir.at(name), { throwIfNoEntry: false });
    told.push(`${change.kind} ${name} ${there?.isFile() ? dir.read(name) : '-'}`);
  };
  const files = openOwner(dir.path, { before });
  const ctx: Pick<Context, 'files' | 'signal' | 'note' | 'progress'> = {
    files,
    signal,
    note: () => {},
    progress: () => {
      throw new Error('The work is too short to be shown.');
    },
  };
  // All that the action uses of its context.
  const report = await syncDir.run(ctx as Context, { src: 's', dst: 'd', ...DEFAULTS });
  expect(report).toMatchObject({ copied: ['changed', 'new/a'], deleted: ['gone', 'old/y'], errors: [] });
  expect(told.filter((each) => !each.startsWith('set '))).toEqual([
    'make_dir d/new -',
    'overwrite d/changed before',
    'create d/new/a -',
    'delete d/gone x',
    'delete_tree d/old -',
  ]);
});
