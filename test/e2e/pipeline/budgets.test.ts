import { describe, expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { openHttpDoor } from '../../support/http-door.ts';

const limited = (house: TestHouse, maxBytes: number) => ({
  caller: { name: 'limited', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxBytes }) },
});
const write = (name: string, bytes: number) => ['FA_create_file', { file_path: name, content: 'x'.repeat(bytes) }];

test('a caller writes no more bytes in one run than its policy grants, at any depth', async () => {
  await using house = openHouse();
  const list = [write('a', 60), ['FA_execute_action', { action_list: [write('b', 60)] }], write('c', 30)];
  const { results } = await house.factotum.run(list, limited(house, 100));
  expect(results.map(({ status }) => status)).toEqual(['ok', 'failed', 'ok']);
  expect(results[1]?.steps).toMatchObject({ results: [{ error: { type: 'QuotaExceededException' } }] });
  expect(house.dir.read('b')).toBeUndefined();
});

test('a plan tells so before, and a rehearsal spends nothing of the run', async () => {
  await using house = openHouse();
  const over = await house.factotum.run({ actions: [write('a', 101)], dry_run: true }, limited(house, 100));
  expect(over.results[0]?.error?.type).toBe('QuotaExceededException');
  const planned = await house.factotum.run({ actions: [write('a', 60)], dry_run: true }, limited(house, 100));
  const run = await house.factotum.run({ actions: [write('a', 60)], expect_plan: planned.plan_hash }, limited(house, 100));
  expect(run.ok).toBe(true);
});

test('each run has the whole budget', async () => {
  await using house = openHouse();
  for (const name of ['a', 'b']) expect((await house.factotum.run([write(name, 80)], limited(house, 100))).ok).toBe(true);
});

const FILES = { 'd/a': 'a', 'd/b': 'b', 'd/e/c': 'c', f: 'f', g: 'g' };
const remove = (name: string) => ['FA_remove_file', { file_path: name }];
const removeTree = ['FA_remove_dir_tree', { dir_path: 'd' }];
const throwAway = (name: string) => ['FA_send_to_trash', { path: name, trash_dir: 'trash' }];
const deleting = (house: TestHouse, maxDeletes: number) => ({
  caller: { name: 'limited', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxDeletes }) },
});

describe('a caller deletes no more files in one run than its policy grants', () => {
  const OVER: readonly { name: string; list: readonly unknown[]; statuses: readonly string[] }[] = [
    { name: 'one by one', list: [remove('f'), remove('g'), remove('d/a')], statuses: ['ok', 'ok', 'failed'] },
    { name: 'a tree counts its files, and stays whole', list: [removeTree, remove('f'), remove('g')], statuses: ['failed', 'ok', 'ok'] },
    { name: 'the trash counts', list: [throwAway('f'), throwAway('d')], statuses: ['ok', 'failed'] },
    {
      name: 'nested lists share it',
      list: [remove('f'), ['FA_with_quota', { actions: [remove('g'), remove('d/a')], max_bytes: 100 }]],
      statuses: ['ok', 'failed'],
    },
    {
      name: 'moving is no deletion, replacing is one',
      list: [['FA_move_file', ['f', 'h']], write('g', 9), remove('h'), remove('g')],
      statuses: ['ok', 'ok', 'ok', 'failed'],
    },
  ];

  test.each(OVER)('$name', async ({ list, statuses }) => {
    await using house = openHouse({ files: FILES });
    const planned = await house.factotum.run({ actions: list, dry_run: true }, deleting(house, 2));
    expect(planned.results.map(({ status }) => status)).toEqual(statuses.map((status) => (status === 'ok' ? 'planned' : status)));
    const { results } = await house.factotum.run(list, deleting(house, 2));
    expect(results.map(({ status }) => status)).toEqual(statuses);
    if (!statuses.includes('failed')) return;
    expect(JSON.stringify(results)).toContain('"max_deletes":2');
    expect([house.dir.read('d/e/c'), house.dir.read('d/b')]).toEqual(['c', 'b']);
  });

  test('also where trees are made alike', async () => {
    await using house = openHouse({ files: { ...FILES, 's/k': 'k' } });
    const list = [['FA_sync_dir', { src: 's', dst: 'd', delete: true }]];
    const planned = await house.factotum.run({ actions: list, dry_run: true }, deleting(house, 2));
    const { results } = await house.factotum.run(list, deleting(house, 2));
    for (const [result] of [planned.results, results]) expect(result?.error?.type).toBe('QuotaExceededException');
    expect(house.dir.read('d/e/c')).toBe('c');
    expect(await house.factotum.run(list, deleting(house, 1))).toMatchObject({ ok: true });
  });

  test('and as many as it grants; what an action makes and removes itself is none', async () => {
    await using house = openHouse({ files: FILES });
    const list = [removeTree, ['FA_zip_file', ['z.zip', 'f']], ['FA_unzip_all', ['z.zip', null, 'out']]];
    expect(await house.factotum.run(list, deleting(house, 3))).toMatchObject({ ok: true });
  });

  test('over HTTP too', async () => {
    const secret = 'a-secret-of-sixteen';
    await using limited = await openHttpDoor({
      house: { files: FILES },
      service: { tokens: [{ name: 'guest', secret, readWrite: ['/'], maxDeletes: 1 }] },
    });
    const answer = await fetch(`${limited.url}/actions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify([remove('f'), remove('g')]),
    });
    expect(await answer.json()).toMatchObject({ results: [{ status: 'ok' }, { error: { type: 'QuotaExceededException' } }] });
    expect([limited.house.dir.read('f'), limited.house.dir.read('g')]).toEqual([undefined, 'g']);
  });
});
