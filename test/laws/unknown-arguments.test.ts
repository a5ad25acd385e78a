import { describe, expect, test } from 'vitest';
import { ActionACL } from '../../src/access/acl.ts';
import type { Caller } from '../../src/access/caller.ts';
import { createPolicy } from '../../src/access/policy.ts';
import { createInstance } from '../../src/app/create.ts';
import { isDestructive } from '../../src/core/effects.ts';
import { PolicyException } from '../../src/core/errors.ts';
import type { Ready } from '../../src/core/ready.ts';
import { openHouse } from '../support/house.ts';
import { loadActions } from './all-actions.ts';
import { openRoom } from './example-room.ts';
import { foretold } from './plan.ts';

// Whoever approves a plan must have seen all that it may change, remove, run or reach. So a value that only a run gets forbids the yes,
// unless it is only what is written into a file that the plan names, or sent to somebody that it names.

/** Every argument that may be unknown all the same; whoever adds one answers for that it decides neither where nor what. */
const CONTENT: readonly string[] = [
  'FA_apply_patch patch',
  'FA_create_file content',
  'FA_decrypt_file key',
  'FA_encrypt_file key',
  'FA_json_set value',
  'FA_jsonl_append record',
  'FA_lock_refresh owner',
  'FA_lock_release owner',
  'FA_notify_send body',
  'FA_notify_send subject',
  'FA_parquet_write records',
  'FA_queue_nack reason',
  'FA_render_file context',
  'FA_sed_replace replacement',
  'FA_write_action_json action_json',
  'FA_yaml_set value',
];

/** Examples keep their secrets in variables, which a caller with limits may not read. */
const written = (args: object = {}) =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? value.replace(/\$\{env:\w+\}/, 'x') : value]),
  );

const VALUE = '${results[0].value}';

const actions = (await loadActions()).filter(({ about, action }) => about.name === action.name);
const changing = actions.filter(({ about }) => about.reserved === true || isDestructive(about.effects));
const argumentsOf = ({ about, action }: Ready, isContent: boolean) =>
  Object.entries(action.args).flatMap(([key, arg]) => ((arg.isContent === true) === isContent ? [`${about.name} ${key}`] : []));

test('only what is content is called content', () => {
  expect(actions.flatMap((each) => argumentsOf(each, true)).sort()).toEqual(CONTENT);
  const args = actions.flatMap(({ action }) => Object.values(action.args)).filter(({ isContent }) => isContent);
  expect(args.flatMap(({ roles }) => roles).filter((role) => role !== 'secret')).toEqual([]);
});

test('no other argument of an action that changes something may be unknown in a plan that somebody approves', async () => {
  await using house = openHouse({ logLevel: 'error' });
  const locations = ['s3', 'azure'].map((scheme) => `${scheme}+backup://`);
  for (const scheme of ['sftp', 'ftp', 'webdav', 'smb']) locations.push(`${scheme}+nas://`);
  const policy = createPolicy({ readWrite: [house.dir.path], locations, executes: true, network: true, requireApproval: 'destructive' });
  const guest: Caller = {
    name: 'guest',
    remote: true,
    policy,
    acl: new ActionACL({ allow: ['*', ...changing.map(({ about }) => about.name)] }),
  };
  const asked: string[] = [];
  const refused: string[] = [];
  for (const ready of changing) {
    for (const place of argumentsOf(ready, false)) {
      const [name = '', key = ''] = place.split(' ');
      const list = [
        ['FA_substitute', { payload: 'x' }],
        [name, { ...written(ready.action.examples[0]?.args), [key]: VALUE }],
      ];
      const fault = await house.factotum.gateway.run(list, { caller: guest }).catch((each: unknown) => each);
      asked.push(place);
      if (fault instanceof PolicyException && fault.context.argument === key) refused.push(place);
    }
  }
  expect(asked.length).toBeGreaterThan(200);
  expect(refused).toEqual(asked);
});

describe('a plan in which a content is not known tells all that would be changed', () => {
  const local = changing.filter(({ about }) => !about.effects.includes('network'));
  test.each(local.flatMap((ready) => argumentsOf(ready, true).map((place) => ({ place, ready }))))('$place', async ({ place, ready }) => {
    const [name = '', key = ''] = place.split(' ');
    const example = ready.action.examples.find(({ fails, args }) => fails === undefined && key in args) ?? ready.action.examples[0];
    expect(example).toBeDefined();
    if (example === undefined) return;
    await using room = await openRoom(name, example);
    const known = foretold(await room.run({ dryRun: true }), room.path);
    await using factotum = createInstance({ cwd: room.path, log: { level: 'error' } });
    const list = [
      ['FA_substitute', { payload: 'x' }],
      [name, { ...example.args, [key]: VALUE }],
    ];
    const unknown = foretold(await factotum.run({ actions: list, dry_run: true }), room.path);
    expect([...unknown.changes]).toEqual([...known.changes]);
    expect(unknown.isComplete).toBe(false);
  });
});
