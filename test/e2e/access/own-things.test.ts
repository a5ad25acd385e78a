import { expect, test } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse } from '../../support/house.ts';

/** A house whose owner and guest have each stored something. */
const openRoom = async () => {
  const house = openHouse({ files: { 'd/a.txt': 'a', 'd/MANIFEST.json': '{}' } });
  const guest: Caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], network: true }) };
  house.factotum.callers.set(guest.name, guest);
  const asGuest = async (...command: unknown[]) => (await house.factotum.run([command], { caller: guest })).results[0];
  const asOwner = async (...command: unknown[]) => (await house.run([command])).results[0];
  for (const [who, ask] of [
    ['guest', asGuest],
    ['owner', asOwner],
  ] as const) {
    await ask('FA_schedule_add', { name: `${who}-job`, cron_expression: '0 0 1 1 *', action_list: [['FA_progress_list']] });
    await ask('FA_watch_start', { name: `${who}-watcher`, path: 'd', action_list: [['FA_progress_list']] });
    await ask('FA_integrity_start', { name: `${who}-monitor`, root: 'd', manifest_path: 'd/MANIFEST.json' });
  }
  return { asGuest, asOwner, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
};

const namesIn = (value: unknown) => (value as readonly { readonly name: string }[]).map(({ name }) => name); // what lists of things hold

test('a limited caller sees what it stored, the owner everything', async () => {
  await using room = await openRoom();
  for (const [list, thing] of [
    ['FA_schedule_list', 'job'],
    ['FA_watch_list', 'watcher'],
    ['FA_integrity_list', 'monitor'],
  ] as const) {
    expect(namesIn((await room.asGuest(list))?.value)).toEqual([`guest-${thing}`]);
    expect(namesIn((await room.asOwner(list))?.value).sort()).toEqual([`owner-${thing}`, `~guest/guest-${thing}`]);
  }
});

test('what others stored is as unknown to it as what never was', async () => {
  await using room = await openRoom();
  for (const [action, thing] of [
    ['FA_schedule_remove', 'job'],
    ['FA_schedule_pause', 'job'],
    ['FA_schedule_resume', 'job'],
    ['FA_schedule_next', 'job'],
    ['FA_watch_stop', 'watcher'],
    ['FA_integrity_stop', 'monitor'],
  ] as const) {
    const [theirs, nobodys] = [await room.asGuest(action, { name: `owner-${thing}` }), await room.asGuest(action, { name: 'nothing' })];
    expect(theirs?.status).toBe('failed');
    expect(theirs?.error?.message.replace(`owner-${thing}`, 'nothing')).toBe(nobodys?.error?.message);
  }
});

test('it removes its own, and all of its own', async () => {
  await using room = await openRoom();
  expect(namesIn((await room.asGuest('FA_schedule_remove_all'))?.value)).toEqual(['guest-job']);
  expect(namesIn((await room.asGuest('FA_watch_stop_all'))?.value)).toEqual(['guest-watcher']);
  expect(await room.asGuest('FA_integrity_stop', { name: 'guest-monitor' })).toMatchObject({ status: 'ok' });
  expect(namesIn((await room.asOwner('FA_schedule_list'))?.value)).toEqual(['owner-job']);
  expect(namesIn((await room.asOwner('FA_watch_list'))?.value)).toEqual(['owner-watcher']);
  expect(namesIn((await room.asOwner('FA_integrity_list'))?.value)).toEqual(['owner-monitor']);
});

test('the queue of the service is for the owner; a limited caller has its own in a file', async () => {
  await using room = await openRoom();
  for (const command of [
    ['FA_queue_dequeue'],
    ['FA_queue_ack', [1]],
    ['FA_queue_nack', [1]],
    ['FA_queue_purge'],
    ['FA_queue_dead_letters'],
  ])
    expect(await room.asGuest(...command)).toMatchObject({ error: { type: 'PolicyException', context: { rule: 'owner' } } });
  expect(await room.asGuest('FA_queue_size')).toMatchObject({ status: 'ok' });
  expect(await room.asOwner('FA_queue_purge')).toMatchObject({ status: 'ok' });
  const db_path = 'd/queue.db';
  await room.asGuest('FA_queue_enqueue', { action: [['FA_progress_list']], db_path });
  expect(await room.asGuest('FA_queue_purge', { db_path })).toMatchObject({ value: 1 });
});
