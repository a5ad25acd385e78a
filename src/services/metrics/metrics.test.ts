import { expect, test } from 'vitest';
import { fixtureActions } from '../../../test/support/fixture-actions.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { OWNER } from '../../access/caller.ts';
import { createInstance } from '../../app/create.ts';
import { buildDefaultRegistry } from '../../app/default-registry.ts';
import type { LimitSnapshot } from '../../core/ports/limits.ts';
import { createMetrics } from './metrics.ts';

/** A house whose runs are counted. */
const openCounted = () => {
  const registry = buildDefaultRegistry();
  registry.registerMany(fixtureActions().actions);
  const limits: LimitSnapshot[] = [];
  const metrics = createMetrics({ registry, limits: async () => limits, inFlight: () => 0 });
  const dir = tempDir();
  const factotum = createInstance({ cwd: dir.path, registry, observer: metrics.observer, log: { level: 'silent' } });
  const close = async () => {
    await factotum.close();
    dir[Symbol.dispose]();
  };
  return { registry, limits, metrics, factotum, [Symbol.asyncDispose]: close };
};

/** The lines of ours, without comments and the buckets of durations. */
const figures = (text: string): string[] => text.split('\n').filter((line) => /^factotum_(?!.*(?:_bucket|_sum|_count)\b)/.test(line));

test('the metrics are exactly these', async () => {
  await using house = openCounted();
  const text = await house.metrics.render();
  expect([...text.matchAll(/^# TYPE (factotum_\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)).toEqual([
    'factotum_actions_total counter',
    'factotum_action_duration_seconds histogram',
    'factotum_runs_total counter',
    'factotum_runs_in_flight gauge',
    'factotum_queue_depth gauge',
    'factotum_schedule_fires_total counter',
    'factotum_watch_events_total counter',
    'factotum_notifications_total counter',
    'factotum_transfer_bytes_total counter',
    'factotum_breaker_state gauge',
    'factotum_caller_breakers gauge',
  ]);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
});

test('runs count by caller, commands by action, those of nested lists too', async () => {
  await using house = openCounted();
  await house.factotum.run([
    ['FA_t_touch'],
    ['FA_t_run_list', { action_list: [['FA_t_touch'], ['FA_t_typed', {}], ['FA_t_run_list', { action_list: [['FA_t_touch']] }]] }],
    ['FA_for_each', { items: [1, 2], actions: [['FA_t_echo', ['${item}']]] }],
  ]);
  await house.factotum.run({ actions: [['FA_t_touch'], ['FA_t_run_list', { action_list: [['FA_t_touch']] }]], dry_run: true });
  await house.factotum.run([['FA_t_touch']], { caller: { ...OWNER, name: 'nightly' } });
  expect(figures(await house.metrics.render()).sort()).toEqual([
    'factotum_actions_total{action="FA_for_each",status="ok"} 1',
    'factotum_actions_total{action="FA_t_echo",status="ok"} 2',
    'factotum_actions_total{action="FA_t_run_list",status="failed"} 1',
    'factotum_actions_total{action="FA_t_run_list",status="ok"} 1',
    'factotum_actions_total{action="FA_t_run_list",status="planned"} 1',
    'factotum_actions_total{action="FA_t_touch",status="ok"} 4',
    'factotum_actions_total{action="FA_t_touch",status="planned"} 2',
    'factotum_actions_total{action="FA_t_typed",status="failed"} 1',
    'factotum_runs_in_flight 0',
    'factotum_runs_total{caller="nightly",status="ok"} 1',
    'factotum_runs_total{caller="owner",status="failed"} 1',
    'factotum_runs_total{caller="owner",status="ok"} 1',
  ]);
});

test('names that are no action count under one label, an alias under its action', async () => {
  await using house = openCounted();
  const { FA_t_touch: touch = expect.fail() } = fixtureActions().actions;
  house.registry.register('FA_t_named', { ...touch, aliases: ['FA_t_other_name'] });
  await house.factotum.run([['FA_no_such'], ['FA_nor_this'], [7], ['FA_t_other_name']]);
  expect(figures(await house.metrics.render())).toContain('factotum_actions_total{action="unknown",status="failed"} 3');
  expect(figures(await house.metrics.render())).toContain('factotum_actions_total{action="FA_t_named",status="ok"} 1');
});

test('durations stand in the agreed buckets, and only of commands that ran', async () => {
  await using house = openCounted();
  house.metrics.observer.ended(
    begun,
    result([
      { status: 'ok', duration_ms: 4 },
      { status: 'failed', duration_ms: 400_000 },
      { status: 'skipped', duration_ms: 0 },
    ]),
  );
  const lines = (await house.metrics.render()).split('\n').filter((line) => line.startsWith('factotum_action_duration_seconds'));
  const bucket = (le: string, value: number) => `factotum_action_duration_seconds_bucket{action="FA_t_touch",le="${le}"} ${value}`;
  const bounds = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30', '60', '300'];
  expect(lines).toEqual([
    bucket('0.001', 0),
    ...bounds.map((bound) => bucket(bound, 1)),
    bucket('+Inf', 2),
    'factotum_action_duration_seconds_sum{action="FA_t_touch"} 400.004',
    'factotum_action_duration_seconds_count{action="FA_t_touch"} 2',
  ]);
});

test('a run is in flight until it ends, also one that began before anybody counted; one whose plan had changed counts as failed', async () => {
  const registry = buildDefaultRegistry();
  const waiting = waitingActions();
  registry.registerMany({ ...fixtureActions().actions, ...waiting.actions });
  await using factotum = createInstance({ registry, log: { level: 'silent' } });
  const running = factotum.run([['FA_t_wait', ['a']]]);
  await waiting.untilBegun(1);
  const metrics = await factotum.metrics();
  expect(figures(await metrics.render())).toContain('factotum_runs_in_flight 1');
  waiting.release('a');
  await running;
  await expect(factotum.run({ actions: [['FA_t_touch']], expect_plan: '00' })).rejects.toMatchObject({ type: 'PlanChangedException' });
  const after = figures(await metrics.render());
  expect(after).toContain('factotum_runs_in_flight 0');
  expect(after).toContain('factotum_runs_total{caller="owner",status="failed"} 1');
});

test('other services tell of themselves through meters', async () => {
  await using house = openCounted();
  const { meters, render } = house.metrics;
  meters.queueDepth('mail', 5);
  meters.queueDepth('mail', 3);
  meters.scheduleFired('ok');
  meters.watchEvent('created');
  meters.notified('slack "ops"\n', 'sent');
  meters.transferred('s3', 'upload', 1_000);
  meters.transferred('s3', 'upload', 24);
  expect(figures(await render()).filter((line) => !line.includes('runs_in_flight'))).toEqual([
    'factotum_queue_depth{queue="mail"} 3',
    'factotum_schedule_fires_total{result="ok"} 1',
    'factotum_watch_events_total{kind="created"} 1',
    'factotum_notifications_total{sink="slack \\"ops\\"\\n",result="sent"} 1',
    'factotum_transfer_bytes_total{backend="s3",direction="upload"} 1024',
  ]);
});

test('breakers are shown as they are when somebody looks, and stay in sight when they close', async () => {
  await using house = openCounted();
  const look = async () => figures(await house.metrics.render()).filter((line) => line.includes('breaker'));
  expect(await look()).toEqual([]);
  house.limits.push(
    { kind: 'circuit_breaker', name: 'api', state: 'open', failures: 5 },
    { kind: 'circuit_breaker', name: 'disk', state: 'half_open', failures: 5 },
    { kind: 'circuit_breaker', name: 'failed once', state: 'closed', failures: 1 },
    { kind: 'rate_limit', name: 'mail', tokens: 0 },
  );
  expect(await look()).toEqual(['factotum_breaker_state{name="api"} 2', 'factotum_breaker_state{name="disk"} 1']);
  house.limits.shift();
  expect(await look()).toEqual(['factotum_breaker_state{name="api"} 0', 'factotum_breaker_state{name="disk"} 1']);
});

const begun = { runId: 'r', caller: 'owner', source: 'tcp', request: [], startedAt: new Date(0) };

const result = (outcomes: readonly { readonly status: 'ok' | 'failed' | 'skipped'; readonly duration_ms: number }[]) => ({
  run_id: 'r',
  ok: true,
  status: 'ok' as const,
  counts: { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 },
  duration_ms: 0,
  results: outcomes.map((outcome, index) => ({ index, action: 'FA_t_touch', ...outcome })),
});

test('every metric says what it is, and only counters are called totals', async () => {
  await using house = openCounted();
  await house.factotum.run([['FA_progress_list'], ['FA_no_such']]);
  const text = await house.metrics.render();
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name = '']) => name));
  expect(types.size).toBeGreaterThan(15);
  expect([...types.keys()].filter((name) => !helped.has(name))).toEqual([]);
  expect([...types].filter(([name, type]) => name.endsWith('_total') !== (type === 'counter')).map(([name]) => name)).toEqual([]);
});

test('breakers of limited callers are counted, never named, and of the others so many are shown', async () => {
  await using house = openCounted();
  const look = async () => figures(await house.metrics.render()).filter((line) => line.includes('breaker'));
  const open = (name: string): LimitSnapshot => ({ kind: 'circuit_breaker', name, state: 'open', failures: 1 });
  house.limits.push(...Array.from({ length: 5_000 }, (_, at) => open(`~guest/secret-${at}`)), open('api'));
  expect(await look()).toEqual(['factotum_breaker_state{name="api"} 2', 'factotum_caller_breakers{caller="guest",state="open"} 5000']);
  house.limits.splice(0, 5_000, ...Array.from({ length: 5_000 }, (_, at) => open(`own-${at}`)));
  const lines = await look();
  expect(lines).toHaveLength(1_001);
  expect(lines).toContain('factotum_caller_breakers{caller="guest",state="open"} 0');
});
