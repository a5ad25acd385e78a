import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTool, tool } from '../../support/archives/tools.ts';
import { treeOf } from '../../support/archives/tree.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { patience } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { startChild } from './child.ts';

/** Both ways out of an archive, three ways into one. */
const WORKS = 5;
const trial = trialOf('killed-archives');
const ROUNDS = trial.count / WORKS;
const TIMEOUT = patience(300_000);

let dir: TempDir;
let source: ReadonlyMap<string, string>;

beforeAll(async () => {
  const small = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s/${at % 10}/${at}.txt`, `text ${at} `.repeat(500)]));
  dir = tempDir({ ...small, 's/large.txt': 'large words '.repeat(600_000) });
  source = treeOf(dir.at('s'));
  const { ended } = startChild(dir.path, [
    ['FA_zip_dir', ['s', 'good.zip']],
    ['FA_create_tar', ['s', 'good.tgz']],
  ]);
  expect((await ended)?.result.ok).toBe(true);
}, 300_000);
afterAll(() => dir[Symbol.dispose]());

/** How long a list takes when nobody disturbs it. */
const durationOf = async (actions: unknown): Promise<number> => (await startChild(dir.path, actions).ended)?.result.duration_ms ?? 0;

/** Starts a list and kills the process at random moments of its work, one each time it is asked to; tells whether it was still at it. */
const openKiller = async (actions: unknown): Promise<() => Promise<boolean>> => {
  let withinMs = 1.1 * (await durationOf(actions));
  return async () => {
    const child = startChild(dir.path, actions);
    await child.ready;
    const afterMs = Math.random() * withinMs;
    const timer = setTimeout(() => child.process.kill('SIGKILL'), afterMs);
    const ended = await child.ended;
    clearTimeout(timer);
    // The machine may have become faster since the first time.
    if (ended !== undefined) withinMs = Math.max(afterMs, 1.1 * ended.result.duration_ms);
    return ended === undefined;
  };
};

/** What a killed process may leave: hidden, and recognisable. */
const removeLeftovers = (): number => {
  const left = readdirSync(dir.path).filter((name) => /^\.factotum-.*\.part$/.test(name));
  for (const name of left) rmSync(dir.at(name), { recursive: true });
  return left.length;
};

describe(`a process killed ${ROUNDS} times`, () => {
  test.each([
    ['FA_unzip_all', ['good.zip', null, 'x']],
    ['FA_extract_tar', ['good.tgz', 'x']],
  ] as const)('in %s leaves the whole directory or none', TIMEOUT, async (name, args) => {
    const actions = [[name, args]];
    const killOnce = await openKiller(actions);
    let kills = 0;
    let left = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      rmSync(dir.at('x'), { recursive: true, force: true });
      if (await killOnce()) kills += 1;
      trial.did();
      left += removeLeftovers();
      if (existsSync(dir.at('x'))) expect(treeOf(dir.at(name === 'FA_extract_tar' ? 'x/s' : 'x'))).toEqual(source);
    }
    expect(kills).toBeGreaterThan(0);
    expect(left).toBeGreaterThan(0);
    rmSync(dir.at('x'), { recursive: true, force: true });
  });

  test.each([
    ['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'o.zip', level: 6 }, 'o.zip', 'unzip', ['-tq']],
    ['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'p.zip', password: 'p' }, 'p.zip', '7z', ['t', '-pp']],
    ['FA_create_tar', { source: 's', target: 'o.tgz' }, 'o.tgz', 'tar', ['-tzf']],
  ] as const)('in %s with %j leaves the old archive or a new one that is whole', TIMEOUT, async (name, args, target, checker, check) => {
    const actions = [[name, args]];
    const killOnce = await openKiller(actions);
    const canCheck = hasTool(checker);
    let kills = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      dir.write(target, 'old');
      if (await killOnce()) kills += 1;
      trial.did();
      removeLeftovers();
      if (readFileSync(dir.at(target), 'latin1') === 'old') continue;
      expect(statSync(dir.at(target)).size).toBeGreaterThan(1000);
      if (canCheck) tool(checker, [...check, dir.at(target)]);
    }
    expect(kills).toBeGreaterThan(0);
  });
});
