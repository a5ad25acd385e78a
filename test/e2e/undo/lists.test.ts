import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { look } from './look.ts';
import { openRecordedHouse } from './recorded-house.ts';

const MANY = Array.from({ length: 40 }, (_, at) => at);
const FILES = Object.fromEntries(MANY.map((at) => [`w/f${at}`, `old ${at}`]));

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
    'a list in which commands failed',
    [
      ['FA_create_file', ['f1', 'new']],
      ['FA_copy_file', ['missing', 'f2']],
      ['FA_remove_file', ['f3']],
    ],
  ],
];

test.each(LISTS)('%s leaves nothing after it was undone', async (_, list) => {
  using dir = tempDir(FILES);
  await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
  const before = look(dir.at('w'));
  const { run_id } = await house.run(list);
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
