import { expect, test } from 'vitest';
import listing from '../../../app/listing.generated.json' with { type: 'json' };
import { rankActions } from './rank-actions.ts';

const best = (query: string): string | undefined => rankActions(query, listing.actions)[0]?.name;

test.each([
  ['copy a file', 'FA_copy_file'],
  ['copying directories', 'FA_copy_dir'],
  ['FA_grep', 'FA_grep'],
  ['grep files', 'FA_grep'],
  ['move file', 'FA_move_file'],
  ['unzip', 'FA_unzip_all'],
  ['list directory', 'FA_list_dir'],
  ['checksum', 'FA_file_checksum'],
])('%j finds %s first', (query, name) => {
  expect(best(query)).toBe(name);
});

test('words that nobody speaks of find nothing', () => {
  expect(rankActions('xyzzy plugh', listing.actions)).toEqual([]);
});

test('without words all are given in their order', () => {
  expect(rankActions(' the ', listing.actions)).toEqual(listing.actions);
});
