import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { look } from './look.ts';
import { openRecordedHouse } from './recorded-house.ts';

const MANY = Array.from({ length: 40 }, (_, at) => at);
const TREES = {
  'w/tree/same': 'new',
  'w/tree/new/deep/file': 'new',
  'w/tree/only': 'new',
  'w/merged/same': 'old',
  'w/merged/new/other': 'old',
  'w/synced/same': 'old',
  'w/synced/extra': 'old',
  'w/synced/gone/deep/file': 'old',
};
const FILES = { ...TREES, ...Object.fromEntries(MANY.map((at) => [`w/f${at}`, `old ${at}`])) };

const LISTS: readonly (readonly [string, unknown])[] = [
  [
    'a parallel list',
    {
      mode: 'parallel',
      max_workers: 8,
      actions: MANY.map((at) => (at % 2 === 0 ? ['FA_create_file', [`f${at}`, 'new']] : ['FA_move_file', [`f${at}`, `moved${at}`]])),
    },
  ],
  [
    'a graph',
    {
      nodes: [
        { id: 'make', action: ['FA_create_dir', ['d']] },
        ...MANY.map((at) => ({ id: `n${at}`, action: ['FA_move_file', [`f${at}`, `d/f${at}`]], depends_on: ['make'] })),
        { id: 'pack', action: ['FA_zip_dir', ['d', 'packed']], depends_on: MANY.map((at) => `n${at}`) },
      ],
    },
  ],
  [
    'a nested list',
    [
      [
        'FA_execute_action',
        {
          action_list: [
            ['FA_remove_file', ['f0']],
            ['FA_create_file', ['f0', 'again']],
          ],
        },
      ],
    ],
  ],
  [
    'a list that changes trees',
    [
      ['FA_copy_dir', ['tree', 'grown']],
      ['FA_copy_dir', ['tree', 'merged']],
      ['FA_sync_dir', { src: 'tree', dst: 'synced', delete: true }],
      ['FA_create_file', ['synced/same', 'changed after it was synchronised']],
      ['FA_remove_dir_tree', ['tree']],
      ['FA_remove_dir_tree', ['merged']],
    ],
  ],
  [
    'a list that unpacks archives',
    [
      ['FA_zip_dir', ['tree', 'packed']],
      ['FA_unzip_all', { zip_file_path: 'packed.zip', extract_path: 'unpacked' }],
      ['FA_unzip_all', { zip_file_path: 'packed.zip', extract_path: 'merged' }],
    ],
  ],
  [
    'a list in which commands failed',
    [
      ['FA_create_file', ['f1', 'new']],
      ['FA_copy_file', ['missing', 'f2']],
      ['FA_remove_file', ['f3']],
    ],
  ],
];

test.each(LISTS)('%s leaves nothing after it was undone', async (name, list) => {
  using dir = tempDir(FILES);
  await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
  const before = look(dir.at('w'));
  const { run_id, ok } = await house.run(list);
  expect(ok).toBe(!name.endsWith('failed'));
  expect(look(dir.at('w'))).not.toEqual(before);
  expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
  expect(look(dir.at('w'))).toEqual(before);
});

test('runs are undone one after the other, the latest first', async () => {
  using dir = tempDir(FILES);
  await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
  const before = look(dir.at('w'));
  const first = await house.run([['FA_create_file', ['f0', 'first']]]);
  const second = await house.run([['FA_create_file', ['f0', 'second']]]);
  expect(await house.undoRun(first.run_id)).toMatchObject({ ok: false });
  expect(dir.read('w/f0')).toBe('second');
  for (const { run_id } of [second, first]) expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
  expect(look(dir.at('w'))).toEqual(before);
});
