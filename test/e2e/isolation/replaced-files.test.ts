import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse } from '../../support/house.ts';

const write = (file_path: string) => ['FA_create_file', { file_path, content: 'new' }];

test.each<[string, (name: string) => readonly unknown[]]>([
  ['written', write],
  ['copied over', (name) => ['FA_copy_file', ['source', name]]],
  ['moved over', (name) => ['FA_move_file', [`spare-${name}`, name, 'overwrite']]],
  ['edited', (name) => ['FA_sed_replace', { file_path: name, pattern: 'old', replacement: 'gone' }]],
])('a file that is %s counts as a deleted one, planned and done', async (_, command) => {
  const old = { a: 'old', b: 'old' };
  await using house = openHouse({
    files: { ...old, source: 'new', 'spare-a': 'new', 'spare-b': 'new' },
    logLevel: 'error',
  });
  const caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxDeletes: 1 }) };
  for (const dry_run of [true, false]) {
    const { results } = await house.factotum.run({ actions: [command('a'), command('b')], dry_run }, { caller });
    expect(results[0]?.error).toBeUndefined();
    expect(results[1]?.error).toMatchObject({ type: 'QuotaExceededException', context: { max_deletes: 1 } });
  }
  expect([house.dir.read('a'), house.dir.read('b')]).toEqual([expect.not.stringMatching(/^old$/), 'old']);
});

test('a tree that is merged into another replaces file by file', async () => {
  await using house = openHouse({ files: { 's/a': 'new', 's/b': 'new', 't/a': 'old', 't/b': 'old' }, logLevel: 'error' });
  const caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxDeletes: 1 }) };
  for (const dry_run of [true, false]) {
    const { results } = await house.factotum.run({ actions: [['FA_copy_dir', ['s', 't']]], dry_run }, { caller });
    expect(results[0]?.error).toMatchObject({ type: 'QuotaExceededException' });
  }
});

test('what is new, or put behind what is there, does not', async () => {
  await using house = openHouse({ files: { log: 'x\n' } });
  const caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxDeletes: 1 }) };
  const append = ['FA_jsonl_append', { path: 'log', record: { a: 1 } }];
  expect(
    (await house.factotum.run([write('one'), write('two'), append, append, append], { caller })).results.map(({ status }) => status),
  ).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
});
