import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createOneShot } from '../../../src/app/command-line/one-shot.ts';
import { createInstance } from '../../../src/app/create.ts';
import { discardOrphans } from '../../../src/files/journal/homes.ts';
import { keptAsideName, ownDirectoryName } from '../../../src/lib/fs/own-names.ts';
import { readOwner } from '../../../src/lib/fs/part-name.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

/** A directory with a recorded run in its history. */
const openRoom = async (list: unknown) => {
  const dir = tempDir({ 'w/a.txt': 'old' });
  const stateDirectory = dir.at('state/factotum');
  const oneShot = createOneShot({ stateDirectory, maxBytes: 1e6, maxFiles: 1e6, versions: {}, cwd: dir.at('w'), warn: () => {} });
  await using house = createInstance({ cwd: dir.at('w'), log: { level: 'silent' }, journalOf: oneShot.journalOf });
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
    expect(room.ask('runs', 'show', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('No run is called nobody') });
    expect(room.ask('runs', 'show')).toMatchObject({ code: 2, err: expect.stringContaining('RUN is missing') });
  });

  test('are told apart from those that only said what would happen', async () => {
    using room = await openRoom([]);
    await using store = room.store();
    const counts = { ok: 0, failed: 0, skipped: 0, planned: 1, reused: 0, cancelled: 0, indeterminate: 0 };
    const run = {
      runId: 'a-plan',
      source: 'http',
      caller: 'guest',
      body: CHANGE,
      state: 'ok',
      startedAt: Date.now(),
      durationMs: 1,
    } as const;
    await store.record({ ...run, isDryRun: true, counts, commands: [] });
    expect(room.ask('runs', '--caller', 'guest').out).toMatch(/^a-plan {2}planned /);
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

  test('--forget gives back the space of what is kept at once, and the run cannot be undone any more', async () => {
    using room = await openRoom(CHANGE);
    const kept = room.dir.at(`state/factotum/${keptAsideName(room.dir.at('state/factotum'))}`);
    expect(existsSync(kept)).toBe(true);
    expect(room.ask('undo', '--forget', room.id)).toMatchObject({ code: 0, out: expect.stringContaining('can no longer be undone') });
    expect(existsSync(kept)).toBe(false);
    expect(room.ask('undo', room.id)).toMatchObject({ code: 1, err: expect.stringContaining('has nothing to undo') });
    expect(room.ask('undo', '--forget', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('No run is called nobody') });
    expect(room.dir.read('w/a.txt')).toBe('new');
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

test.each([
  ['runs', 'show'],
  ['runs', 'resume'],
  ['runs', 'cancel'],
  ['runs', 'undo'],
  ['undo'],
  ['undo', '--forget'],
  ['queue', 'redrive'],
  ['schedule', 'next'],
  ['schedule', 'pause'],
  ['schedule', 'resume'],
  ['approve'],
  ['exec'],
  ['actions'],
])('%s %s of a name that nobody knows is a slip at the command line', async (...words) => {
  using room = await openRoom(CHANGE);
  expect(room.ask(...words.filter((word) => word !== undefined), 'nobody')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nobody'),
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

test('a yes is for one caller: where several wait for the same plan, one is named', async () => {
  using room = await openRoom([]);
  await using store = room.store();
  for (const caller of ['guest', 'other']) await store.approvals.propose({ planHash: 'abc', caller, summary: 'x' });
  expect(room.ask('approve', 'abc')).toMatchObject({ code: 2, err: expect.stringMatching(/2 callers wait .*guest, other.*--for CALLER/s) });
  expect(room.ask('approve', 'abc', '--for', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('nobody has not proposed') });
  expect((await store.approvals.list()).map(({ approvedAt }) => approvedAt)).toEqual([null, null]);
  expect(room.ask('approve', 'abc', '--for', 'other')).toMatchObject({ code: 0, out: '✓ other may run it once.\n' });
  expect([await store.approvals.consume('abc', 'guest'), await store.approvals.consume('abc', 'other')]).toEqual([false, true]);
});

test('the beginning of a hash is enough where no other plan has it', async () => {
  using room = await openRoom([]);
  await using store = room.store();
  for (const planHash of ['abcd1111', 'abcd2222']) await store.approvals.propose({ planHash, caller: 'guest', summary: 'x' });
  expect(room.ask('approve', 'abcd')).toMatchObject({ code: 2, err: expect.stringContaining('2 plans begin with abcd') });
  expect(room.ask('approve', 'abc')).toMatchObject({ code: 2, err: expect.stringContaining('Nobody has proposed') });
  expect(room.ask('approve', 'abcd2').code).toBe(0);
  const states = answerOf(room.ask('approve', '--json')) as readonly { readonly plan_hash: string; readonly state: string }[];
  expect(Object.fromEntries(states.map(({ plan_hash, state }) => [plan_hash, state]))).toEqual({ abcd1111: 'waits', abcd2222: 'approved' });
});

describe('what killed processes left behind', () => {
  const { home, boot } = readOwner();
  const dead = (id: string) => `.factotum-${home}-${boot}-${spawnSync('true').pid}-1-${id.repeat(32)}.part`;

  test('is told by doctor and removed by doctor --clean, where it is known and below directories that are named', async () => {
    using room = await openRoom(CHANGE);
    room.dir.write(`w/d/${dead('a')}`, 'half');
    room.dir.write(`w/e/f/${dead('b')}/x`, 'half');
    mkdirSync(room.dir.at(`state/factotum/${ownDirectoryName('writers')}`), { recursive: true, mode: 0o700 });
    room.dir.write(`state/factotum/${ownDirectoryName('writers')}/${dead('c')}`, `${JSON.stringify([room.dir.at('w/d'), false])}\n`);
    expect(room.ask('doctor').out).toMatch(/killed processes have worked in 1 places; run factotum doctor --clean/);
    expect(room.ask('doctor', '--clean').out).toMatch(/1 temporary file and the old files of 0 runs are removed/);
    expect([readdirSync(room.dir.at('w/d')), readdirSync(room.dir.at('w/e/f'))]).toMatchObject([[], [expect.anything()]]);
    expect(room.ask('doctor', '--clean', 'e').out).toMatch(/1 temporary file/);
    expect(readdirSync(room.dir.at('w/e/f'))).toEqual([]);
    expect(room.ask('doctor').out).toMatch(/no killed process is known/);
  });

  test('of old files goes with the next pruning, unless a run that is known needs it', async () => {
    using room = await openRoom(CHANGE);
    const kept = `state/factotum/${keptAsideName(room.dir.at('state/factotum'))}`;
    for (const name of ['lost', 'young']) room.dir.write(`${kept}/${name}/0`, 'old');
    // Only the time of the last change cannot be set, so the clock of the command is.
    expect(room.ask('runs', 'prune').code).toBe(0);
    expect(readdirSync(room.dir.at(kept)).sort()).toEqual([room.id, 'lost', 'young'].sort());
    expect(await discardOrphans(room.dir.at('state/factotum'), { isKnown: (id) => id === room.id, now: Date.now() + 3_700_000 })).toBe(2);
    expect(room.ask('undo', room.id).code).toBe(0);
  });
});
