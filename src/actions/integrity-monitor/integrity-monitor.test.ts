import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openWatchGateway } from '../../../test/support/watch-gateway.ts';
import { ActionACL } from '../../access/acl.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import type { Notification, Notifications } from '../../core/ports/notify.ts';
import { memoryStore } from '../../services/engine/memory/memory-store.ts';
import { createMonitors, monitorsForActions } from '../../services/integrity/monitors.ts';

const open = () => {
  const dir = tempDir({ 'd/a.txt': 'abc', 'd/b.txt': 'x' });
  const time = manualTime('2026-01-05T12:00:00Z');
  const store = memoryStore({ now: time.clock.now });
  const sent: Notification[] = [];
  const notify = {
    async send(message: Notification) {
      sent.push(message);
      return {};
    },
  } as Partial<Notifications> as Notifications; // nothing else is called here
  const monitors = createMonitors({
    store,
    clock: time.clock,
    setTimer: time.setTimer,
    log: () => {},
    verify: () => Promise.reject(new Error('not due')),
  });
  const gateway = openWatchGateway(dir.path, {
    integrity: (callerOf) => monitorsForActions(monitors, callerOf, (_share, _askedBy, work) => work()),
    notify,
  });
  return {
    dir,
    sent,
    run: (actions: readonly unknown[], caller: Caller = OWNER) => gateway.run(actions, { caller }),
    async [Symbol.asyncDispose]() {
      await monitors.close();
      await store.close();
      dir[Symbol.dispose]();
    },
  };
};

const WRITE = ['FA_write_manifest', ['d', 'm.json']];
const CHECK = ['FA_integrity_check', ['d', 'm.json']];

test('a tree that is as its manifest says is told to nobody', async () => {
  await using room = open();
  const { results } = await room.run([WRITE, CHECK]);
  expect(results[1]).toMatchObject({ status: 'ok', value: { matched: ['a.txt', 'b.txt'], ok: true } });
  expect(room.sent).toEqual([]);
});

test('a path that looks like a reference is taken as it is', async () => {
  await using room = open();
  room.dir.write('${cwd}/a.txt', '1');
  const names = { root: '$${cwd}', manifest_path: 'm.json' };
  const { results } = await room.run([
    ['FA_write_manifest', names],
    ['FA_integrity_check', names],
  ]);
  expect(results[1]).toMatchObject({ value: { matched: ['a.txt'], ok: true } });
});

test('a directory that cannot be read may hold extra files: where those count, nothing is well', async () => {
  await using room = open();
  await room.run([WRITE]);
  room.dir.write('d/locked/new.txt', '1');
  chmodSync(room.dir.at('d/locked'), 0o000);
  const strict = ['FA_integrity_check', { root: 'd', manifest_path: 'm.json', alert_on_extra: true }];
  const failing = ['FA_integrity_check', { root: 'd', manifest_path: 'm.json', alert_on_extra: true, on_mismatch: 'fail' }];
  const { results } = await asOrdinaryUser(room.dir.path, () => room.run([CHECK, strict, failing]));
  expect(results[0]).toMatchObject({ status: 'ok', value: { ok: true, errors: [] } });
  expect(results[1]).toMatchObject({
    status: 'ok',
    value: { ok: false, errors: [[room.dir.at('d/locked'), expect.stringContaining('could not be read')]] },
  });
  expect(results[2]).toMatchObject({ status: 'failed', error: { type: 'ManifestException' } });
  expect(room.sent.map(({ body }) => body)).toEqual(Array.from({ length: 2 }, () => `unreadable: ${room.dir.at('d/locked')}`));
});

test('a changed tree is told, extra files only where that is asked for', async () => {
  await using room = open();
  await room.run([WRITE]);
  room.dir.write('d/new.txt', '1');
  expect((await room.run([CHECK])).results).toMatchObject([{ value: { extra: ['new.txt'], ok: true } }]);
  expect(room.sent).toEqual([]);
  const strict = ['FA_integrity_check', { root: 'd', manifest_path: 'm.json', alert_on_extra: true }];
  expect((await room.run([strict])).results).toMatchObject([{ value: { ok: false } }]);
  room.dir.write('d/a.txt', 'abd');
  expect((await room.run([CHECK])).results).toMatchObject([{ value: { modified: ['a.txt'], ok: false } }]);
  expect(room.sent.map(({ subject, body }) => [subject, body])).toEqual([
    [`integrity drift: ${room.dir.at('d')}`, 'extra: new.txt'],
    [`integrity drift: ${room.dir.at('d')}`, 'modified: a.txt'],
  ]);
});

test('a check that cannot be made says why, and is told', async () => {
  await using room = open();
  expect((await room.run([CHECK])).results).toMatchObject([
    { status: 'ok', value: { ok: false, matched: [], error: expect.stringContaining('No manifest') } },
  ]);
  expect(room.sent).toHaveLength(1);
});

test('a check that the caller may not make is refused, and told to nobody', async () => {
  await using room = open();
  await room.run([WRITE]);
  const guest: Caller = { name: 'guest', remote: true, acl: new ActionACL({ deny: ['FA_verify_manifest'] }) };
  for (const caller of [guest, { name: 'other', remote: true, policy: createPolicy({ readWrite: [room.dir.at('elsewhere')] }) }])
    for (const on_mismatch of ['report', 'fail']) {
      const check = ['FA_integrity_check', { root: 'd', manifest_path: 'm.json', on_mismatch }];
      const [outcome] = (await room.run([check], caller)).results;
      expect(outcome).toMatchObject({ status: 'failed', error: { type: expect.stringMatching(/^(Policy|ActionNotPermitted)Exception$/) } });
    }
  expect(room.sent).toEqual([]);
});

test('monitors are started, listed and stopped', async () => {
  await using room = open();
  const { results } = await room.run([
    WRITE,
    ['FA_integrity_start', ['site', 'd', 'm.json']],
    ['FA_integrity_start', ['site', 'd', 'm.json', 30]],
    ['FA_integrity_list'],
    ['FA_integrity_stop', ['site']],
    ['FA_integrity_list'],
  ]);
  const shown = { name: 'site', root: room.dir.at('d'), manifest_path: room.dir.at('m.json'), interval: 60, running: true };
  expect(results.slice(1)).toMatchObject([
    { value: shown },
    { error: { type: 'ManifestException' } },
    { value: [shown] },
    { value: { ...shown, running: false } },
    { value: [] },
  ]);
});
