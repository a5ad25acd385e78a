import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import type { InstanceOptions } from '../../src/app/instance/instance.ts';
import { createRunners } from '../../src/app/runners/runners.ts';
import type { Outcome } from '../../src/core/result.ts';
import { loadActions } from './all-actions.ts';
import { type ExampleRoom, openRoom } from './example-room.ts';

// One set of threads for all examples: starting them takes longer than most examples.
const runners = createRunners({
  width: 2,
  maxHeapMb: 1024,
  maxMemoryMb: 1024,
  maxSpinMs: 60_000,
  cwd: tmpdir(),
  stateDirectory: tmpdir(),
  journalOf: () => undefined,
  append() {},
  changing() {},
  log: (...told) => expect(told).toBeUndefined(),
});
afterAll(() => runners.close());
let carried = 0;
let foreseen = 0;
const counted = {
  ...runners,
  run: (...command: Parameters<typeof runners.run>) => {
    carried += 1;
    return runners.run(...command);
  },
  foresee: (...list: Parameters<typeof runners.foresee>) => {
    foreseen += 1;
    return runners.foresee(...list);
  },
  close: async () => {},
};

/** What must be the same wherever a command runs: all but times, random parts and the directory of the test. */
const portrait = (outcome: Outcome | undefined, place: string): unknown =>
  JSON.parse(
    JSON.stringify(outcome)
      .replaceAll(place, '<place>')
      .replace(/"duration_ms":[\d.]+/g, '"duration_ms":0')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
      .replace(/\b[0-9a-f]{32,64}\b/g, '<hex>') // before moments: a digest may hold thirteen digits in a row
      .replace(/\d{13,}(?:_[0-9a-f]{8})?/g, '<moment>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/"[\w+/-]{43}="/g, '"<key>"'),
  );

/** Gives all files one time: which of two is newer must not be chance. */
const makeCoeval = (root: string): void => {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath ?? entry.path, entry.name), COEVAL_S, COEVAL_S);
};
const COEVAL_S = Math.floor(Date.now() / 1000) - 60;

const treeOf = (path: string): readonly string[] => readdirSync(path, { recursive: true }).map(String).sort();

for (const { about, action } of (await loadActions()).filter(({ about }) => about.isApart)) {
  describe(`${about.name} on another thread`, () => {
    for (const [at, example] of action.examples.entries()) {
      test(`ends as it does here, example ${at + 1}`, async () => {
        await using here = await openRoom(about.name, example);
        await using there = await openRoom(about.name, example, { openRunners: () => counted });
        for (const room of [here, there]) makeCoeval(room.path);
        const before = carried;
        const [one, other] = [await here.run(), await there.run()];
        expect(portrait(other.results[0], there.path)).toEqual(portrait(one.results[0], here.path));
        if (about.effects.length > 0) expect(carried).toBeGreaterThan(before);
        expect(treeOf(there.path).length).toBe(treeOf(here.path).length);
        for (const name of Object.keys(example.leaves ?? {})) expect(there.read(name)).toEqual(here.read(name));
      });
    }
  });
}

/** The plan of the same command, here and on another thread, in the same place. */
const planned = async (room: ExampleRoom, name: string, args: unknown, options: InstanceOptions) => {
  await using factotum = createInstance({ cwd: room.path, log: { level: 'error', plans: false }, ...options });
  const result = await factotum.run({ actions: [[name, args]], dry_run: true });
  const { plan_hash, results } = result;
  return { result: portrait(results[0], room.path), hash: plan_hash?.includes('.') ? 'of its moment' : plan_hash };
};

describe('the plan of a list', async () => {
  for (const { about, action } of (await loadActions()).filter(({ about }) => about.isApart))
    for (const [at, example] of action.examples.entries())
      test(`is the same on another thread: ${about.name}, example ${at + 1}`, async () => {
        await using room = await openRoom(about.name, example);
        const before = foreseen;
        const there = await planned(room, about.name, example.args, { openRunners: () => counted });
        expect(foreseen).toBe(before + 1);
        expect(there).toEqual(await planned(room, about.name, example.args, {}));
      });
});

/** Members of the context that only the house itself has. */
const AT_HOME = ['services', 'storage', 'ownName', 'validateSteps', 'substitute'];

test('families that run on other threads ask for nothing that stays at home', async () => {
  const families = new Set((await loadActions()).filter(({ about }) => about.isApart).map(({ about }) => about.family));
  const asking = [...families].flatMap((family) => {
    const folder = join('src/actions', family);
    return readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(folder, file), 'utf8');
        return AT_HOME.filter((member) => new RegExp(`\\b${member}\\b`).test(text)).map((member) => `${join(family, file)}: ${member}`);
      });
  });
  expect(asking).toEqual([]);
});
