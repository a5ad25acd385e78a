import { describe, expect, test } from 'vitest';
import { submission } from '../../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { openConnection } from '../../driver.ts';
import type { RunFilter } from '../../port/runs.ts';
import { embeddedStore } from '../embedded-store.ts';
import { createRepositories } from '../repositories.ts';
import { UNSEALED } from '../seal.ts';

const counts = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

/** A store with some history, its repositories on another connection. */
const openHistory = async (bodies: readonly { readonly text: string; readonly name?: string }[]) => {
  const dir = tempDir();
  const file = dir.at('x.db');
  const store = embeddedStore({ file, isPrivate: false, now: () => 1 });
  for (const [at, { text, name }] of bodies.entries())
    await store.record({
      runId: `r${at}`,
      source: 'cli',
      caller: 'owner',
      body: [['FA_create_file', { file_path: 'a', content: text }]],
      state: 'ok',
      startedAt: at,
      durationMs: 1,
      counts,
      commands: [],
      ...(name !== undefined && { name }),
    });
  const db = openConnection(file);
  const { runs } = createRepositories({
    db,
    seal: UNSEALED,
    scrub: () => {},
    now: () => 0,
    condition: () => ({ isWritable: true, reason: null, place: file }),
  });
  const indexAll = () => {
    while (runs.indexSlice() > 0);
  };
  return {
    store,
    db,
    indexAll,
    find: (filter: RunFilter) => runs.runs(filter).items.map(({ runId }) => runId),
    async [Symbol.asyncDispose]() {
      db.close();
      await store.close();
      dir[Symbol.dispose]();
    },
  };
};

const TEXTS = [
  { text: 'invoices for March' },
  { text: 'INVOICES FOR APRIL', name: 'say "hello"' },
  { text: 'quote " and backslash \\ and tab \t' },
  { text: 'Grüße aus Österreich, 日本語のテキスト, 😀😀😀' },
  { text: 'ab' },
  { text: `long ${'x'.repeat(70_000)} end-of-long`, name: 'long one' },
  { text: '100%_sure' },
];

const ASKED = [
  ...['invoice', 'Invoices for', 'march', 'say "hello"', '" and backslash \\', 'tab \t', 'grüße', 'GRÜßE', '日本語', '😀😀', '😀😀😀'],
  ...['ab', 'a', 'end-of-long', 'long one', '0%_s', '%%%', 'nothing of this', 'invoices for march and more of it than there is', 'xxx'],
];

describe('what stands in lists', () => {
  test.each(ASKED)('%j is found alike before and after it is indexed', async (text) => {
    await using history = await openHistory(TEXTS);
    const before = history.find({ text });
    history.indexAll();
    expect(history.find({ text })).toEqual(before);
  });

  test('is found beyond the newest runs, which are looked through first', async () => {
    await using history = await openHistory([{ text: 'needle-in-hay' }, ...TEXTS]);
    const add = history.db;
    add.exec(`INSERT INTO run (run_id, queue, priority, source, caller, mode, dry_run, versions, state, attempt, max_attempts, fence, run_at, submitted_at)
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
      SELECT 'more' || x, 'default', 0, 'http', 'ci', 'serial', 0, '{}', 'failed', 1, 3, 1, 9, 1000 + x FROM n;
      INSERT INTO request (seq, body, options) SELECT seq, '[["FA_other"]]', 'null' FROM run WHERE seq NOT IN (SELECT seq FROM request)`);
    for (const _ of ['before', 'after']) {
      expect(history.find({ text: 'needle-in' })).toEqual(['r0']);
      expect(history.find({ text: 'needle-in', caller: 'ci' })).toEqual([]);
      expect(history.find({ action: 'FA_create_file', limit: 3 })).toEqual(['r7', 'r6', 'r5']);
      expect(history.find({ action: 'FA_create' })).toEqual([]);
      expect(history.find({ states: ['ok', 'cancelled'], limit: 2 })).toEqual(['r7', 'r6']);
      history.indexAll();
    }
    expect(history.find({ action: 'FA_other' })).toHaveLength(50);
  });

  test('of a run that goes on is indexed when it is over, and without its secrets', async () => {
    await using history = await openHistory([]);
    const { store } = history;
    const body = [['FA_create_file', { content: 'hunter2-secret' }]];
    await store.submit(submission({ body, kept: [['FA_create_file', { content: '***' }]] }));
    history.indexAll();
    expect(history.db.get('SELECT 1 FROM run_text_docsize')).toBeUndefined();
    const [claim] = await store.claim({ worker: 'w', max: 1 });
    if (claim !== undefined) await store.settle([{ ...claim, end: 'ok', counts, durationMs: 1 }]);
    history.indexAll();
    expect(history.db.all('SELECT 1 FROM run_text_docsize')).toHaveLength(1);
    expect(history.db.all('SELECT rowid FROM run_text WHERE run_text MATCH \'"hun" AND "unt"\'')).toEqual([]);
    expect(history.find({ text: 'FA_create_file' })).toHaveLength(1);
  });

  test('goes with its run', async () => {
    await using history = await openHistory(TEXTS);
    history.indexAll();
    await history.store.prune({ runsMs: -10_000 });
    expect(history.db.all('SELECT rowid FROM run_text WHERE run_text MATCH \'"inv"\'')).toEqual([]);
    expect(history.db.all('SELECT * FROM text_later')).toEqual([]);
  });
});

test('filters that match nothing ask an index, not every run', async () => {
  await using history = await openHistory(TEXTS);
  const planOf = (where: string) =>
    history.db
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM run WHERE ${where} ORDER BY submitted_at DESC, seq DESC LIMIT 51`)
      .map(({ detail }) => detail)
      .join('; ');
  expect(planOf("caller = 'x'")).toContain('run_caller');
  for (const state of ['failed', 'cancelled']) expect(planOf(`state = '${state}'`)).toContain(`run_${state}`);
});
