import { afterAll, describe, expect, test } from 'vitest';
import { openNotifier, sinkCertificates, type TestNotifierOptions } from '../../../test/support/notify/open-notifier.ts';
import { createInstance } from '../../app/create.ts';
import { ConfigException, SchedulerException } from '../../core/errors.ts';
import type { RunResult } from '../../core/result.ts';
import type { EndedRun } from './failures.ts';
import type { Notifier } from './notifier.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const HOOK = { type: 'webhook', name: 'one', url: 'https://hook.example/' };
const open = (sinks: readonly object[] = [HOOK], options: Partial<TestNotifierOptions> = {}) =>
  openNotifier({ certificates, sinks, ...options });

/** How a real run of a list ends. */
const runOf = async (list: unknown): Promise<RunResult> => {
  await using factotum = createInstance({ log: { level: 'silent' } });
  return await factotum.run(list);
};
const FAILED = await runOf([['FA_progress_list'], ['FA_file_checksum', ['/no/such/file']], ['FA_no_such_action']]);
const FINE = await runOf([['FA_progress_list']]);

/** Tells the notifier of the end of a run. */
const end = (
  notifier: Notifier,
  outcome: EndedRun['outcome'],
  { name = 'nightly', source = 'schedule' }: Partial<EndedRun['claim']> = {},
) => notifier.runEnded({ claim: { source, name, runId: 'r-1' }, outcome });

test.each([
  ['schedule', 'scheduler'],
  ['watch', 'trigger'],
  ['queue', 'queue'],
] as const)('a run of a %s that does not end ok is told', async (source, origin) => {
  await using world = await open();
  await end(world.notifier, FAILED, { source });
  expect(world.bodies()).toMatchObject([
    {
      subject: `factotum: ${origin}[nightly] failed`,
      body: expect.stringMatching(/^FA_file_checksum \(2 of 3\) failed with FileNotExistsException: .*\n1 more did not end well\.$/),
      level: 'error',
      context: { run_id: 'r-1' },
    },
  ]);
});

test('a list that was refused as a whole is told too', async () => {
  await using world = await open();
  await end(world.notifier, new SchedulerException('The list is gone.'));
  expect(world.bodies()).toMatchObject([{ body: 'SchedulerException: The list is gone.' }]);
});

test('a cancelled run says how it ended', async () => {
  await using world = await open();
  await end(world.notifier, { ...FINE, ok: false, status: 'cancelled', results: [] });
  expect(world.bodies()).toMatchObject([{ body: 'The run ended as cancelled.' }]);
});

test('without a sink a failure is nobody’s business', async () => {
  await using world = await open([]);
  await world.notifier.notifyOnFailure('scheduler[nightly]', new Error('no'));
  await end(world.notifier, FAILED);
  expect(await world.store.states.list('notify.failing')).toEqual([]);
});

test('whoever reports a failure never fails for it', async () => {
  await using world = await open();
  await world.store.close();
  await world.notifier.notifyOnFailure('a job\r\nwith a strange name', { strange: true });
  await end(world.notifier, FINE);
  await world.notifier.notifyOnFailure(Symbol('no text') as unknown as string, new Error('no'));
  expect(world.bodies()).toMatchObject([{ subject: 'factotum: a job with a strange name failed' }]);
});

test('a run that somebody waits for is not told', async () => {
  await using world = await open();
  await end(world.notifier, FAILED, { source: 'http' });
  expect(world.bodies()).toEqual([]);
});

test('a list without a name fails for itself: the next one is no recovery', async () => {
  await using world = await open();
  await end(world.notifier, FAILED, { source: 'queue', name: null });
  await end(world.notifier, FINE, { source: 'queue', name: null });
  expect(world.bodies()).toMatchObject([{ subject: 'factotum: queue failed' }]);
});

describe('recovery', () => {
  test('comes after the failure, however close they are', async () => {
    const waiting: (() => void)[] = [];
    await using world = await open([HOOK], { answer: (_, response) => void waiting.push(() => response.end()) });
    const both = [end(world.notifier, FAILED), end(world.notifier, FINE)];
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
    await Promise.all(both);
    expect(world.bodies()).toMatchObject(
      [{ subject: /failed$/ }, { subject: /works again$/ }].map(({ subject }) => ({ subject: expect.stringMatching(subject) })),
    );
  });

  test('is told once, after a failure that was told, also after a restart', async () => {
    await using world = await open();
    await end(world.notifier, FINE);
    await end(world.notifier, FAILED);
    const restarted = world.restarted();
    await end(restarted, FINE, { name: 'other' });
    await end(restarted, FINE);
    await end(restarted, FINE);
    expect(world.bodies()).toMatchObject([
      { subject: 'factotum: scheduler[nightly] failed' },
      { subject: 'factotum: scheduler[nightly] works again', body: 'It had failed since 2026-03-02T12:00:00.000Z.', level: 'info' },
    ]);
  });

  test('reaches a sink that takes only errors, and none that does not want it', async () => {
    const picky = { ...HOOK, name: 'picky', url: 'https://hook.example/picky', min_level: 'error' };
    const silent = { ...HOOK, name: 'silent', url: 'https://hook.example/silent', recovery: false };
    await using world = await open([picky, silent]);
    await end(world.notifier, FAILED);
    await end(world.notifier, FINE);
    const reached = world.receiver.requests.map(({ url }) => url);
    expect(reached.filter((url) => url.endsWith('picky'))).toHaveLength(2);
    expect(reached.filter((url) => url.endsWith('silent'))).toHaveLength(1);
  });

  test('is never the last word on a job that fails again, however soon', async () => {
    await using world = await open();
    for (const outcome of [FAILED, FINE, FAILED, FAILED, FINE]) await end(world.notifier, outcome);
    expect(world.bodies().map((body) => (body as { subject: string }).subject.split('] ')[1])).toEqual([
      'failed',
      'works again',
      'failed', // and once: the next one says the same
      'works again',
    ]);
  });

  test('resolves the incident that the failure opened', async () => {
    await using world = await open([{ type: 'pagerduty', name: 'pager', routing_key: 'k' }]);
    await end(world.notifier, FAILED);
    await end(world.notifier, FINE);
    const [opened, resolved] = world.bodies() as { event_action: string; dedup_key: string }[];
    expect([opened?.event_action, resolved?.event_action]).toEqual(['trigger', 'resolve']);
    expect(resolved?.dedup_key).toBe(opened?.dedup_key);
    expect(opened?.dedup_key.length).toBeLessThanOrEqual(255);
  });
});

test('a run that ends while the service stops is told', async () => {
  await using world = await open();
  void end(world.notifier, FAILED);
  void world.notifier.notifyOnFailure('a job', new Error('no'));
  await world.notifier.close();
  expect(world.bodies()).toHaveLength(2);
});

test('a part of the house that fails is told, and that it works again', async () => {
  await using world = await open();
  await world.notifier.checked('configuration');
  await world.notifier.checked('configuration', new ConfigException('There is no key http.prot.'));
  await world.notifier.checked('configuration', new ConfigException('There is no key http.prt.'));
  await world.notifier.checked('configuration');
  await world.notifier.checked('configuration');
  expect(world.bodies()).toMatchObject([
    { subject: 'factotum: configuration failed', body: 'ConfigException: There is no key http.prot.', level: 'error' },
    { subject: 'factotum: configuration failed', body: 'ConfigException: There is no key http.prt.', level: 'error' },
    { subject: 'factotum: configuration works again', level: 'info' },
  ]);
});
