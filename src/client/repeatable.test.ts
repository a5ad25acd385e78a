import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HARMLESS_CHANGES, HARMLESS_READS } from './idempotent.generated.ts';
import { isRepeatable } from './repeatable.ts';

const READ = ['FA_read_file', { file_path: 'a' }];
const WRITE = ['FA_create_file', { file_path: 'a', content: 'x' }];
const APPEND = ['FA_jsonl_append', { path: 'a', record: {} }];

test.each<[string, unknown, boolean]>([
  ['nothing', [], true],
  ['reading', [READ, READ], true],
  ['reading with references', [['FA_read_file', { file_path: '${env:HOME}/a' }]], true],
  ['one change that stays as it is', [READ, WRITE], true],
  ['a wrapped change', { actions: [WRITE], mode: 'parallel' }, true],
  ['the older name of a wrapped list', { auto_control: [WRITE] }, true],
  ['a change in a graph', { nodes: [{ id: 'a', action: WRITE }] }, true],
  ['a dry run of anything', { actions: [APPEND, APPEND], dry_run: true }, true],
  ['a change that adds up', [APPEND], false],
  ['two changes, each harmless alone', [['FA_copy_file', ['a', 'b']], WRITE], false],
  ['a change with a reference', [['FA_create_file', { file_path: '${uuid}', content: '' }]], false],
  ['a change by what was read before', [READ, ['FA_create_file', { file_path: 'a', content: '${results[0].value}x' }]], false],
  ['a nested list', [['FA_execute_action', { action_list: [READ] }]], false],
  ['an unknown action', [['FA_of_a_plugin']], false],
  ['a change that adds up in a graph', { nodes: [{ id: 'a', action: APPEND }] }, false],
  ['what is no command', [5], false],
  ['what is no list', { actions: 5 }, false],
  ['what is no node', { nodes: [5] }, false],
  ['nothing at all', null, false],
])('judges %s', (_, request, isHarmless) => {
  expect(isRepeatable(request)).toBe(isHarmless);
});

test('every name stands on one list at most, and only where its definition says so', () => {
  const { actions } = JSON.parse(readFileSync('src/app/listing.generated.json', 'utf8'));
  const harmless = actions.flatMap(({ name, aliases, idempotent }: { name: string; aliases: string[]; idempotent: boolean }) =>
    idempotent ? [name, ...aliases] : [],
  );
  expect([...HARMLESS_READS, ...HARMLESS_CHANGES].sort()).toEqual(harmless.sort());
});
