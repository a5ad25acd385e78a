import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { loadActions } from '../../laws/all-actions.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitingActions } from '../../support/waiting-actions.ts';

// What can one caller see, block, read or remove of another by its name? Every action that takes a name is asked twice: where somebody
// else has something of that name, and where nobody has. A caller with limits must not be able to tell the two apart.

const NAME = 'x';
const nothing = { payload: 1 };
const steps = [['FA_substitute', nothing]];
const job = { name: NAME, cron_expression: '0 3 * * *', action_list: steps };
const watcher = { name: NAME, path: '.', action_list: steps };
const monitor = { name: NAME, root: '.', manifest_path: 'manifest.json' };

/** What somebody else has made of that name before. */
const made: readonly unknown[] = [
  ['FA_schedule_add', job],
  ['FA_watch_start', watcher],
  ['FA_write_manifest', { root: '.', manifest_path: 'manifest.json' }],
  ['FA_integrity_start', monitor],
  ['FA_lock_acquire', { name: NAME, ttl: 600, owner: 'me', timeout: 0 }],
  ['FA_with_circuit_breaker', { name: NAME, failure_threshold: 1, recovery_timeout: 600, actions: [['FA_fail', { message: 'no' }]] }],
  ['FA_with_rate_limit', { name: NAME, rate: 0.001, burst: 1, timeout: 0, actions: [] }],
];

/** How each action that takes a name is asked. */
const ASKED: Readonly<Record<string, object>> = {
  FA_schedule_add: job,
  FA_schedule_remove: { name: NAME },
  FA_schedule_next: { name: NAME },
  FA_schedule_pause: { name: NAME },
  FA_schedule_resume: { name: NAME },
  FA_watch_start: watcher,
  FA_watch_stop: { name: NAME },
  FA_integrity_start: monitor,
  FA_integrity_stop: { name: NAME },
  FA_lock_acquire: { name: NAME, ttl: 600, owner: 'me', timeout: 0 },
  FA_lock_release: { name: NAME, owner: 'me' },
  FA_lock_refresh: { name: NAME, owner: 'me', ttl: 60 },
  FA_with_lock: { name: NAME, timeout: 0, actions: steps },
  FA_circuit_state: { name: NAME },
  FA_circuit_reset: { name: NAME },
  FA_with_circuit_breaker: { name: NAME, actions: steps },
  FA_with_rate_limit: { name: NAME, rate: 0.001, burst: 1, timeout: 0, actions: [] },
  FA_progress_get: { name: NAME },
  FA_progress_cancel: { name: NAME },
  FA_progress_forget: { name: NAME },
};

/** Actions that take no name, and look at or clear away everything of a kind. */
const LISTS: readonly string[] = [
  'FA_schedule_list',
  'FA_schedule_remove_all',
  'FA_watch_list',
  'FA_watch_stop_all',
  'FA_integrity_list',
  'FA_progress_list',
  'FA_progress_clear',
];

/** Names that are no caller's: of actions, of things in files that the policy judges, of what is the owner's alone. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  'FA_describe_action',
  'FA_callback',
  'FA_notify_unregister',
  'FA_notify_register',
  'FA_notify_send',
]);

const guestOf =
  ({ dir }: TestHouse) =>
  (name: string) => ({
    name,
    remote: true,
    policy: createPolicy({ readWrite: [dir.path], executes: true, network: true }),
  });

const openRoom = async (hasOthers: boolean) => {
  const state = tempDir();
  const house = openHouse({ store: state.at('state/s.db'), logLevel: 'error', files: { 'a.txt': 'a' } });
  const waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  const caller = guestOf(house);
  const run = async (name: string, list: readonly unknown[]) => (await house.factotum.run(list, { caller: caller(name) })).results;
  await house.run([['FA_write_manifest', { root: '.', manifest_path: 'manifest.json' }]]);
  if (hasOthers) {
    for (const { status, action } of await run('victim', made))
      if (action !== 'FA_with_circuit_breaker') expect([action, status]).toEqual([action, 'ok']);
    house.factotum.progress.create(NAME, {});
  }
  return {
    house,
    ask: async (action: string, args: object) => {
      const [entry] = await run('guest', [[action, args]]);
      const { duration_ms: _, steps: _steps, ...told } = entry ?? expect.fail();
      // Ids, times, counts and places of the two rooms differ.
      return JSON.stringify(told)
        .replaceAll(house.dir.path, '.')
        .replace(/[0-9a-f]{4,}(?:-[0-9a-f]{4,})*|[\d.:]+/g, '0');
    },
    /** What the victim has, by its own eyes. */
    victim: async () => {
      const [schedules, watchers, monitors, circuit, lock] = await run('victim', [
        ['FA_schedule_list'],
        ['FA_watch_list'],
        ['FA_integrity_list'],
        ['FA_circuit_state', { name: NAME }],
        ['FA_lock_refresh', { name: NAME, owner: 'me', ttl: 600 }],
      ]);
      const names = [schedules, watchers, monitors].map((entry) => {
        const things = entry?.value as readonly { readonly name: string }[]; // as the reference says of each
        return things.map(({ name }) => name);
      });
      return { names, circuit: circuit?.value, lock: lock?.status };
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      state[Symbol.dispose]();
    },
  };
};

test('every action that takes a name is asked', async () => {
  const named = (await loadActions()).filter(({ keys }) => keys.includes('name')).map(({ about }) => about.name);
  expect(named.filter((name) => ASKED[name] === undefined && !OTHER_NAMES.has(name))).toEqual([]);
});

describe('a caller with limits', () => {
  let withOthers: Awaited<ReturnType<typeof openRoom>>;
  let alone: Awaited<ReturnType<typeof openRoom>>;
  beforeAll(async () => {
    [withOthers, alone] = [await openRoom(true), await openRoom(false)];
  });
  afterAll(async () => {
    await withOthers[Symbol.asyncDispose]();
    await alone[Symbol.asyncDispose]();
  });

  const questions = [...Object.entries(ASKED), ...LISTS.map((name) => [name, {}] as const)];
  test.each(questions)('%s does not tell whether somebody else has one of that name', async (action, args) => {
    const [met, unmet] = [await withOthers.ask(action, args), await alone.ask(action, args)];
    expect(met).toEqual(unmet);
    expect(await withOthers.victim()).toEqual({ names: [[NAME], [NAME], [NAME]], circuit: 'open', lock: 'ok' });
  });
});
