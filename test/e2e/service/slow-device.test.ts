import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type HeldCall, holdCalls } from '../../support/held-calls.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from './served.ts';

const canHold = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

/** For each call of the system a command that makes it on a held path, and what it gives in the end. */
const COMMANDS: Readonly<Record<HeldCall, readonly [unknown, unknown]>> = {
  stat: [['FA_stat', { path: 'slow/held' }], { size: 4 }],
  open: [['FA_read_file', { file_path: 'slow/held' }], 'text'],
  read: [['FA_read_file', { file_path: 'slow/held' }], 'text'],
  readdir: [['FA_list_dir', { dir_path: 'slow/held-dir' }], []],
  rename: [['FA_create_file', { file_path: 'slow/held-new', content: 'x' }], null],
};

const openRoom = async (call: HeldCall) => {
  const dir = tempDir({ 'w/slow/held': 'text', 'w/slow/held-dir/.keep': '', 'w/other/a': '1', 'w/other/b': '2' });
  const calls = holdCalls(dir.path, call);
  if (calls === undefined) throw new Error('the library that holds calls could not be built');
  const served = startServed({ cwd: dir.at('w'), state: dir.at('state'), env: calls.env });
  const url = await served.url;
  const post = async (
    list: unknown,
    signal?: AbortSignal,
  ): Promise<{ run_id: string; results: { status: string; value: unknown; error?: { type: string } }[] }> => {
    const answer = await fetch(`${url}/actions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(list),
      ...(signal && { signal }),
    });
    return (await answer.json()) as Awaited<ReturnType<typeof post>>; // the answer to a list
  };
  return {
    dir,
    calls,
    served,
    post,
    undo: async (runId: string) => (await fetch(`${url}/runs/${runId}/undo`, { method: 'POST' })).status,
    health: async () => (await fetch(`${url}/healthz`)).status,
    async [Symbol.asyncDispose]() {
      calls.letGo();
      await served[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

/** Lists that look at a held file in other ways than by a command that runs on another thread. */
const LOOKS: Readonly<Record<string, unknown>> = {
  'a dry run': { actions: [['FA_copy_file', { file_path: 'slow/held', target_path: 'slow/copy' }]], dry_run: true },
  'a condition': [['FA_if_exists', { path: 'slow/held', then: [['FA_substitute', { payload: 1 }]] }]],
};

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, work));

test.skipIf(!canHold).each(Object.keys(COMMANDS) as HeldCall[])(
  'a device that does not answer to %s holds up nobody else',
  { timeout: 120_000 },
  async (call) => {
    await using room = await openRoom(call);
    const { post, health, calls } = room;
    const [command, value] = COMMANDS[call];
    expect((await post([['FA_list_dir', { dir_path: 'other' }]])).results[0]?.status).toBe('ok');
    calls.hold();
    let hasEnded = 0;
    const held = times(6, async () => {
      const answer = await post([command]);
      hasEnded += 1;
      return answer;
    });
    // All of this happens while the device is silent: nothing here waits for it.
    for (let at = 0; at < 100; at += 1) expect(await health()).toBe(200);
    for (let at = 0; at < 20; at += 1) {
      const answers = await times(10, () => post([['FA_list_dir', { dir_path: 'other' }]]));
      expect(answers.map(({ results }) => results[0]?.status)).toEqual(Array.from({ length: 10 }, () => 'ok'));
    }
    expect(hasEnded).toBe(0);
    calls.letGo();
    for (const { results } of await held)
      expect(results[0]).toMatchObject({ status: 'ok', ...(value !== null && call !== 'readdir' && { value }) });
  },
);

test.skipIf(!canHold).each(Object.keys(LOOKS))('%s that waits for a device holds up nobody else', { timeout: 120_000 }, async (what) => {
  await using room = await openRoom('stat');
  const { post, health, calls } = room;
  calls.hold();
  let hasEnded = false;
  const held = post(LOOKS[what]).then((answer) => {
    hasEnded = true;
    return answer;
  });
  for (let at = 0; at < 50; at += 1) expect(await health()).toBe(200);
  const answers = await times(10, () => post([['FA_list_dir', { dir_path: 'other' }]]));
  expect(answers.map(({ results }) => results[0]?.status)).toEqual(Array.from({ length: 10 }, () => 'ok'));
  expect(hasEnded).toBe(false);
  calls.letGo();
  expect((await held).results[0]?.status).toMatch(/ok|planned/);
});

test.skipIf(!canHold)('a command that waits for a device is answered when its time is up', { timeout: 120_000 }, async () => {
  await using room = await openRoom('stat');
  room.calls.hold();
  const graph = (count: number) => ({
    nodes: Array.from({ length: count }, (_, at) => ({ id: `n${at}`, action: ['FA_stat', { path: 'slow/held' }], timeout_s: 1 })),
  });
  const answers = await Promise.all(Array.from({ length: 6 }, () => room.post(graph(1))));
  expect(answers.map(({ results }) => results[0]?.error?.type)).toEqual(Array.from({ length: 6 }, () => 'TimeoutException'));
});

test.skipIf(!canHold)('what was done before a device stopped answering can be undone', { timeout: 120_000 }, async () => {
  await using room = await openRoom('rename');
  const { dir, calls, post } = room;
  calls.hold();
  const node = (id: string, path: string, more: object) => ({
    id,
    action: ['FA_create_file', { file_path: path, content: 'new' }],
    ...more,
  });
  const { run_id, results } = await post({
    nodes: [node('one', 'other/a', {}), node('two', 'slow/held', { depends_on: ['one'], timeout_s: 2 })],
  });
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ok', 'TimeoutException']);
  expect([dir.read('w/other/a'), dir.read('w/slow/held')]).toEqual(['new', 'text']);
  expect(await room.undo(run_id)).toBe(202);
  await expect.poll(() => dir.read('w/other/a'), { timeout: 20_000 }).toBe('1');
  expect(dir.read('w/slow/held')).toBe('text');
});

test.skipIf(!canHold)('a service with commands that wait for a device stops all the same', { timeout: 120_000 }, async () => {
  await using room = await openRoom('stat');
  expect((await room.post([['FA_list_dir', { dir_path: 'other' }]])).results[0]?.status).toBe('ok');
  room.calls.hold();
  const held = times(4, () => room.post([['FA_stat', { path: 'slow/held' }]]).catch(() => undefined));
  await expect.poll(async () => room.health()).toBe(200);
  await room.served.stop('SIGTERM');
  await held;
});
