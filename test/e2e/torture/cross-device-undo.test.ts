import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, lchownSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { mountTmpfs } from '../../support/tmpfs.ts';
import { seedOf } from '../../support/torture.ts';
import { canSetAttributes, portraitOf } from '../../support/tree-portrait.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { otherDevice } from '../files/ports.ts';
import { openRecordedHouse } from '../undo/recorded-house.ts';

// Trees with everything that belongs to files go to other devices and come back by undoing; `mv` says what a move has to keep.

const SEED = seedOf(20_261_117);
const moves = trialOf('moves-across-devices');
const chains = trialOf('chains-across-devices');
const LINKS_A_TREE = 3;

const isRoot = process.getuid?.() === 0;
const probe = mountTmpfs() ?? otherDevice();
const hasAttributes = probe !== undefined && canSetAttributes(probe.path);
probe?.[Symbol.dispose]();
type Random = () => number;

const pick = <T>(random: Random, among: readonly T[]): T => {
  const picked = among[Math.floor(random() * among.length)];
  if (picked === undefined) throw new Error('Nothing to pick from.');
  return picked;
};

const NAMES = ['a', 'b c', 'é', 'new\nline', "quo'te", '=sign', '-dash', '\\back', 'long'.repeat(30)];

/** Makes a tree with all that belongs to files. */
const growTree = (root: string, random: Random): void => {
  mkdirSync(root);
  const dirs = [root];
  const files: string[] = [];
  const others: string[] = [];
  const nameIn = (at: number) => join(pick(random, dirs), `${pick(random, NAMES)}${at}`);
  for (let at = 0; at < 4; at += 1) {
    const path = nameIn(at);
    mkdirSync(path);
    dirs.push(path);
  }
  for (let at = 10; at < 22; at += 1) {
    const path = nameIn(at);
    writeFileSync(path, Buffer.alloc(Math.floor(random() ** 4 * 600_000), `${at}`));
    files.push(path);
  }
  for (let at = 30; at < 30 + LINKS_A_TREE; at += 1) {
    const [twin, link, pipe] = [nameIn(at), nameIn(at + 10), nameIn(at + 20)];
    linkSync(pick(random, files), twin);
    symlinkSync(pick(random, ['nowhere', '../a', 'é']), link);
    execFileSync('mkfifo', ['-m', '640', pipe]);
    others.push(link, pipe);
  }
  for (const path of [...files, ...others, ...dirs.toReversed()])
    dress(path, random, { isPlain: !others.includes(path), isDirectory: dirs.includes(path) });
};

/** Owners, attributes, access lists, modes and times; in an order in which none takes another back. */
const dress = (
  path: string,
  random: Random,
  { isPlain, isDirectory }: { readonly isPlain: boolean; readonly isDirectory: boolean },
): void => {
  if (isPlain && hasAttributes && random() < 0.4) execFileSync('setfattr', ['-n', 'user.note', '-v', `${random()}`, path]);
  if (isRoot && random() < 0.6) lchownSync(path, 1_000 + Math.floor(random() * 9), 2_000 + Math.floor(random() * 9));
  // Whoever owns a directory has to be able to empty it.
  if (isPlain)
    chmodSync(
      path,
      pick(random, [0o600, 0o644, 0o755, 0o700, 0o4755, 0o2755, 0o1777, 0o6711, 0o440]) | (isDirectory || random() < 0.5 ? 0o700 : 0o500),
    );
  if (isPlain && hasAttributes && random() < 0.4) execFileSync('setfacl', ['-m', `u:${3_000 + Math.floor(random() * 9)}:rx`, path]);
  const day = 10 + Math.floor(random() * 18);
  const nanoseconds = `${Math.floor(random() * 1e9)}`.padStart(9, '0');
  execFileSync('touch', ['-h', '-d', `20${day}-03-${day} 12:34:56.${nanoseconds} UTC`, path]);
};

/** Two devices beside the usual one, or one where nothing may be mounted. */
const openDevices = () => {
  const one = mountTmpfs() ?? otherDevice();
  const other = mountTmpfs() ?? tempDir();
  return {
    one: one?.path ?? '',
    other: other.path,
    [Symbol.dispose]() {
      one?.[Symbol.dispose]();
      other[Symbol.dispose]();
    },
  };
};

/** What `mv` makes of the same tree. */
const moved = (from: string, to: string): readonly string[] => {
  const copy = `${from}.copy`;
  execFileSync('cp', ['-a', '-T', from, copy]);
  execFileSync('mv', ['-T', copy, to]);
  const portrait = portraitOf(to);
  rmSync(to, { recursive: true });
  return portrait;
};

const NEEDS = 'the right to mount a tmpfs, or /dev/shm on another device';

describe.skipIf(probe === undefined)(`between devices, seed ${SEED} (needs ${NEEDS})`, () => {
  test('a move keeps what mv keeps, and undoing gives back what there was', async () => {
    const random = seeded(SEED);
    for (let round = 0; round < moves.count; round += 1) {
      moves.did();
      using dir = tempDir();
      using devices = openDevices();
      const { one, other } = devices;
      await using house = openRecordedHouse({ cwd: dir.path, stateDirectory: dir.at('state') });
      growTree(join(one, 't'), random);
      const before = portraitOf(join(one, 't'));
      const wanted = moved(join(one, 't'), join(other, 'by-mv'));
      const run = await house.run([['FA_rename_dir', { origin_dir_path: join(one, 't'), target_dir: join(other, 'u') }]]);
      expect([run.results[0]?.error, run.results[0]?.notes]).toEqual([undefined, undefined]);
      expect(portraitOf(join(other, 'u'))).toEqual(wanted);
      expect(readdirSync(one)).toEqual([]);
      const undone = await house.undoRun(run.run_id);
      expect([undone.results[0]?.error, undone.results[0]?.notes]).toEqual([undefined, undefined]);
      expect(portraitOf(join(one, 't'))).toEqual(before);
      expect(readdirSync(other)).toEqual([]);
    }
  });

  test.runIf(hasAttributes)('the trees have attributes and access lists (needs attr and acl)', () => {
    using devices = openDevices();
    growTree(join(devices.one, 't'), seeded(SEED));
    const portrait = portraitOf(join(devices.one, 't')).join();
    expect([portrait.includes('user.note'), portrait.includes('posix_acl_access')]).toEqual([true, true]);
  });

  test.runIf(isRoot)('the trees have owners (needs the superuser)', () => {
    using devices = openDevices();
    growTree(join(devices.one, 't'), seeded(SEED));
    expect(portraitOf(join(devices.one, 't')).join()).toMatch(/ 100\d:200\d /);
  });

  test('a chain of moves and renames, within a device and across, is taken back whole; what somebody touched is refused', async () => {
    const random = seeded(SEED + 1);
    for (let round = 0; round < chains.count; round += 1) {
      chains.did();
      using dir = tempDir();
      using devices = openDevices();
      await using house = openRecordedHouse({ cwd: dir.path, stateDirectory: dir.at('state') });
      const places = [devices.one, devices.other, dir.at('w')];
      mkdirSync(dir.at('w'));
      for (const place of places) growTree(join(place, 't'), random);
      const look = () => places.flatMap((place) => portraitOf(place, ['t'], { without: 'times of directories' }));
      const before = look();
      const { list, last } = chainOf(places, random);
      const run = await house.run(list);
      expect([run.results.find(({ error }) => error !== undefined)?.error, run.results.flatMap(({ notes = [] }) => notes)]).toEqual([
        undefined,
        [],
      ]);
      const isTouched = round % 2 === 1;
      if (isTouched) appendFileSync(last, 'x');
      const undone = await house.undoRun(run.run_id);
      if (isTouched) {
        expect(undone.results[0]?.value).toMatchObject({ refused: [{ reason: 'it was changed since' }], refused_count: 1 });
        continue;
      }
      expect([undone.results[0]?.error, undone.results[0]?.notes]).toEqual([undefined, undefined]);
      expect(look()).toEqual(before);
      expect(places.flatMap((place) => readdirSync(place))).toEqual(['t', 't', 't']);
    }
  });
});

interface Chain {
  readonly list: readonly (readonly [string, Readonly<Record<string, string>>])[];
  /** Where the file stands that was moved last, after the whole chain. */
  readonly last: string;
}

/** Moves files out of trees, and trees with what was moved into them, to and fro. */
const chainOf = (places: readonly string[], random: Random): Chain => {
  const list: (readonly [string, Readonly<Record<string, string>>])[] = [];
  const trees = places.map((place) => join(place, 't'));
  for (let step = 0; step < 4; step += 1) {
    const at = Math.floor(random() * trees.length);
    const tree = trees[at] ?? '';
    // A file of the tree that never left it, one that was made for the step, and the tree itself.
    list.push(['FA_create_file', { file_path: join(tree, `made-${step}`), content: `${random()}` }]);
    list.push(['FA_move_file', { file_path: join(tree, `made-${step}`), target_path: join(tree, `renamed-${step}`) }]);
    const target = join(pick(random, places), `moved-${step}`);
    list.push(['FA_rename_dir', { origin_dir_path: tree, target_dir: target }]);
    trees[at] = target;
    const into = pick(random, trees);
    list.push(['FA_move_file', { file_path: join(target, `renamed-${step}`), target_path: join(into, `gone-${step}`) }]);
  }
  const file = join(pick(random, places), 'last');
  const tree = pick(random, trees);
  list.push(['FA_create_file', { file_path: join(tree, 'last'), content: 'last' }]);
  list.push(['FA_move_file', { file_path: join(tree, 'last'), target_path: file }]);
  return { list, last: file };
};
