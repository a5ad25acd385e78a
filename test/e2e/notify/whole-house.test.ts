import { expect, test, vi } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { memoryStore } from '../../../src/services/engine/memory/memory-store.ts';
import { openWebhook } from '../../support/net/webhook.ts';
import { tempDir } from '../../support/temp-dir.ts';

const MINUTE_MS = 60_000;
const BEFORE_THE_MINUTE_MS = 2_000;
const SOON = { timeout: 30_000, interval: 20 };

/** A clock that can be set to shortly before the next minute. */
const openClock = () => {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    monotonic: () => performance.now(),
    setForward() {
      aheadMs = MINUTE_MS - BEFORE_THE_MINUTE_MS - (Date.now() % MINUTE_MS);
    },
  };
};

test('a whole house tells of every origin whose run fails, and its figures move', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'inbox/known.txt': '' });
  using hook = await openWebhook();
  const clock = openClock();
  const state = { open: () => memoryStore({ now: clock.now }), isServing: true, keepsHistory: true };
  await using factotum = createInstance({ cwd: dir.path, clock, log: { level: 'silent' }, state });
  const { notifier } = await factotum.state();
  await notifier.add({ type: 'webhook', name: 'hook', url: hook.url, allow_private_hosts: true });
  const metrics = await factotum.metrics();

  await factotum.run([['FA_schedule_list'], ['FA_watch_list'], ['FA_queue_size'], ['FA_circuit_state', ['tape']]]); // their code is loaded then
  clock.setForward();
  const failing = [['FA_file_checksum', ['missing.txt']]];
  const { results } = await factotum.run([
    ['FA_schedule_add', ['nightly', '* * * * *', failing]],
    ['FA_watch_start', { name: 'inbox', path: 'inbox', action_list: failing, settle_s: 0, debounce_s: 0 }],
    ['FA_queue_enqueue', [failing]],
    ['FA_queue_enqueue', { action: failing, run_at: clock.now() / 1000 + 3600 }],
    ['FA_with_circuit_breaker', { name: 'tape', actions: failing, failure_threshold: 1 }],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'failed']);
  dir.write('inbox/new.txt', 'x');

  await vi.waitUntil(() => hook.heard.length >= 3, SOON);
  expect(hook.heard.map(({ subject }) => subject).sort()).toEqual([
    'factotum: queue failed',
    'factotum: scheduler[nightly] failed',
    'factotum: trigger[inbox] failed',
  ]);
  for (const { body, level } of hook.heard) {
    expect([body, level]).toEqual([expect.stringMatching(/^FA_file_checksum \(1 of 1\) failed with FileNotExistsException: /), 'error']);
  }

  const moved = [
    /^factotum_actions_total\{action="FA_file_checksum",status="failed"\} 4$/m,
    /^factotum_action_duration_seconds_count\{action="FA_file_checksum"\} 4$/m,
    /^factotum_runs_total\{caller="owner",status="failed"\} 4$/m,
    /^factotum_runs_in_flight 0$/m,
    /^factotum_queue_depth\{queue="default"\} 1$/m,
    /^factotum_schedule_fires_total\{result="fired"\} 1$/m,
    /^factotum_watch_events_total\{kind="created"\} 1$/m,
    /^factotum_notifications_total\{sink="hook",result="sent"\} 3$/m,
    /^factotum_breaker_state\{name="tape"\} 2$/m,
  ];
  let text = '';
  await vi
    .waitUntil(async () => {
      text = await metrics.render();
      return moved.every((figure) => figure.test(text));
    }, SOON)
    .catch(() =>
      expect(
        moved.filter((figure) => !figure.test(text)),
        text,
      ).toEqual([]),
    );
});
