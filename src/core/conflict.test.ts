import { mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../test/support/house.ts';

const files = { 'a.txt': 'new', 'b.txt': 'old' };

/** What a command gave or how it failed, and what stands in the three files afterwards. */
const settled = async (house: TestHouse, command: readonly unknown[]) => {
  const { results } = await house.run([command]);
  const value = results[0]?.value;
  return [
    results[0]?.error?.type ?? (typeof value === 'string' ? value.replace(`${house.dir.path}/`, '') : value),
    ...['a.txt', 'b.txt', 'b (2).txt'].map((name) => house.dir.read(name)),
  ];
};

const copy = (on_conflict?: string, target_path = 'b.txt') => [
  'FA_copy_file',
  { file_path: 'a.txt', target_path, ...(on_conflict && { on_conflict }) },
];
const move = (on_conflict?: string, target_path = 'b.txt') => [
  'FA_move_file',
  { file_path: 'a.txt', target_path, ...(on_conflict && { on_conflict }) },
];

describe('when something is at the target', () => {
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['a copy overwrites unless said otherwise', copy(), [true, 'new', 'new', undefined]],
    ['a copy overwrites', copy('overwrite'), [true, 'new', 'new', undefined]],
    ['a copy leaves it', copy('skip'), [false, 'new', 'old', undefined]],
    ['a copy fails', copy('error'), ['PathExistsException', 'new', 'old', undefined]],
    ['a copy takes another name', copy('rename'), [true, 'new', 'old', 'new']],
    ['a copy replaces what differs', copy('skip_if_same'), [true, 'new', 'new', undefined]],
    ['a move fails unless said otherwise', move(), ['PathExistsException', 'new', 'old', undefined]],
    ['a move overwrites', move('overwrite'), ['b.txt', undefined, 'new', undefined]],
    ['a move leaves both', move('skip'), ['b.txt', 'new', 'old', undefined]],
    ['a move fails', move('error'), ['PathExistsException', 'new', 'old', undefined]],
    ['a move takes another name', move('rename'), ['b (2).txt', undefined, 'old', 'new']],
  ])('%s', async (_, command, expected) => {
    await using house = openHouse({ files });
    utimesSync(house.dir.at('b.txt'), 1, 1);
    expect(await settled(house, command)).toEqual(expected);
  });

  test.each(['overwrite', 'skip', 'error', 'rename', 'skip_if_same'])('and nothing is there, %s does the plain thing', async (policy) => {
    await using house = openHouse({ files: { 'a.txt': 'new' } });
    expect(await settled(house, copy(policy))).toEqual([true, 'new', 'new', undefined]);
    expect(await settled(house, move(policy, 'c.txt'))).toEqual(['c.txt', undefined, 'new', undefined]);
  });
});

describe('the same file', () => {
  test('is what has the same size and time', async () => {
    await using house = openHouse({ files: { 'a.txt': 'new', 'b.txt': 'old' } });
    const { mtime } = statSync(house.dir.at('a.txt'));
    utimesSync(house.dir.at('b.txt'), mtime, mtime);
    expect(await settled(house, copy('skip_if_same'))).toEqual([false, 'new', 'old', undefined]);
    house.dir.write('b.txt', 'longer');
    utimesSync(house.dir.at('b.txt'), mtime, mtime);
    expect(await settled(house, copy('skip_if_same'))).toEqual([true, 'new', 'new', undefined]);
  });

  test('is what a copy that keeps the time leaves behind', async () => {
    await using house = openHouse({ files: { 'a.txt': 'new' } });
    const { results } = await house.run([copy('skip_if_same'), copy('skip_if_same')]);
    expect(results.map(({ value }) => value)).toEqual([true, false]);
  });
});

describe('another name', () => {
  test('is the first that is free, before the ending', async () => {
    await using house = openHouse({ files: { 'a.tar.gz': '1', 'b.tar.gz': '2', 'b.tar (2).gz': '3', '.env': '4' } });
    await house.run([
      ['FA_copy_file', { file_path: 'a.tar.gz', target_path: 'b.tar.gz', on_conflict: 'rename' }],
      ['FA_copy_file', { file_path: 'a.tar.gz', target_path: '.env', on_conflict: 'rename' }],
    ]);
    expect([house.dir.read('b.tar (3).gz'), house.dir.read('.env (2)')]).toEqual(['1', '1']);
  });

  test('is found beside a dangling link too, which is something', async () => {
    await using house = openHouse({ files: { 'a.txt': 'new' } });
    symlinkSync('nowhere', house.dir.at('b.txt'));
    expect(await settled(house, copy('rename'))).toEqual([true, 'new', undefined, 'new']);
    expect((await settled(house, copy('error')))[0]).toBe('PathExistsException');
  });

  test('is settled inside a directory that is the target', async () => {
    await using house = openHouse({ files: { 'a.txt': 'new', 'dir/a.txt': 'old' } });
    mkdirSync(house.dir.at('empty'));
    await house.run([copy('rename', 'dir'), copy('error', 'empty')]);
    expect([house.dir.read('dir/a.txt'), house.dir.read('dir/a (2).txt'), house.dir.read('empty/a.txt')]).toEqual(['old', 'new', 'new']);
  });
});

describe('a dry run', () => {
  test.each<[string, readonly unknown[]]>([
    ['skip', []],
    ['rename', ['read a.txt', 'create b (2).txt']],
    ['overwrite', ['read a.txt', 'overwrite b.txt']],
  ])('with %s foresees what the run will do', async (policy, effects) => {
    await using house = openHouse({ files });
    const { results } = await house.run({ actions: [copy(policy)], dry_run: true });
    expect(results[0]?.plan?.effects.map(({ kind, target }) => `${kind} ${target.replace(`${house.dir.path}/`, '')}`)).toEqual(effects);
  });

  test('with error fails as the run would', async () => {
    await using house = openHouse({ files });
    const { results } = await house.run({ actions: [copy('error')], dry_run: true });
    expect(results[0]?.error?.type).toBe('PathExistsException');
  });
});

describe('what is at the target goes to the trash', () => {
  const inTrash = async (house: TestHouse) => {
    const { results } = await house.run([['FA_list_trash']]);
    return ((results[0]?.value ?? []) as { original: string }[]).map(({ original }) => original);
  };

  test.each([
    ['a copy', copy('trash'), ['new', 'new']],
    ['a move', move('trash'), [undefined, 'new']],
  ])('before %s takes its place', async (_, command, left) => {
    await using trash = openHouse();
    const before = process.env.XDG_DATA_HOME;
    process.env.XDG_DATA_HOME = trash.dir.path;
    try {
      await using house = openHouse({ files });
      const planned = await house.run({ actions: [command], dry_run: true });
      expect(planned.ok).toBe(true);
      expect(house.dir.read('b.txt')).toBe('old');
      expect((await house.run([command])).ok).toBe(true);
      expect(['a.txt', 'b.txt'].map((name) => house.dir.read(name))).toEqual(left);
      expect(await inTrash(house)).toContain(house.dir.at('b.txt'));
    } finally {
      if (before === undefined) delete process.env.XDG_DATA_HOME;
      else process.env.XDG_DATA_HOME = before;
    }
  });

  test('unless the caller may not use the trash', async () => {
    await using house = openHouse({ files });
    const { results } = await house.run([copy('trash')], { acl: { deny: ['FA_send_to_trash'] } });
    expect(results[0]?.error?.type).toBe('ActionNotPermittedException');
    expect(house.dir.read('b.txt')).toBe('old');
  });
});
