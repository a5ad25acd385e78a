import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHistory } from '../../../src/app/command-line/history.ts';
import { createOneShot } from '../../../src/app/command-line/one-shot.ts';
import { tellingJournal } from '../../../src/app/command-line/telling-journal.ts';
import { createInstance } from '../../../src/app/create.ts';
import type { Journal } from '../../../src/core/journal.ts';
import { ownDirectoryName } from '../../../src/lib/fs/own-names.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { look } from './look.ts';

const SPOOL = ownDirectoryName('spool');

const openRoom = () => {
  const dir = tempDir({ 'w/a.txt': 'old', 'w/d/b.txt': 'old too' });
  const warnings: string[] = [];
  const oneShot = createOneShot({
    stateDirectory: dir.at('state/factotum'),
    maxBytes: 1e6,
    maxFiles: 1e6,
    versions: { factotum: 'test' },
    cwd: process.cwd(),
    warn: (message) => warnings.push(message),
  });
  const factotum = createInstance({ cwd: dir.at('w'), log: { level: 'silent' }, journalOf: oneShot.journalOf });
  oneShot.attach(factotum);
  const config = {
    history: true,
    undo_bytes: 1e6,
    undo_files: 1e6,
    undo_days: 7,
    runs_days: 30,
    dead_days: 90,
    fires_days: 7,
    audit_days: 90,
  };
  return {
    dir,
    warnings,
    async run(request: unknown) {
      const result = await factotum.run(request);
      await oneShot.finish();
      return result;
    },
    /** Whether a run tells that it can be undone. */
    async canBeUndone(request: unknown) {
      const { run_id } = await factotum.run(request);
      return (await oneShot.finish()).has(run_id);
    },
    openHistory: () => openHistory({ config, env: { XDG_STATE_HOME: dir.at('state') } }),
    async [Symbol.asyncDispose]() {
      await factotum.close();
      dir[Symbol.dispose]();
    },
  };
};

const LIST = [
  ['FA_create_file', ['a.txt', 'new']],
  ['FA_remove_dir_tree', ['d']],
];

test('a run that opened no store is found in the history, and undone', async () => {
  await using room = openRoom();
  const before = look(room.dir.at('w'));
  const { run_id } = await room.run(LIST);
  expect(readdirSync(room.dir.at(`state/factotum/${SPOOL}`)).sort()).toEqual([`${run_id}.json`, `${run_id}.undo`]);
  await using history = room.openHistory();
  expect((await history.store.runs()).items).toMatchObject([{ runId: run_id, state: 'ok', source: 'library' }]);
  expect(await history.undo(run_id)).toMatchObject({ ok: true });
  expect(look(room.dir.at('w'))).toEqual(before);
  expect(room.warnings).toEqual([]);
});

test('a run that only looks leaves no journal', async () => {
  await using room = openRoom();
  const { run_id } = await room.run([['FA_read_file', ['a.txt']]]);
  expect(readdirSync(room.dir.at(`state/factotum/${SPOOL}`))).toEqual([`${run_id}.json`]);
});

test.each<[string, unknown, boolean]>([
  ['that failed and left nothing', { actions: [['FA_copy_file', ['a.txt', 'x/y/z']]], quota: { max_bytes: 1 } }, false],
  ['that failed and left the old file', { actions: [['FA_copy_file', ['a.txt', 'd/b.txt']]], quota: { max_bytes: 1 } }, false],
  ['that failed in part', { actions: [['FA_remove_file', ['a.txt']], ['FA_fail']] }, true],
  ['that made a file', [['FA_create_file', ['c.txt', 'x']]], true],
  ['that replaced one', [['FA_create_file', ['a.txt', 'new']]], true],
  ['that added to one', [['FA_jsonl_append', ['a.txt', { a: 1 }]]], true],
  ['that made a directory', [['FA_create_dir', ['new']]], true],
  ['that removed a tree', [['FA_remove_dir_tree', ['d']]], true],
  ['that moved one', [['FA_move_file', ['a.txt', 'b.txt']]], true],
  ['that changed nothing', [['FA_read_file', ['a.txt']]], false],
])('a run %s says whether it can be undone', async (_, request, canBe) => {
  await using room = openRoom();
  expect(await room.canBeUndone(request)).toBe(canBe);
});

test('a run is resumed at the command line', async () => {
  await using room = openRoom();
  const { run_id } = await room.run([['FA_read_file', [room.dir.at('w/late')]]]);
  room.dir.write('w/late', 'here');
  await using history = room.openHistory();
  const { signal } = new AbortController();
  const resumed = await history.resume(run_id, { signal });
  expect(resumed).toMatchObject({ ok: true, results: [{ value: 'here' }] });
  // Nobody else works on its queue, so it must not be queued again should this process be killed.
  expect(await history.store.run(resumed.run_id)).toMatchObject({
    parent: run_id,
    maxAttempts: 1,
    versions: { factotum: expect.any(String) },
  });
});

test('old runs and what is kept of them are pruned', async () => {
  await using room = openRoom();
  await room.run(LIST);
  await using history = room.openHistory();
  expect(await history.prune()).toMatchObject({ runs: 0, undo: 0 });
});

test('where nothing can be written down the run goes on, with a warning', async () => {
  await using room = openRoom();
  room.dir.write('state', 'in the way');
  expect(await room.run(LIST)).toMatchObject({ ok: true });
  expect(existsSync(room.dir.at('w/d'))).toBe(false);
  expect(room.warnings).toEqual([expect.stringContaining('This run is not recorded and cannot be undone')]);
});

test('a run that is not recorded says in its result what of it cannot be undone', async () => {
  await using room = openRoom();
  writeFileSync(room.dir.at('state'), 'no directory');
  const { results } = await room.run([...LIST, ['FA_read_file', { file_path: 'a.txt' }]]);
  const noteOn = (path: string) => [
    { kind: 'not_undoable', reason: 'this run could not be recorded', targets: [room.dir.at(path)], count: 1 },
  ];
  expect(results).toMatchObject([{ status: 'ok', notes: noteOn('w/a.txt') }, { status: 'ok', notes: noteOn('w/d') }, { status: 'ok' }]);
  expect(results[2]?.notes).toBeUndefined();
});

test('a run whose record breaks off says so of what it changes from there on', async () => {
  await using room = openRoom();
  const { results } = await room.run([
    ['FA_create_file', ['a.txt', 'new']],
    ['FA_zip_file', { zip_file_path: 'z.zip', file: 'a.txt' }],
  ]);
  expect(results.map(({ notes }) => notes)).toEqual([undefined, undefined]);

  const told: string[] = [];
  const written: string[] = [];
  let isBroken = false;
  const inner: Journal = {
    async before({ kind }) {
      written.push(kind);
      if (written.length === 2) isBroken = true;
    },
  };
  const journal = tellingJournal(inner, () => isBroken).forCommand?.(({ path }) => void told.push(path));
  for (const path of ['/a', '/b', '/c']) await journal?.before({ kind: 'make_dir', path });
  expect([written, told]).toEqual([
    ['make_dir', 'make_dir'],
    ['/b', '/c'],
  ]);
});
