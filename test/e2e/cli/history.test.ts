import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { keptAsideName, ownDirectoryName } from '../../../src/lib/fs/own-names.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { canMount, smallDisk } from '../store/small-disk.ts';
import { answerOf, factotum, startFactotum } from './built.ts';

const SPOOL = ownDirectoryName('spool');

interface Listed {
  readonly run_id: string;
  readonly state: string;
  readonly source: string;
  readonly caller: string;
  readonly name: string | null;
}

/** A working directory and a state directory of its own. */
const openRoom = (files: Readonly<Record<string, string>> = {}) => {
  const dir = tempDir({ 'w/a.txt': 'old', 'w/list.json': JSON.stringify(CHANGE), ...files });
  const state = dir.at('state');
  const ask = (words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') =>
    factotum(words, { cwd: dir.at('w'), input, env: { XDG_STATE_HOME: state, XDG_CONFIG_HOME: dir.at('config'), ...env } });
  const runs = () => answerOf<Listed[]>(ask(['runs', '--json']));
  const keepsOld = () => existsSync(`${state}/factotum/${keptAsideName(`${state}/factotum`)}`);
  return { dir, ask, runs, keepsOld, isUntouched: () => !existsSync(state), [Symbol.dispose]: dir[Symbol.dispose] };
};

const CHANGE = { actions: [['FA_create_file', ['a.txt', 'new']]], name: 'my change' };

describe('a list that the command line runs', () => {
  test('is in the history at once and can be taken back; standard error says how', () => {
    using room = openRoom();
    const { code, err } = room.ask(['run', 'list.json']);
    const [run] = room.runs();
    expect(run).toMatchObject({ state: 'ok', source: 'cli', caller: 'owner', name: 'my change' });
    expect({ code, err }).toEqual({ code: 0, err: `Undo with: factotum undo ${run?.run_id}\n` });
    expect(answerOf(room.ask(['runs', 'show', run?.run_id ?? '', '--json']))).toMatchObject({
      request: CHANGE,
      results: [{ index: 0, action: 'FA_create_file', status: 'ok' }],
    });
    expect(room.ask(['undo', run?.run_id ?? '']).code).toBe(0);
    expect(room.dir.read('w/a.txt')).toBe('old');
  });

  test('opens no database: what it leaves is taken in by whoever looks next', () => {
    using room = openRoom();
    room.ask(['run', 'list.json']);
    expect(readdirSync(room.dir.at('state/factotum')).filter((name) => name.includes('.db'))).toEqual([]);
    expect(room.runs()).toHaveLength(1);
    expect(readdirSync(room.dir.at(`state/factotum/${SPOOL}`))).toEqual([]);
  });

  test('can be taken back without looking at the history first', () => {
    using room = openRoom();
    const { run_id } = answerOf<Listed>(room.ask(['run', 'list.json', '--json']));
    expect(room.ask(['undo', run_id])).toMatchObject({ code: 0, out: '✓ 1 change undone.\n' });
  });

  test.each([
    ['exec', ['exec', 'create_file', 'b.txt']],
    ['a short form', ['create-file', 'b.txt']],
    ['-e', ['-e', 'list.json']],
    ['--execute_str', ['--execute_str', JSON.stringify(CHANGE)]],
  ])('is recorded when it comes by %s', (_, words) => {
    using room = openRoom();
    expect(room.ask(words).code).toBe(0);
    expect(room.runs()).toMatchObject([{ state: 'ok', source: 'cli' }]);
  });

  test('that failed is recorded as that, and resumed where it was typed, nowhere else', () => {
    using room = openRoom({ 'w/list.json': '[["FA_read_file", ["late.txt"]]]', 'elsewhere/late.txt': 'wrong' });
    expect(room.ask(['run', 'list.json'])).toMatchObject({ code: 1, err: '' });
    const [run] = room.runs();
    expect(run).toMatchObject({ state: 'failed' });
    room.dir.write('w/late.txt', 'here');
    const elsewhere = factotum(['runs', 'resume', run?.run_id ?? ''], {
      cwd: room.dir.at('elsewhere'),
      env: { XDG_STATE_HOME: room.dir.at('state') },
    });
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining(`its paths count from ${room.dir.at('w')}`) });
    expect(answerOf(room.ask(['runs', 'resume', run?.run_id ?? '', '--json']))).toMatchObject({ results: [{ value: 'here' }] });
  });

  test('shows no secret in the history', () => {
    using room = openRoom({ 'w/list.json': '[["FA_substitute", ["${env:MY_TOKEN}"]], ["FA_no_such", {"password": "open sesame"}]]' });
    room.ask(['run', 'list.json'], { MY_TOKEN: 'correct-horse-battery' });
    const [run] = room.runs();
    const { out } = room.ask(['runs', 'show', run?.run_id ?? '', '--json']);
    expect(out).toContain('${env:MY_TOKEN}');
    expect(out).not.toMatch(/correct-horse|open sesame/);
  });

  test('is pruned with what is kept of it, though nobody has looked at it before', () => {
    using room = openRoom({ 'w/factotum.toml': '[store]\nundo_days = 0\n' });
    room.ask(['run', 'list.json']);
    expect(room.ask(['runs', 'prune']).out).toBe('0 runs deleted; 1 runs can no longer be undone.\n');
    expect(room.keepsOld()).toBe(false);
  });
});

test('a service on the same store shows the run at once and takes it back', async () => {
  using room = openRoom();
  const serving = startFactotum(['serve', '--port', '0', '--no-tcp'], room.dir.at('w'), { XDG_STATE_HOME: room.dir.at('state') });
  try {
    const [url] = await firstLine(serving.stdout, /(?<=^Listening on )\S+/);
    const { run_id } = answerOf<Listed>(room.ask(['run', 'list.json', '--json']));
    const listed = await (await fetch(`${url}/runs`)).json();
    expect(listed).toMatchObject({ runs: [{ run_id, source: 'cli', state: 'ok' }] });
    expect((await fetch(`${url}/runs/${run_id}/undo`, { method: 'POST' })).status).toBe(202);
    await expect.poll(() => room.dir.read('w/a.txt'), { timeout: 10_000 }).toBe('old');

    const second = answerOf<Listed>(room.ask(['run', 'list.json', '--json']));
    expect(room.runs()).toMatchObject([{ run_id: second.run_id }, {}, { run_id }]);
    expect(room.ask(['undo', second.run_id]).code).toBe(0);
    const third = answerOf<Listed>(room.ask(['run', 'list.json', '--json']));
    expect(await (await fetch(`${url}/runs/${third.run_id}`)).json()).toMatchObject({ run_id: third.run_id });
  } finally {
    serving.kill('SIGKILL');
  }
});

const firstLine = async (lines: NodeJS.ReadableStream, pattern: RegExp): Promise<readonly string[]> => {
  for await (const line of createInterface({ input: lines })) {
    const found = pattern.exec(line);
    if (found !== null) return found;
  }
  throw new Error(`Nothing said ${pattern}.`);
};

describe('nothing is recorded', () => {
  test.each<[string, readonly string[], Record<string, string>]>([
    ['with --no-history', ['run', 'list.json', '--no-history'], {}],
    ['by exec with --no-history', ['exec', 'create_file', 'b.txt', '--no-history'], {}],
    ['by older flags with --no-history', ['--no-history', '-e', 'list.json'], {}],
    ['where a variable says so', ['run', 'list.json'], { FACTOTUM_STORE_HISTORY: 'false' }],
    ['of a dry run', ['run', 'list.json', '--dry-run'], {}],
    ['of one action in a dry run', ['exec', '--dry-run', 'create_file', 'b.txt'], {}],
    ['of a list that is checked', ['validate', 'list.json'], {}],
    ['of looking at actions', ['actions', 'create_file'], {}],
    ['of a plan that has changed', ['run', 'list.json', '--expect-plan', 'another'], {}],
  ])('%s', (_, words, env) => {
    using room = openRoom();
    expect(room.ask(words, env)).toMatchObject({ err: expect.not.stringContaining('Undo with') });
    if (!room.isUntouched()) expect(readdirSync(room.dir.at(`state/factotum/${SPOOL}`))).toEqual([]);
    expect(room.runs()).toEqual([]);
  });

  test('where the configuration says so', () => {
    using room = openRoom({ 'w/factotum.toml': '[store]\nhistory = false\n' });
    expect(room.ask(['run', 'list.json'])).toMatchObject({ code: 0, err: '' });
    expect(room.isUntouched()).toBe(true);
  });
});

test('once a day a run has old ones pruned behind its back', async () => {
  using room = openRoom({ 'w/factotum.toml': '[store]\nundo_days = 0\n' });
  room.ask(['run', 'list.json']);
  expect(room.keepsOld()).toBe(true);
  room.ask(['run', 'list.json']);
  expect(existsSync(room.dir.at('state/factotum/factotum.db'))).toBe(false);
  utimesSync(room.dir.at('state/factotum/tidied'), 0, 0);
  room.ask(['run', 'list.json']);
  await expect.poll(() => room.keepsOld(), { timeout: 15_000 }).toBe(false);
  // Closing the store empties its log.
  await expect.poll(() => statSync(room.dir.at('state/factotum/factotum.db-wal')).size, { timeout: 15_000 }).toBe(0);
});

describe('the hint how to undo', () => {
  test.each([
    ['--quiet', ['run', 'list.json', '--quiet']],
    ['--json', ['run', 'list.json', '--json']],
    ['exec into a pipe', ['exec', 'create_file', 'b.txt']],
    ['a list that only looks', ['-e', 'look.json']],
  ])('is left out for %s', (_, words) => {
    using room = openRoom({ 'w/look.json': '[["FA_read_file", ["a.txt"]]]' });
    expect(room.ask(words)).toMatchObject({ code: 0, err: '' });
  });
});

test('the configuration says where: its file of the store has the spool beside it', () => {
  using room = openRoom({ 'w/factotum.toml': '[store]\npath = "private/history.db"\n' });
  mkdirSync(room.dir.at('w/private'), { mode: 0o700 });
  room.ask(['run', 'list.json']);
  expect(readdirSync(room.dir.at(`w/private/${SPOOL}`))).not.toEqual([]);
  expect(room.runs()).toHaveLength(1);
  expect(room.isUntouched()).toBe(true);
});

describe('a state directory that cannot be used costs one line, not the run', () => {
  test('something else is in its place', () => {
    using room = openRoom({ state: 'in the way' });
    expect(room.ask(['run', 'list.json'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^! This run is not recorded and cannot be undone: .*\n$/),
    });
    expect(room.dir.read('w/a.txt')).toBe('new');
  });

  test('others can look into it', () => {
    using room = openRoom();
    mkdirSync(room.dir.at('state/factotum'), { recursive: true });
    chmodSync(room.dir.at('state/factotum'), 0o755);
    expect(room.ask(['run', 'list.json'])).toMatchObject({ code: 0, err: expect.stringMatching(/^! .*run chmod go= .*\n$/) });
  });

  describe.skipIf(!canMount)('a disk', () => {
    test.each(['full', 'read-only'] as const)('that is %s', (how) => {
      using disk = smallDisk();
      using room = openRoom();
      if (how === 'full') disk?.fill();
      else disk?.allowWriting(false);
      expect(room.ask(['run', 'list.json'], { XDG_STATE_HOME: disk?.path ?? '' })).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^! This run is not recorded and cannot be undone: .*\n$/),
      });
      expect(room.dir.read('w/a.txt')).toBe('new');
    });

    test('that is full in the middle of a list', () => {
      using disk = smallDisk();
      const fill = ['sh', '-c', `cat /dev/zero > ${disk?.path}/filler 2>/dev/null; true`];
      const files = Array.from({ length: 200 }, (_, at) => ['FA_create_file', [`b${at}.txt`, 'new']]);
      using room = openRoom({ 'w/list.json': JSON.stringify([...files.slice(0, 2), ['FA_run_shell', [fill]], ...files.slice(2)]) });
      const { code, err } = room.ask(['run', 'list.json', '--quiet'], { XDG_STATE_HOME: disk?.path ?? '' });
      expect({ code, err }).toEqual({
        code: 0,
        err: expect.stringMatching(/^! What this run changes from here on cannot be undone: .*\n$/),
      });
      expect(room.dir.read('w/b199.txt')).toBe('new');
    });
  });
});
