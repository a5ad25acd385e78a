import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openHistory } from '../../../src/app/command-line/history.ts';
import { createInstance } from '../../../src/app/create.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { DEFAULTS } from '../../../src/services/config/derived.generated.ts';
import { seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { mountTmpfs } from '../../support/tmpfs.ts';
import { seedOf } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundle } from '../files/bundle.ts';
import { otherDevice } from '../files/ports.ts';
import { look } from '../undo/look.ts';

const BIG = 'b'.repeat(6_000_000);
const TREE = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`w/tree/${at % 4}/${at}.txt`, `${at} `.repeat(4_000)]));
const FILES = {
  'w/made/old.txt': '',
  'w/big.txt': BIG,
  'w/old.txt': 'old\n'.repeat(1_000_000),
  'w/data.json': JSON.stringify({ a: 1, rest: 'r'.repeat(3_000_000) }),
  'w/merged/0/0.txt': 'mine',
  'w/merged/mine.txt': 'mine',
  'w/synced/1/1.txt': 'mine',
  'w/synced/extra/deep.txt': 'extra',
  'w/twice/a.txt': 't'.repeat(500_000),
  'w/twice/b.txt': 't'.repeat(500_000),
  'w/names/n_1.txt': '0',
  'w/names/n_0.txt': '1',
  ...TREE,
};

/** Every kind of writing work; `FAR` is a directory on another device. */
const WORKS: readonly (readonly (readonly [string, Readonly<Record<string, unknown>>])[])[] = [
  [['FA_create_file', { file_path: 'made/new.txt', content: 'n'.repeat(2_000_000) }]],
  [['FA_copy_file', { file_path: 'big.txt', target_path: 'old.txt' }]],
  [['FA_copy_dir', { dir_path: 'tree', target_dir_path: 'grown' }]],
  [['FA_copy_dir', { dir_path: 'tree', target_dir_path: 'merged' }]],
  [['FA_sync_dir', { src: 'tree', dst: 'synced', delete: true }]],
  [
    ['FA_zip_dir', { dir_we_want_to_zip: 'tree', zip_name: 'packed' }],
    ['FA_unzip_all', { zip_file_path: 'packed.zip', extract_path: 'merged' }],
  ],
  [
    ['FA_create_tar', { source: 'tree', target: 'packed.tgz' }],
    ['FA_extract_tar', { source: 'packed.tgz', target_dir: 'unpacked' }],
  ],
  [['FA_sed_replace', { file_path: 'old.txt', pattern: 'old', replacement: 'new' }]],
  [['FA_json_set', { path: 'data.json', key_path: 'a', value: 2 }]],
  [['FA_move_file', { file_path: 'big.txt', target_path: 'FAR/big.txt' }]],
  [['FA_rename_dir', { origin_dir_path: 'tree', target_dir: 'FAR/tree' }]],
  [['FA_find_duplicates', { root: 'twice', apply: 'hardlink' }]],
  [['FA_rename_file', { origin_file_path: 'names', target_name: 'n' }]],
  [['FA_remove_dir_tree', { dir_path: 'merged' }]],
  [['FA_encrypt_file', { source: 'big.txt', target: 'secret.bin', key: 'k'.repeat(32) }]],
  [['FA_file_split', { file_path: 'big.txt', chunk_size: 700_000, output_dir: 'split' }]],
];

const LONGEST_MS = 250;
const trial = trialOf('killed-works');
const ROUNDS = trial.count;
const SEED = seedOf(20_261_116);

/** Everything of ours that was left anywhere below. */
const litterIn = (...roots: readonly string[]): string[] =>
  roots.flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => LITTER.test(name)));
const LITTER = /\.factotum-.*\.part(?:$|\/)|renaming-/;

/** Whether a run has written down a change. */
const hasJournal = (state: string): boolean =>
  readdirSync(state, { recursive: true, encoding: 'utf8' }).some(
    (name) => name.endsWith('.undo') && (statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0) > 600,
  );

interface Child {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Left out: it may end by itself. */
  readonly kill?: { hasBegun(): boolean; readonly afterMs: number };
}

/** What it printed; undefined where it was killed before its end. */
const runChild = async (script: string, { words, env, kill }: Child): Promise<RunResult | undefined> => {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let out = '';
  let complaints = '';
  child.stdout.on('data', (text) => {
    out += String(text);
  });
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  const exit = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exit]);
  if (kill !== undefined) {
    while (child.exitCode === null && !kill.hasBegun()) await pause(1);
    await Promise.race([pause(kill.afterMs), exit]);
    child.kill('SIGKILL');
  }
  await exit;
  expect(complaints).toBe('');
  const answer = out.slice('ready'.length);
  return answer === '' ? undefined : JSON.parse(answer);
};

test('every work does what it says', async () => {
  using dir = tempDir(FILES);
  await using factotum = createInstance({ cwd: dir.at('w'), log: { level: 'silent' } });
  const works = [...WORKS].sort((a, b) => Number(isMoving(a)) - Number(isMoving(b))); // what moves away is needed by others
  for (const work of works)
    expect(
      await factotum.run(JSON.parse(JSON.stringify(work).replaceAll('FAR', dir.path))),
      JSON.stringify(work).slice(0, 80),
    ).toMatchObject({ ok: true });
});

const isMoving = (work: (typeof WORKS)[number]): boolean => work.some(([name]) => name === 'FA_move_file' || name === 'FA_rename_dir');

test(`a process killed at ${ROUNDS} random moments leaves whole files, nothing to clean up after the next command, and runs that can be undone (seed ${SEED})`, {
  timeout: ROUNDS * 30_000,
}, async () => {
  using script = await bundle(new URL('./killed-child.ts', import.meta.url));
  const random = seeded(SEED);
  let killed = 0;
  let littered = 0;
  let undone = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    using dir = tempDir(FILES);
    using mounted = mountTmpfs('size=200m') ?? otherDevice();
    const far = mounted?.path ?? dir.at('far');
    mkdirSync(far, { recursive: true });
    const work = WORKS[round % WORKS.length] ?? [];
    const text = JSON.stringify(work).replaceAll('FAR', far);
    const env = { XDG_STATE_HOME: dir.at('state') };
    dir.write('list.json', text);
    dir.write('again.json', JSON.stringify([...JSON.parse(text), ...touchAll(far)]));
    const words = [dir.at('w'), dir.at('list.json')];
    const where = `seed ${SEED}, round ${round}, ${text.slice(0, 80)}`;
    const before = look(dir.at('w'));
    mkdirSync(dir.at('state/factotum'), { recursive: true, mode: 0o700 });

    // Some are killed at a moment of their lives, others at a moment after they have begun to write.
    const hasBegun = random() < 0.3 ? () => true : () => litterIn(dir.at('w'), far).length > 0 || hasJournal(dir.at('state'));
    const ended = await runChild(script.path, { words, env, kill: { hasBegun, afterMs: random() ** 3 * LONGEST_MS } });
    killed += ended === undefined ? 1 : 0;
    trial.did();
    littered += litterIn(dir.at('w'), far).length > 0 ? 1 : 0;
    expectWhole(dir.at('w'), far, where);

    if (random() < 0.5) {
      await using history = openHistory({ config: DEFAULTS.store, env });
      const [run] = (await history.store.runs({ limit: 1 })).items;
      if (run !== undefined && (await history.store.undo.list(run.runId)).length > 0) {
        const { results } = await history.undo(run.runId);
        expect(results[0], where).toMatchObject({ status: 'ok' });
        undone += 1;
      }
      expect(withoutOurs(look(dir.at('w'))), where).toEqual(before);
    }

    // Whatever the list comes to this time, it ends by writing into its directories.
    expect(await runChild(script.path, { words: [dir.at('w'), dir.at('again.json')], env }), where).toBeDefined();
    const left = litterIn(dir.at('w'), far, dir.at('state'));
    expect(left, `${where}, which says ${left.map((name) => dir.read(join('state', name)))}`).toEqual([]);
  }
  expect([killed > 0, littered > 0, undone > 0], `killed ${killed}, littered ${littered}, undone ${undone}`).toEqual([true, true, true]);
});

/** Writes into every directory that the works have to do with. */
const touchAll = (far: string) => {
  const places = ['.', 'made', 'merged', 'synced', 'grown', 'unpacked', 'twice', 'split', far];
  return [
    ...places.map((place) => ['FA_create_file', { file_path: join(place, 'touched.txt'), content: '' }]),
    ...['merged', 'synced'].map((dst) => ['FA_sync_dir', { src: 'names', dst, delete: false }]),
  ];
};

const withoutOurs = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.includes('.factotum-'));

/** Each file is an old one or a new one. */
const expectWhole = (w: string, far: string, where: string): void => {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
  const whole = (path: string, sizes: readonly (number | undefined)[]) => expect(sizes, `${path}, ${where}`).toContain(sizeOf(path));
  whole(join(w, 'made/new.txt'), [undefined, 2_000_000]);
  whole(join(w, 'old.txt'), [4_000_000, BIG.length]);
  whole(join(w, 'big.txt'), sizeOf(join(far, 'big.txt')) === undefined ? [BIG.length] : [undefined, BIG.length]);
  whole(join(far, 'big.txt'), [undefined, BIG.length]);
  expect(
    ['"a":1', '"a":2', '"a": 2', '"a": 1'].some((text) => readFileSync(join(w, 'data.json'), 'utf8').includes(text)),
    where,
  ).toBe(true);
  for (const [name, content] of Object.entries(TREE)) {
    const relative = name.slice('w/tree/'.length);
    const there = sizeOf(join(far, 'tree', relative));
    whole(join(w, 'tree', relative), there === undefined ? [content.length] : [undefined, content.length]);
    for (const copy of ['grown', 'unpacked/tree']) if (existsSync(join(w, copy))) whole(join(w, copy, relative), [content.length]);
    for (const copy of ['merged', 'synced']) whole(join(w, copy, relative), [undefined, 4, content.length]);
  }
};
