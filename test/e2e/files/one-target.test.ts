import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse } from '../../support/house.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { look } from '../undo/look.ts';
import { openRecordedHouse } from '../undo/recorded-house.ts';
import { bundle } from './bundle.ts';

const NAMES = ['f0', 'f1', 'f2', 'f3', 'f4'];
const FILES = Object.fromEntries(NAMES.map((name, at) => [`w/${name}`, `content${'!'.repeat(at)}`]));
const CONTENTS = Object.values(FILES).sort();
const POLICIES = ['error', 'skip', 'overwrite', 'rename', 'trash', 'skip_if_same'];

let dir: TempDir;
const before = process.env.XDG_DATA_HOME;
beforeEach(() => {
  dir = tempDir(FILES);
  process.env.XDG_DATA_HOME = dir.at('data');
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
  dir[Symbol.dispose]();
});

const contentsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
/** What is there or in the trash, each once. */
const kept = () => [...new Set([...contentsIn(dir.at('w')), ...contentsIn(dir.at('data/Trash/files'))])].sort();

const action = (name: string, file_path: string, on_conflict: string) => [name, { file_path, target_path: 'x', on_conflict }];
const LISTS: readonly (readonly [string, (command: (name: string) => unknown) => unknown])[] = [
  ['a parallel list', (command) => ({ mode: 'parallel', max_workers: 5, actions: NAMES.map(command) })],
  ['a graph', (command) => ({ nodes: NAMES.map((name) => ({ id: name, action: command(name) })) })],
];
const CASES = LISTS.flatMap(([name, list]) =>
  ['FA_move_file', 'FA_copy_file'].flatMap((called) => POLICIES.map((policy) => [called, policy, name, list] as const)),
);

/** How many commands answer that they did something, one after the other. */
const done = (policy: string): number => (policy === 'skip' || policy === 'error' ? 1 : NAMES.length);

describe('of five at one target', () => {
  test.each(CASES)('%s with %s in %s loses nothing, and undo gives all back', async (called, policy, _, list) => {
    await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
    const first = look(dir.at('w'));
    const { run_id, results } = await house.run(list((name) => action(called, name, policy)));
    expect(results.filter(({ status }) => status === 'ok')).toHaveLength(policy === 'error' ? 1 : NAMES.length);
    if (policy !== 'overwrite' && policy !== 'skip_if_same') expect(kept()).toEqual(CONTENTS);
    const there = readdirSync(dir.at('w')).filter((name) => name.startsWith('x'));
    expect(there).toHaveLength(policy === 'rename' ? NAMES.length : 1);
    const left = readdirSync(dir.at('w')).filter((name) => name.startsWith('f'));
    expect(left).toHaveLength(called === 'FA_copy_file' ? NAMES.length : NAMES.length - done(policy));
    if (called === 'FA_move_file' && policy === 'rename') {
      expect(results.map(({ value }) => basename(String(value))).sort()).toEqual(['x', 'x (2)', 'x (3)', 'x (4)', 'x (5)'].sort());
    }
    if (called === 'FA_copy_file') expect(results.filter(({ value }) => value === true)).toHaveLength(done(policy));
    expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
    expect(look(dir.at('w'))).toEqual(first);
  });
});

test.each(['FA_move_file', 'FA_copy_file'])('%s counts each file that it replaces', async (called) => {
  await using house = openHouse({ files: Object.fromEntries(NAMES.map((name) => [name, name])), logLevel: 'error' });
  const caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxDeletes: 2 }) };
  const actions = NAMES.map((name) => action(called, name, 'overwrite'));
  const { results } = await house.factotum.run({ mode: 'parallel', max_workers: 5, actions }, { caller });
  expect(results.filter(({ status }) => status === 'ok')).toHaveLength(3);
  expect(readdirSync(house.dir.path)).toHaveLength(called === 'FA_copy_file' ? 6 : 3);
});

test.each(['skip', 'rename', 'trash'])('two processes that move to one target with %s lose nothing', async (policy) => {
  using script = await bundle(new URL('./one-target-child.ts', import.meta.url));
  const start = async (names: readonly string[]) => {
    const child = spawn(process.execPath, [script.path, dir.at('w'), policy, ...names], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    return { go: () => child.stdin.write('go\n'), answer: async () => JSON.parse((await lines.next()).value ?? 'null') };
  };
  const children = await Promise.all([start(NAMES.slice(0, 3)), start(NAMES.slice(3))]);
  for (const { go } of children) go();
  const answers = await Promise.all(children.map(({ answer }) => answer()));
  expect(answers.flat()).toEqual(NAMES.map(() => true));
  expect(kept()).toEqual(CONTENTS);
});
