import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import type { Notification } from '../../core/ports/notify.ts';
import type { Verified } from '../../lib/manifest/verify-manifest.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import { type CheckRequest, createMonitors, type MonitorService } from './monitors.ts';

const WELL: Verified = { matched: ['a', 'b'], missing: [], modified: [], extra: [], errors: [] };
const SITE = { name: 'site', root: '/site', manifestPath: '/m.json', intervalS: 120, alertOnExtra: false, sinks: null };

const time = () => manualTime('2026-01-05T12:00:00Z');
let now: ReturnType<typeof time>;
let store: ReturnType<typeof memoryStore>;
let monitors: MonitorService;
let found: () => Promise<Verified>;
let checks: CheckRequest[];
let sent: { message: Notification; sinks: readonly string[] | undefined }[];
let sinks: string[];
/** Done once a sink has taken its message. */
let taken: Promise<void>;

const open = async () => {
  monitors = createMonitors({
    store,
    clock: now.clock,
    setTimer: now.setTimer,
    log: () => {},
    verify(request) {
      checks.push(request);
      return found();
    },
    notify: {
      async send(message, names) {
        sent.push({ message, sinks: names });
        await taken;
        return {};
      },
      list: async () => sinks.map((name) => ({ name, type: 'slack' })),
    },
  });
  await monitors.start();
};

beforeEach(async () => {
  now = time();
  store = memoryStore({ now: now.clock.now });
  found = async () => WELL;
  checks = [];
  sent = [];
  sinks = ['ops', 'boss'];
  taken = Promise.resolve();
  await open();
});
afterEach(async () => {
  await monitors.close();
  await store.close();
});

test('the first check comes after one interval, as the caller who asked', async () => {
  expect(await monitors.add(SITE, 'guest')).toEqual({
    name: 'site',
    root: '/site',
    manifest_path: '/m.json',
    interval: 120,
    alert_on_extra: false,
    running: true,
    last_check: null,
    last_summary: null,
  });
  await now.advance(119_000);
  expect(checks).toHaveLength(0);
  await now.advance(2_000);
  expect(checks).toMatchObject([{ caller: 'guest', root: '/site', manifestPath: '/m.json' }]);
  expect(await monitors.list()).toMatchObject([{ last_check: '2026-01-05T12:02:00.000Z', last_summary: { ok: true, matched: 2 } }]);
  expect(sent).toEqual([]);
  expect(now.longestTimerMs).toBeLessThanOrEqual(60_000);
});

test('a drift is told once, another one again, and its end too', async () => {
  await monitors.add({ ...SITE, sinks: ['ops'] }, 'owner');
  const modified = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  found = async () => ({ ...WELL, modified });
  await now.advance(500_000);
  const incident = { key: 'integrity[site]', phase: 'begun' };
  expect(sent).toEqual([
    {
      message: { subject: 'integrity drift: /site', body: 'modified: a, b, c, d, e and 2 more', level: 'error', incident },
      sinks: ['ops'],
    },
  ]);
  found = async () => ({ ...WELL, missing: ['a'], errors: [['b', 'no']] });
  await now.advance(120_000);
  found = async () => WELL;
  await now.advance(300_000);
  expect(sent.slice(1).map(({ message }) => message.body ?? '')).toEqual([
    'missing: a\nunreadable: b',
    'Everything is again as the manifest says.',
  ]);
  expect(sent.at(-1)).toMatchObject({ message: { incident: { key: 'integrity[site]', phase: 'over' } }, sinks: ['ops'] });
});

test('a sink that is not there is refused; when those that were to be told are gone later, all are', async () => {
  await expect(monitors.add({ ...SITE, sinks: ['ops', 'opps'] }, 'owner')).rejects.toThrow(/no sink named "opps"/);
  await monitors.add({ ...SITE, sinks: ['ops', 'boss'] }, 'owner');
  sinks = ['boss', 'new'];
  found = async () => ({ ...WELL, missing: ['a'] });
  await now.advance(130_000);
  sinks = ['new'];
  found = async () => WELL;
  await now.advance(130_000);
  expect(sent.map((each) => each.sinks)).toEqual([['boss'], undefined]);
});

test('a tree whose name has more than one line is told of in one', async () => {
  found = async () => ({ ...WELL, missing: ['a'] });
  await monitors.add({ ...SITE, root: '/a\nb' }, 'owner');
  await now.advance(130_000);
  found = async () => WELL;
  await now.advance(130_000);
  expect(sent.map(({ message }) => message.subject)).toEqual(['integrity drift: /a b', 'integrity restored: /a b']);
});

test('extra files count only where that is asked for', async () => {
  found = async () => ({ ...WELL, extra: ['new'] });
  await monitors.add(SITE, 'owner');
  await monitors.add({ ...SITE, name: 'strict', root: '/strict', alertOnExtra: true }, 'owner');
  await now.advance(130_000);
  expect(sent.map(({ message }) => [message.subject, message.body])).toEqual([['integrity drift: /strict', 'extra: new']]);
});

test('a check that cannot be made is a finding', async () => {
  found = () => Promise.reject(new Error('No manifest is at /m.json.'));
  await monitors.add(SITE, 'owner');
  await now.advance(130_000);
  expect(await monitors.list()).toMatchObject([{ last_summary: { ok: false, error: 'No manifest is at /m.json.' } }]);
  expect(sent).toMatchObject([{ message: { body: 'The check could not be made: No manifest is at /m.json.' } }]);
});

test('monitors and what was told survive a restart', async () => {
  found = async () => ({ ...WELL, missing: ['a'] });
  await monitors.add(SITE, 'owner');
  await now.advance(130_000);
  await monitors.close();
  now.jumpTo('2026-01-05T14:00:00Z');
  await open();
  await now.advance(1_000);
  expect(checks).toHaveLength(2);
  expect(sent).toHaveLength(1);
});

test('a monitor that is stopped while it checks tells nothing', async () => {
  let answer = (_: Verified) => {};
  found = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await monitors.add(SITE, 'owner');
  await now.advance(130_000);
  expect(await monitors.remove('site')).toMatchObject({ running: false });
  answer({ ...WELL, missing: ['a'] });
  await now.advance(1_000);
  expect(sent).toEqual([]);
  expect(await monitors.list()).toEqual([]);
});

test('a monitor that is stopped while a drift is told stays stopped', async () => {
  let take = () => {};
  taken = new Promise((resolve) => {
    take = resolve;
  });
  found = async () => ({ ...WELL, missing: ['a'] });
  await monitors.add(SITE, 'owner');
  await now.advance(130_000);
  expect(sent).toHaveLength(1);
  await monitors.remove('site');
  take();
  await now.advance(300_000);
  expect(await monitors.list()).toEqual([]);
  expect(checks).toHaveLength(1);
});

test('names are there once, and unknown ones are refused', async () => {
  await monitors.add(SITE, 'owner');
  await expect(monitors.add(SITE, 'owner')).rejects.toThrow(/already/);
  await expect(monitors.add({ ...SITE, name: '' }, 'owner')).rejects.toThrow(/1 to 256/);
  await expect(monitors.remove('other')).rejects.toThrow(/FA_integrity_list/);
});
