import { describe, expect, test } from 'vitest';
import { createOneShot } from '../../../src/app/command-line/one-shot.ts';
import { createFactotum } from '../../../src/app/create.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

/** A directory with a recorded run in its history. */
const openRoom = async (list: unknown) => {
  const dir = tempDir({ 'w/a.txt': 'old' });
  const stateDirectory = dir.at('state/factotum');
  const oneShot = createOneShot({ stateDirectory, undoBytes: 1e6, versions: {}, cwd: dir.at('w'), warn: () => {} });
  await using house = createFactotum({ cwd: dir.at('w'), log: { level: 'silent' }, journalOf: oneShot.journalOf });
  oneShot.attach(house);
  const { run_id: id } = await house.run(list);
  await oneShot.finish();
  const ask = (...words: string[]) =>
    factotum(words, { cwd: dir.at('w'), env: { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('none') } });
  return { dir, id, ask, store: () => embeddedStore({ file: storeFileIn(stateDirectory) }), [Symbol.dispose]: dir[Symbol.dispose] };
};

const CHANGE = { actions: [['FA_create_file', ['a.txt', 'new']]], name: 'my change' };

describe('runs', () => {
  test('lists and shows what was run', async () => {
    using room = await openRoom(CHANGE);
    expect(room.ask('runs')).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${room.id}  ok .*1 command  .*my change\n$`)),
    });
    expect(room.ask('runs', '--status', 'failed').out).toBe('There are no such runs.\n');
    expect(room.ask('runs', 'show', room.id).out).toMatch(/0 {2}ok +FA_create_file/);
    expect(answerOf(room.ask('runs', 'show', room.id, '--json'))).toMatchObject({
      run_id: room.id,
      request: CHANGE,
      results: [{ status: 'ok' }],
    });
    expect(room.ask('runs', 'show', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('No run is called nobody') });
    expect(room.ask('runs', 'show')).toMatchObject({ code: 2, err: expect.stringContaining('RUN is missing') });
  });

  test('resumes, cancels and prunes', async () => {
    using room = await openRoom([['FA_read_file', ['late.txt']]]);
    room.dir.write('w/late.txt', 'here');
    expect(answerOf(room.ask('runs', 'resume', room.id, '--json'))).toMatchObject({ ok: true, results: [{ value: 'here' }] });
    expect(room.ask('runs', 'cancel', room.id).out).toBe('It was over already.\n');
    expect(room.ask('runs', 'prune').out).toBe('0 runs deleted; 0 runs can no longer be undone.\n');
  });
});

describe('undo', () => {
  test('takes a run back, once', async () => {
    using room = await openRoom(CHANGE);
    expect(room.ask('undo', room.id)).toMatchObject({ code: 0, out: '✓ 1 change undone.\n' });
    expect(room.dir.read('w/a.txt')).toBe('old');
    expect(room.ask('undo', room.id)).toMatchObject({ code: 1, err: expect.stringContaining('is undone already') });
  });

  test('names what was changed since', async () => {
    using room = await openRoom(CHANGE);
    room.dir.write('w/a.txt', 'mine');
    const { code, out } = room.ask('runs', 'undo', room.id);
    expect({ code, out }).toEqual({
      code: 1,
      out: `✗ ${room.dir.at('w/a.txt')}: it was changed since\n✗ 0 changes undone, 1 left as they are.\n`,
    });
    expect(room.dir.read('w/a.txt')).toBe('mine');
  });
});

test('approve lists, approves and takes back', async () => {
  using room = await openRoom([]);
  await using store = room.store();
  expect(room.ask('approve').out).toBe('No plan waits for a yes.\n');
  await store.approvals.propose({ planHash: 'abc', caller: 'guest', summary: 'delete everything' });
  expect(room.ask('approve').out).toMatch(/^abc {2}waits .*guest\n.*delete everything/);
  expect(room.ask('approve', 'abc')).toMatchObject({ code: 0, out: '✓ guest may run it once.\n' });
  expect(answerOf(room.ask('approve', '--json'))).toMatchObject([{ plan_hash: 'abc', state: 'approved' }]);
  expect(room.ask('approve', 'abc', '--revoke').out).toBe('✓ guest may no longer run it.\n');
  expect(room.ask('approve', 'none')).toMatchObject({ code: 2 });
});
