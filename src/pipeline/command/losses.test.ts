import { describe, expect, test } from 'vitest';
import { openRecordedHouse } from '../../../test/e2e/undo/recorded-house.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';
import { attributeNotes, lossNotes } from './losses.ts';

const openRoom = () => {
  const dir = tempDir({ 'w/small': 'x', 'w/large': 'x'.repeat(100), 'w/tree/large': 'x'.repeat(100) });
  const house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state'), maxBytes: 50 });
  return {
    dir,
    ...house,
    notes: async (request: unknown) =>
      (await house.factotum.run(request)).results.map(({ notes }) => notes?.map(({ kind, targets }) => [kind, targets])),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

const LIST = [
  ['FA_remove_file', ['small']],
  ['FA_remove_file', ['large']],
  ['FA_remove_dir_tree', ['tree']],
  ['FA_run_shell', { argv: [process.execPath, '-e', '0'] }],
];

describe('what cannot be undone', () => {
  test('is done all the same, and told by the command that did it', async () => {
    await using room = openRoom();
    expect(await room.notes({ mode: 'parallel', actions: LIST })).toEqual([
      undefined,
      [['not_undoable', [room.dir.at('w/large')]]],
      [['not_undoable', [room.dir.at('w/tree')]]],
      [['not_undoable', ['FA_run_shell']]],
    ]);
  });

  test('is told by the plan', async () => {
    await using room = openRoom();
    expect(await room.notes({ dry_run: true, actions: LIST })).toEqual([
      undefined,
      [['not_undoable', [room.dir.at('w/large')]]],
      [['not_undoable', [room.dir.at('w/tree/large')]]],
      [['not_undoable', [`${process.execPath} -e 0`]]],
    ]);
  });

  test('is what was changed at another place, and not what came from there', async () => {
    await using room = openRoom();
    const list = [
      ['FA_copy_between', ['small', 'mem://a']],
      ['FA_copy_between', ['mem://a', 'b']],
    ];
    expect(await room.notes({ dry_run: true, actions: list.slice(0, 1) })).toEqual([[['not_undoable', ['mem://a']]]]);
    expect(await room.notes(list)).toEqual([[['not_undoable', ['mem://a']]], undefined]);
  });

  test('is nothing of a file that only grows, however large it is', async () => {
    await using room = openRoom();
    const append = ['FA_jsonl_append', { path: 'large', record: { n: 1 } }];
    expect(await room.notes({ dry_run: true, actions: [append, append] })).toEqual([undefined, undefined]);
    expect(await room.notes([append, append])).toEqual([undefined, undefined]);
  });

  test('changes no hash: a plan may be approved where runs are kept and run where they are not', async () => {
    await using room = openRoom();
    await using plain = createInstance({ cwd: room.dir.at('w'), log: { level: 'silent' } });
    const request = { dry_run: true, actions: LIST };
    expect((await plain.run(request)).plan_hash).toBe((await room.factotum.run(request)).plan_hash);
  });

  test('is told without the secrets of the command', async () => {
    await using room = openRoom();
    const argv = [process.execPath, '-e', '0', 'https://me:hunter2@example.org/'];
    const { results } = await room.factotum.run({ dry_run: true, actions: [['FA_run_shell', { argv }]] });
    expect(results[0]?.notes).toMatchObject([{ kind: 'not_undoable' }]);
    expect(JSON.stringify(results[0]?.notes)).not.toContain('hunter2');
  });

  test('is nothing to tell where runs are not kept', async () => {
    using dir = tempDir({ small: 'x' });
    await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
    const [removed, executed] = (await factotum.run([LIST[0], LIST[3]])).results;
    expect([removed?.notes, executed?.notes]).toEqual([undefined, undefined]);
  });

  test('is counted where there is much of it', () => {
    const lost = Array.from({ length: 25 }, (_, at) => ({ path: `/f${at}`, reason: 'too large' }));
    expect(lossNotes(lost)).toMatchObject([
      { message: '/f0 and 24 more cannot be undone: too large.', count: 25, targets: { length: 10 } },
    ]);
  });
});

test('what files could not keep beside their content is one note', () => {
  expect(attributeNotes([])).toEqual([]);
  const unkept = [
    { path: '/d/a', what: 'mode' },
    { path: '/d/b', what: 'owner' },
    { path: '/d/b', what: 'mode' },
  ] as const;
  expect(attributeNotes(unkept)).toEqual([
    {
      kind: 'attributes_lost',
      message:
        'Not kept, because the file system or the rights of this user do not allow it: owner or group of /d/b; mode of /d/a and 1 more.',
      path: '/d/a',
      lost: [
        { what: 'owner', count: 1, paths: ['/d/b'] },
        { what: 'mode', count: 2, paths: ['/d/a', '/d/b'] },
      ],
    },
  ]);
});
