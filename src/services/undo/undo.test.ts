import { lstatSync, utimesSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { look } from '../../../test/e2e/undo/look.ts';
import { openRecordedHouse, undoParts } from '../../../test/e2e/undo/recorded-house.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import { trimUndo } from './trim.ts';
import { createUndo } from './undo.ts';

const HOUR_MS = 3_600_000;

const openRoom = (files: Record<string, string> = { 'w/a': 'old', 'w/b': 'old too' }, maxBytes = 1e9) => {
  const dir: TempDir = tempDir(files);
  let later = 0;
  const now = () => Date.now() + later;
  const store = memoryStore({ now });
  const house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state'), store, maxBytes });
  return {
    dir,
    now,
    ...house,
    wait: (ms: number) => {
      later += ms;
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

const LIST = [
  ['FA_create_file', ['a', 'new']],
  ['FA_remove_file', ['b']],
];

describe('undoing a run', () => {
  test('is a run of its own, with the undone one as its parent', async () => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    const { run_id } = await room.run(LIST);
    const { runId, finished } = await room.undo.undo(run_id, OWNER);
    expect(await finished).toMatchObject({ run_id: runId, ok: true, results: [{ value: { undone_count: 2, refused: [] } }] });
    expect(look(room.dir.at('w'))).toEqual(before);
    expect(await room.store.run(runId)).toMatchObject({
      source: 'undo',
      parent: run_id,
      state: 'ok',
      commands: [{ action: 'undo', state: 'ok', value: { undone: [room.dir.at('w/b'), room.dir.at('w/a')] } }],
    });
  });

  test('undoes what it can and names the rest; put right, that is undone too', async () => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    const { run_id } = await room.run(LIST);
    room.dir.write('w/b', 'somebody else');
    expect(await room.undoRun(run_id)).toMatchObject({
      ok: false,
      results: [{ status: 'failed', value: { undone_count: 1, refused: [{ path: room.dir.at('w/b') }] } }],
    });
    expect(room.dir.read('w/b')).toBe('somebody else');
    await room.factotum.run([['FA_remove_file', ['b']]]);
    expect(await room.undoRun(run_id)).toMatchObject({ ok: true, results: [{ value: { undone_count: 1 } }] });
    expect(look(room.dir.at('w'))).toEqual(before);
  });

  test.each([
    ['nobody knows', async () => 'nothing', /No run is called nothing/],
    [
      'only had a program run',
      async (room: ReturnType<typeof openRoom>) => (await room.run([['FA_run_shell', [[process.execPath, '-e', '0']]]])).run_id,
      /has nothing to undo. FA_run_shell cannot be undone: what programs do is in no journal/,
    ],
    ['changed nothing', async (room: ReturnType<typeof openRoom>) => (await room.run([['FA_stat', ['a']]])).run_id, /has nothing to undo/],
    [
      'is undone already',
      async (room: ReturnType<typeof openRoom>) => {
        const { run_id } = await room.run(LIST);
        await room.undoRun(run_id);
        return run_id;
      },
      /is undone already/,
    ],
    [
      'is not over',
      async (room: ReturnType<typeof openRoom>) => (await room.store.submit({ source: 'http', caller: 'owner', body: [] })).runId,
      /is not over/,
    ],
  ])('is refused for one that %s', async (_, make, words) => {
    await using room = openRoom();
    await expect(room.undo.undo(await make(room), OWNER)).rejects.toThrow(words);
  });

  test('names what cannot come back, which is no failure where nobody could have kept it', async () => {
    await using room = openRoom();
    const { run_id } = await room.run([
      ['FA_remove_file', ['a']],
      ['FA_execute_action', { action_list: [['FA_run_shell', [[process.execPath, '-e', '0']]]] }],
    ]);
    const { runId, finished } = await room.undo.undo(run_id, OWNER);
    const notes = [{ kind: 'not_undoable', targets: ['FA_run_shell'] }];
    expect(await finished).toMatchObject({ ok: true, results: [{ value: { undone_count: 1 }, notes }] });
    expect(await room.store.run(runId)).toMatchObject({ commands: [{ notes }] });
  });

  test('names what exceeded the room that a run has, and fails', async () => {
    await using room = openRoom({ 'w/a': 'x'.repeat(100), 'w/d/b': 'y'.repeat(100), 'w/c': 'z' }, 50);
    const { run_id } = await room.run([
      ['FA_remove_file', ['a']],
      ['FA_remove_dir_tree', ['d']],
      ['FA_remove_file', ['c']],
    ]);
    const { results } = await room.undoRun(run_id);
    expect(results).toMatchObject([
      { status: 'failed', value: { undone_count: 1, refused: [{ path: room.dir.at('w/d') }, { path: room.dir.at('w/a') }] } },
    ]);
    expect(results[0]?.notes).toBeUndefined();
  });

  test('is refused while somebody else does it', async () => {
    await using room = openRoom();
    const { run_id } = await room.run(LIST);
    await room.store.lock(`undo:${run_id}`, 5_000);
    await expect(room.undo.undo(run_id, OWNER)).rejects.toThrow(/is being undone/);
  });

  test('touches nothing that the policy of its caller protects', async () => {
    await using room = openRoom();
    const { run_id } = await room.run(LIST);
    const changed = look(room.dir.at('w'));
    const guest = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [room.dir.at('state')] }) };
    expect(await (await room.undo.undo(run_id, guest)).finished).toMatchObject({ ok: false, results: [{ value: { refused_count: 2 } }] });
    expect(look(room.dir.at('w'))).toEqual(changed);
    const friend = { name: 'friend', remote: true, policy: createPolicy({ readWrite: [room.dir.at('w')] }) };
    expect(await (await room.undo.undo(run_id, friend)).finished).toMatchObject({ ok: true });
  });

  test('stops where another process has gone on with it meanwhile', async () => {
    await using room = openRoom();
    const { run_id } = await room.run(LIST);
    let reverted = 0;
    // A process that was suspended in the middle of a step; meanwhile its lease and its lock have passed.
    const files: typeof undoParts.files = {
      ...undoParts.files,
      stepsIn: (entries, caller, signal) =>
        undoParts.files.stepsIn(entries, caller, signal).map((step) => ({
          ...step,
          async revert() {
            reverted += 1;
            room.wait(HOUR_MS);
            await other.start();
            return step.revert();
          },
        })),
    };
    const other = createUndo({ store: room.store, ...undoParts });
    const slow = createUndo({ store: room.store, ...undoParts, files, worker: 'slow', clock: { ...undoParts.clock, now: room.now } });
    const { finished } = await slow.undo(run_id, OWNER);
    await expect(finished).rejects.toThrow(/Another process has gone on/);
    await other.close();
    expect(reverted).toBe(1);
    expect([room.dir.read('w/a'), room.dir.read('w/b')]).toEqual(['old', 'old too']);
    expect((await room.store.runs({ sources: ['undo'] })).items).toMatchObject([{ state: 'ok', attempt: 2 }]);
  });

  test('goes on where a killed process left it, once its lease has passed', async () => {
    await using room = openRoom();
    const before = look(room.dir.at('w'));
    const { run_id } = await room.run(LIST);
    const { runId } = await room.store.submit({
      source: 'undo',
      caller: 'owner',
      body: [['undo', { run_id }]],
      parent: run_id,
      queue: 'undo',
      maxAttempts: 100,
      claim: { worker: 'killed' },
    });
    const next = createUndo({ store: room.store, ...undoParts });
    room.wait(HOUR_MS);
    await next.start();
    await next.close();
    expect(await room.store.run(runId)).toMatchObject({ state: 'ok', attempt: 2 });
    expect(look(room.dir.at('w'))).toEqual(before);
  });
});

describe('an edit that keeps size and time', () => {
  const edit = (path: string, content: string) => {
    const { atime, mtime } = lstatSync(path);
    writeFileSync(path, content);
    utimesSync(path, atime, mtime);
  };
  /** Longer than the slack that times are given. */
  const tick = async () => {
    for (const from = Date.now(); Date.now() - from < 20; ) await nextTurn();
  };

  test.each([
    ['a file that was made', [['FA_create_file', ['new', '12345']]], 'new'],
    ['a file that was replaced', [['FA_create_file', ['a', '12345']]], 'a'],
    ['a file in a tree that was made', [['FA_copy_dir', ['d', 'e']]], 'e/x'],
    ['a file that was moved', [['FA_move_file', { file_path: 'b', target_path: 'c' }]], 'c'],
    ['a file that was synchronised', [['FA_sync_dir', { src: 'd', dst: 's' }]], 's/x'],
  ])('is not overwritten: %s', async (_, list, name) => {
    await using room = openRoom({ 'w/a': 'first', 'w/b': 'other', 'w/d/x': 'inner', 'w/s/x': 'older' });
    utimesSync(room.dir.at('w/s/x'), 1, 1);
    const { run_id, ok } = await room.run(list);
    expect(ok).toBe(true);
    await tick();
    edit(room.dir.at(`w/${name}`), 'mine!');
    await tick();
    expect(await room.undoRun(run_id)).toMatchObject({ ok: false });
    expect(room.dir.read(`w/${name}`)).toBe('mine!');
  });

  test('is told from what undoing a later run does', async () => {
    await using room = openRoom({ 'w/a': 'first', 'w/d/x': 'inner', 'w/d/y': 'more', 'w/keep/z': '' });
    const before = look(room.dir.at('w'));
    const runs: string[] = [];
    for (const list of [
      [['FA_create_file', ['a', 'second']]],
      [['FA_create_file', ['a', 'third!']]],
      [['FA_copy_dir', ['d', 'e']]],
      [['FA_move_file', { file_path: 'a', target_path: 'e/a' }]],
      [['FA_remove_dir_tree', ['e']]],
      [['FA_sync_dir', { src: 'd', dst: 'keep', delete: true }]],
    ]) {
      await tick();
      const { run_id, ok } = await room.run(list);
      expect(ok, JSON.stringify(list)).toBe(true);
      runs.unshift(run_id);
    }
    for (const runId of runs) {
      await tick();
      expect((await room.undoRun(runId)).results[0]).toMatchObject({ status: 'ok', value: { refused: [] } });
    }
    expect(look(room.dir.at('w'))).toEqual(before);
  });
});

describe('what is kept to undo with', () => {
  test('goes with the oldest runs when it is too much or too old', async () => {
    await using room = openRoom({ 'w/a': 'x'.repeat(600), 'w/b': 'y'.repeat(600) });
    const { run_id: first } = await room.run([['FA_remove_file', ['a']]]);
    const { run_id: second } = await room.run([['FA_remove_file', ['b']]]);
    const trim = (maxBytes: number, maxAgeMs: number) =>
      trimUndo({ store: room.store, files: undoParts.files, now: Date.now(), maxBytes, maxFiles: 1e6, maxAgeMs });
    expect(await trim(1_000, HOUR_MS)).toBe(1);
    await expect(room.undo.undo(first, OWNER)).rejects.toThrow(/has expired/);
    expect(await room.store.undo.usage()).toMatchObject({ bytes: 600, runs: [{ runId: second }] });
    expect(await trim(1_000, -1)).toBe(1);
    expect(await room.store.undo.usage()).toMatchObject({ bytes: 0 });
  });

  test('goes with the oldest runs of a caller that has more than its share', async () => {
    await using room = openRoom({ 'w/a': 'x'.repeat(600), 'w/b': 'y'.repeat(600) });
    await room.run([['FA_remove_file', ['a']]]);
    const { run_id: second } = await room.run([['FA_remove_file', ['b']]]);
    const trim = (mostOf: (caller: string) => number | undefined) =>
      trimUndo({ store: room.store, files: undoParts.files, now: Date.now(), maxBytes: 1e9, maxFiles: 1e6, maxAgeMs: HOUR_MS, mostOf });
    expect(await trim(() => undefined)).toBe(0);
    expect(await trim((caller) => (caller === 'somebody else' ? 0 : 5_000))).toBe(0);
    expect(await trim((caller) => (caller === OWNER.name ? 1_000 : undefined))).toBe(1);
    expect(await room.store.undo.usage()).toMatchObject({ bytes: 600, runs: [{ runId: second, caller: OWNER.name }] });
  });

  test('goes when it is too many files, however small, and what is undone counts no more', async () => {
    await using room = openRoom({ 'w/a': '', 'w/b': '', 'w/t/c': '', 'w/t/d': '', 'w/e': '' });
    const { run_id: first } = await room.run([
      ['FA_remove_file', ['a']],
      ['FA_remove_file', ['b']],
    ]);
    const { run_id: second } = await room.run([['FA_remove_dir_tree', ['t']]]);
    const { run_id: third } = await room.run([['FA_remove_file', ['e']]]);
    expect(await room.store.undo.usage()).toMatchObject({ files: 5, runs: [{ files: 2 }, { files: 2 }, { files: 1 }] });
    await room.undoRun(third);
    expect(await room.store.undo.usage()).toMatchObject({ files: 4 });
    const trim = (maxFiles: number) =>
      trimUndo({ store: room.store, files: undoParts.files, now: Date.now(), maxBytes: 1e9, maxFiles, maxAgeMs: HOUR_MS });
    expect(await trim(4)).toBe(0);
    expect(await trim(3)).toBe(1);
    await expect(room.undo.undo(first, OWNER)).rejects.toThrow(/has expired/);
    expect(await room.undoRun(second)).toMatchObject({ ok: true });
  });

  test('stays while somebody undoes the run', async () => {
    await using room = openRoom();
    const { run_id } = await room.run([['FA_remove_file', ['a']]]);
    const held = await room.store.lock(`undo:${run_id}`, 60_000);
    const trim = () => trimUndo({ store: room.store, files: undoParts.files, now: Date.now(), maxBytes: 0, maxFiles: 1e6, maxAgeMs: -1 });
    expect(await trim()).toBe(0);
    await held?.release();
    await room.undoRun(run_id);
    expect(room.dir.read('w/a')).toBe('old');
    expect(await trim()).toBe(1);
  });
});
