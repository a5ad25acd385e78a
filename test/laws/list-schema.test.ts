import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import { loadActions } from './all-actions.ts';
import { faultsOf } from './json-schema.ts';
import { listSchema } from './list-schema.ts';

const judge = (request: unknown): string[] => faultsOf(listSchema, request);
const all = await loadActions();

describe('the schema takes every example', () => {
  for (const { about, action, keys } of all) {
    test(about.name, () => {
      for (const { args } of action.examples) {
        const command = [about.name, args];
        expect(judge([command])).toEqual([]);
        expect(judge({ nodes: [{ id: 'only', action: command }] })).toEqual([]);
        const inOrder = byPosition(keys, args);
        if (inOrder !== undefined) expect(judge([[about.name, inOrder]])).toEqual([]);
      }
    });
  }
});

/** The same arguments as a list; undefined where one in between was left out. */
const byPosition = (keys: readonly string[], args: Readonly<Record<string, unknown>>): unknown[] | undefined => {
  const leading = keys.slice(0, Object.keys(args).length);
  return leading.every((key) => Object.hasOwn(args, key)) ? leading.map((key) => args[key]) : undefined;
};

test('the schema takes the names of actions and aliases, and no other', () => {
  const names = all.flatMap(({ about, action }) => [about.name, ...(action.aliases ?? [])]);
  for (const name of names) expect(judge([[name]]).filter((fault) => fault.includes('choices'))).toEqual([]);
  expect(judge([['FA_copyfile']])).toEqual(['0: 0: is none of the choices']);
});

const copy = (args: unknown) => [['FA_copy_file', args]];

describe('the schema takes what the house takes', () => {
  const good: readonly [string, unknown][] = [
    ['an empty list', []],
    ['a wrapped list', { actions: copy(['a', 'b']), mode: 'parallel', max_workers: 2, quota: { max_bytes: 10 }, name: 'copy' }],
    ['the older wrapping', { auto_control: copy(['a', 'b', false, 'skip']) }],
    ['a reference for a switch', copy({ file_path: 'a', target_path: 'b', copy_metadata: '${results[0].value}' })],
    ['a reference for a nested list', [['FA_execute_action', { action_list: '${item}' }]]],
    ['null where the default is null', [['FA_get_dir_files_as_list', { dir_path: null }]]],
    [
      'a graph inside a nested list',
      [
        [
          'FA_execute_action',
          { action_list: { nodes: [{ id: 'a', action: ['FA_progress_list'], run: 'always', retry: { attempts: 2 } }] } },
        ],
      ],
    ],
  ];
  test.each(good)('%s', async (_, request) => {
    await using house = createInstance({ log: { level: 'silent' } });
    expect(judge(request)).toEqual([]);
    await expect(house.validate(request).catch((fault: Error) => fault.name)).resolves.not.toBe('JsonActionException');
  });
});

describe('the schema refuses what the house refuses', () => {
  const bad: readonly [string, unknown, string][] = [
    ['a text', 'FA_copy_file', 'is not object'],
    ['a command that is no list', [{}], '0: is not array'],
    ['a command without a name', [[]], '0: has fewer than 1 items'],
    ['a third element', [['FA_copy_file', ['a', 'b'], 1]], '0: has more than 2 items'],
    ['a missing argument', copy({ file_path: 'a' }), '0: 1: has no target_path'],
    ['an unknown argument', copy({ file_path: 'a', target_path: 'b', force: true }), '0: 1: force: is unknown'],
    ['a wrong type', copy({ file_path: 1, target_path: 'b' }), '0: 1: file_path: is not string'],
    ['a word that is no choice', copy(['a', 'b', true, 'never']), '0: 1: 3: fits no alternative'],
    ['too many arguments', copy(['a', 'b', true, 'skip', 5]), '0: 1: has more than 4 items'],
    ['an unknown key beside the list', { actions: [], retries: 1 }, 'retries: is unknown'],
    ['two lists at once', { actions: [], auto_control: [] }, 'does not fit exactly one alternative'],
    ['a node without an action', { nodes: [{ id: 'a' }] }, 'nodes: 0: has no action'],
    [
      'an unknown name in a nested list',
      [['FA_execute_action', { action_list: [['FA_nobody']] }]],
      '0: 1: action_list: fits no alternative',
    ],
  ];
  test.each(bad)('%s', async (_, request, fault) => {
    await using house = createInstance({ log: { level: 'silent' } });
    expect(judge(request)).toContain(fault);
    await expect(house.validate(request)).rejects.toThrow();
  });
});

test('the schema knows the keys that the parser knows', async () => {
  await using house = createInstance({ log: { level: 'silent' } });
  const known = async (request: object) => {
    const message = await house.validate({ ...request, qqqqqq: 1 }).then(String, (fault: Error) => fault.message);
    return /known are (.*)\.$/.exec(message)?.[1]?.split(', ').sort();
  };
  expect(keysOf('wrapped_list')).toEqual(await known({ actions: [] }));
  expect(keysOf('graph')).toEqual(await known({ nodes: [] }));
});

const keysOf = (name: string): string[] => {
  const { $defs } = JSON.parse(readFileSync('src/app/listing.generated.json', 'utf8'));
  return Object.keys($defs[name].properties).sort();
};
