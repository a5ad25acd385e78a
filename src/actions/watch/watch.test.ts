import { mkdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RecordedCase, replay } from '../../../test/support/differential.ts';
import { openWatchGateway } from '../../../test/support/watch-gateway.ts';
import { openWatcherRoom, type WatcherRoom } from '../../../test/support/watcher-room.ts';
import { ActionACL } from '../../access/acl.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import type { Outcome } from '../../core/result.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import { watchersForActions } from '../../services/watchers/for-actions.ts';

let room: WatcherRoom;
let gateway: Gateway;

beforeEach(async () => {
  room = await openWatcherRoom();
  gateway = openWatchGateway(room.dir.path, {
    watchers: (callerOf) => watchersForActions(room.watchers, callerOf, (_share, _askedBy, work) => work()),
  });
  mkdirSync(room.dir.at('in'));
});
afterEach(() => room[Symbol.asyncDispose]());

const run = async (action: string, args: object = {}, caller: Caller = OWNER): Promise<Outcome | undefined> =>
  (await gateway.run([[action, args]], { caller })).results[0];

const inbox = { name: 'inbox', path: 'in', action_list: [['FA_file_checksum', ['${event.path}']]] };
const recorded: readonly RecordedCase[] = JSON.parse(readFileSync('test/fixtures/differential/cases-watch.json', 'utf8'));

describe('recorded behaviour', () => {
  test.each(recorded)('$id: $why', (each) =>
    replay(each, async (body) => ({ status: 200, body: await gateway.run(body, { caller: OWNER }) })),
  );
});

describe('FA_watch_start', () => {
  test.each<[string, readonly unknown[], RegExp]>([
    ['an action that there is not', [['FA_file_cheksum', ['a']]], /did you mean FA_file_checksum/],
    ['what events do not have', [['FA_file_checksum', ['${event.pth}']]], /did you mean path/],
    ['what only schedules have', [['FA_file_checksum', ['${schedule.tick}']]], /only in the list of a schedule/],
  ])('refuses a list with %s', async (_, action_list, words) => {
    const refused = { status: 'failed', error: { type: 'ValidationException', message: expect.stringMatching(words) } };
    expect(await run('FA_watch_start', { ...inbox, action_list })).toMatchObject(refused);
    expect(await run('FA_watch_list')).toMatchObject({ value: [] });
  });

  test('stores the list as written, for whoever asked', async () => {
    const reader: Caller = { ...OWNER, name: 'reader', acl: new ActionACL({ allow: ['FA_watch_*', 'FA_file_checksum'] }) };
    expect(await run('FA_watch_start', inbox, reader)).toMatchObject({ status: 'ok', value: { state: 'watching', running: true } });
    room.write('in/a.txt', '1');
    await room.pass(2_000);
    expect(await room.claim()).toMatchObject([{ caller: 'reader', body: inbox.action_list }]);
  });

  test('refuses a caller that could not run the list itself', async () => {
    const reader: Caller = { ...OWNER, name: 'reader', acl: new ActionACL({ allow: ['FA_watch_*'] }) };
    await expect(run('FA_watch_start', inbox, reader)).rejects.toThrow(/may not run FA_file_checksum/);
  });

  test('pins the path of a caller with a policy and refuses what is outside of it', async () => {
    const policy = createPolicy({ readOnly: [room.dir.at('in')] });
    const guest: Caller = { ...OWNER, name: 'guest', policy };
    expect(await run('FA_watch_start', inbox, guest)).toMatchObject({ status: 'ok' });
    expect(await room.store.watchers.get('~guest/inbox')).toMatchObject({ options: { isPinned: true, caller: 'guest' } });
    expect(await run('FA_watch_start', { ...inbox, name: 'other', path: '.' }, guest)).toMatchObject({
      error: { type: 'PolicyException' },
    });
  });

  test.each([
    [{ events: 'Deleted' }, ['deleted']],
    [{ events: [] }, ['created', 'modified']],
    [{ events: ['moved', 'created', 'moved'] }, ['created', 'moved']],
  ])('reads %j', async (given, events) => {
    expect(await run('FA_watch_start', { ...inbox, ...given })).toMatchObject({ value: { events } });
  });

  test.each([
    [{ include: ['[a'] }, /pattern/],
    [{ ready_marker: 'done' }, /exactly one/],
    [{ name: 'two\nlines' }, /one line/],
    [{ path: 'nowhere' }, /Nothing is at/],
    [{ events: ['opened'] }, /no event/],
  ])('refuses %j, in a dry run too', async (given, message) => {
    const refused = { results: [{ status: 'failed', error: { type: 'TriggerException', message: expect.stringMatching(message) } }] };
    const actions = [['FA_watch_start', { ...inbox, ...given }]];
    expect(await gateway.run(actions, { caller: OWNER })).toMatchObject(refused);
    expect(await gateway.run({ actions, dry_run: true }, { caller: OWNER })).toMatchObject(refused);
  });

  test('stores nothing in a dry run', async () => {
    const dry = { actions: [['FA_watch_start', inbox]], dry_run: true };
    expect(await gateway.run(dry, { caller: OWNER })).toMatchObject({ ok: true, results: [{ status: 'planned' }] });
    expect(await room.watchers.list()).toEqual([]);
  });

  test('knows that references to the event have a value', async () => {
    const list = { actions: [['FA_watch_start', inbox]], validate_first: true };
    expect(await gateway.run(list, { caller: OWNER })).toMatchObject({ ok: true });
  });
});

test('FA_watch_list and FA_watch_stop_all show watchers', async () => {
  await run('FA_watch_start', inbox);
  expect(await run('FA_watch_list')).toMatchObject({ value: [{ name: 'inbox', files: 0, waiting: 0 }] });
  expect(await run('FA_watch_stop_all')).toMatchObject({ value: [{ name: 'inbox', running: false }] });
  expect(await run('FA_watch_list')).toMatchObject({ value: [] });
});

test('without a service the actions say what helps', async () => {
  gateway = openWatchGateway(room.dir.path, {});
  expect(await run('FA_watch_list')).toMatchObject({
    error: { type: 'TriggerException', message: expect.stringContaining('factotum serve') },
  });
});
