import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import type { Json } from '../../../src/core/errors.ts';
import { unchecked } from '../../../src/core/unchecked.ts';
import * as door from '../../../src/index.ts';
import type { RunSource } from '../../../src/services/engine/port/runs.ts';
import * as spec from '../../../src/spec.ts';
import { openHouse } from '../../support/house.ts';
import { openHttpDoor } from '../../support/http-door.ts';
import { openMcpHouse } from '../../support/mcp-house.ts';
import { connectTo, openTcpHouse } from '../../support/tcp-door.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { factotum } from '../cli/built.ts';

type Command = readonly unknown[];
type Request = readonly unknown[] | { readonly [key: string]: unknown };

const UNKNOWN: Command = ['FA_no_such'];
const node = (action: Command, at: number) => ({ id: `n${at}`, action });

/** Every form in which a list can ask for something itself; `more` is what it asks for. */
const FORMS: readonly (readonly [string, (commands: readonly Command[], more: object) => Request])[] = [
  ['wrapped', (actions, more) => ({ actions, ...more })],
  ['under the older name', (auto_control, more) => ({ auto_control, ...more })],
  ['parallel', (actions, more) => ({ actions, mode: 'parallel', max_workers: 2, ...more })],
  ['graph', (commands, more) => ({ nodes: commands.map(node), ...more })],
  ['nested', (actions, more) => [['FA_execute_action', { action_list: { actions, ...more } }]]],
  ['nested by position', (actions, more) => [['FA_execute_action', [{ actions, ...more }]]]],
  ['nested with arguments', (actions, more) => [['FA_execute_action', { action_list: actions, ...more }]]],
  ['nested graph', (commands, more) => [['FA_execute_action', { action_list: { nodes: commands.map(node), ...more } }]]],
  ['nested parallel', (actions, more) => [['FA_execute_action_parallel', { action_list: { actions, ...more } }]]],
  ['in a loop', (actions, more) => [['FA_for_each', { items: [1], actions: { actions, ...more } }]]],
  ['in a branch', (actions, more) => ({ actions: [['FA_if_exists', { path: '/', then: { actions, ...more } }]] })],
  ['with retries', (actions, more) => [['FA_with_retry', { actions: { actions, ...more } }]]],
  ['in a node', (actions, more) => ({ nodes: [node(['FA_execute_action', { action_list: { actions, ...more } }], 0)] })],
];

/** Runs requests one after the other; what comes of them does not matter here. */
type Door = (requests: AsyncIterable<Request>, dir: TempDir) => Promise<void>;

const each =
  (run: (request: Request, dir: TempDir) => unknown): Door =>
  async (requests, dir) => {
    for await (const request of requests) await Promise.resolve(run(request, dir)).catch(() => {});
  };

const stored =
  (source: RunSource): Door =>
  async (requests) => {
    await using house = openHouse({ logLevel: 'error' });
    const { dispatcher } = await house.factotum.state();
    for await (const request of requests) {
      const { result } = await dispatcher.runNow({ source, caller: OWNER.name, body: request as Json }, OWNER);
      await result?.catch(() => {});
    }
  };

/** The ways to run a list at the command line, in turn: each starts a process. */
const WORDS: readonly ((request: Request) => readonly string[])[] = [
  () => ['run', 'list.json'],
  () => ['-e', 'list.json'],
  () => ['run', 'list.json', '--max-workers', '2'],
  (request) => ['--execute_str', JSON.stringify(request)],
];

const atCommandLine: Door = async (requests, dir) => {
  let turn = 0;
  await each((request) => {
    dir.write('list.json', JSON.stringify(request));
    factotum(WORDS[turn % WORDS.length]?.(request) ?? [], { cwd: dir.path });
    turn += 1;
  })(requests, dir);
};

const isGraph = (request: Request): boolean => !Array.isArray(request) && Object.hasOwn(request, 'nodes');

const DOORS: Readonly<Record<string, Door>> = {
  'executeAction(list)': each((request) => door.executeAction(unchecked(request))),
  'executeAction(list, false, false)': each((request) => door.executeAction(unchecked(request), false, false)),
  'executeAction(list, options)': each((request) =>
    door.executeAction(unchecked(request), { dryRun: false, validateFirst: false, stopOnError: false }),
  ),
  'executeActionParallel(list)': each((request) => door.executeActionParallel(unchecked(request), 2, false)),
  'executeActionDag(graph)': each((request) =>
    isGraph(request) ? door.executeActionDag(unchecked(request), 2, true) : door.executeAction(unchecked(request)),
  ),
  'execute_action(list)': each((request) => spec.execute_action(unchecked(request))),
  'execute_action(list, false, false)': each((request) => spec.execute_action(unchecked(request), false, false)),
  'execute_action(list, options)': each((request) => spec.execute_action(unchecked(request), { dry_run: false, validate_first: false })),
  'execute_action_parallel(list)': each((request) => spec.execute_action_parallel(unchecked(request), 2, false)),
  'createFactotum().run': async (requests, dir) => {
    await using house = openHouse();
    await each((request) => house.run(request))(requests, dir);
  },
  'the command line': atCommandLine,
  HTTP: async (requests, dir) => {
    await using http = await openHttpDoor();
    const post = (request: Request) =>
      fetch(`${http.url}/actions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) });
    await each(async (request) => (await post(request)).text())(requests, dir);
  },
  TCP: async (requests, dir) => {
    await using tcp = await openTcpHouse();
    using client = connectTo(tcp.door.port);
    await each(async (request) => {
      client.socket.write(JSON.stringify(request));
      await client.next();
    })(requests, dir);
  },
  MCP: async (requests, dir) => {
    await using mcp = await openMcpHouse({ roots: [dir.path, '/'] });
    await each((request) => mcp.call('factotum_run', Array.isArray(request) ? { actions: request } : request))(requests, dir);
  },
  queue: stored('queue'),
  schedule: stored('schedule'),
  watcher: stored('watch'),
};

/** Runs each form through a door; gives those that wrote the file. */
const writersAmong = async (run: Door, more: object, extra: readonly Command[]): Promise<string[]> => {
  using dir = tempDir();
  const target = dir.at('made.txt');
  const written: string[] = [];
  const requests = async function* () {
    for (const [name, form] of FORMS) {
      rmSync(target, { force: true });
      yield form([['FA_create_file', { file_path: target, content: 'x' }], ...extra], more);
      if (dir.read('made.txt') !== undefined) written.push(name);
    }
  };
  await run(requests(), dir);
  return written;
};

describe.each(Object.entries(DOORS))('%s', (_, run) => {
  const timeout = 120_000;
  const all = FORMS.map(([name]) => name);

  test('runs every form that asks for nothing', { timeout }, async () => {
    expect(await writersAmong(run, {}, [])).toEqual(all);
  });

  test('only plans what the list wants planned, in every form', { timeout }, async () => {
    expect(await writersAmong(run, { dry_run: true }, [])).toEqual([]);
  });

  test('runs nothing of a list that wants to be checked first and is wrong', { timeout }, async () => {
    expect(await writersAmong(run, { validate_first: true }, [UNKNOWN])).toEqual([]);
  });
});

test('what the call wants stricter than the list is done so', async () => {
  using dir = tempDir();
  const actions = [['FA_create_file', { file_path: dir.at('made.txt') }]];
  const lists: Request[] = [actions, { actions, dry_run: false }, { actions }, { nodes: [node(actions[0] ?? [], 0)], dry_run: false }];
  for (const list of lists) {
    expect((await door.executeAction(unchecked(list), { dryRun: true })).counts.planned).toBe(1);
    expect((await spec.execute_action(unchecked(list), false, true)).counts.planned).toBe(1);
    expect((await door.executeActionParallel(unchecked(list), 2, true)).counts.planned).toBe(1);
  }
  await expect(door.executeAction(unchecked({ actions: [...actions, UNKNOWN], validate_first: false }), true)).rejects.toMatchObject({
    type: 'ValidationException',
  });
  const { counts } = await door.executeAction(unchecked({ actions: [UNKNOWN, ...actions], stop_on_error: false }), { stopOnError: true });
  expect(counts).toMatchObject({ failed: 1, skipped: 1 });
  expect(dir.read('made.txt')).toBeUndefined();
});

test('what is wrong in the list is refused, whatever the call says', async () => {
  for (const wrong of [{ dry_run: 'yes' }, { validate_first: 1 }, { max_workers: 'many' }, { unknown: true }]) {
    await expect(door.executeAction(unchecked({ actions: [], ...wrong }), { dryRun: true, validateFirst: true })).rejects.toMatchObject({
      type: 'JsonActionException',
    });
    await expect(door.executeActionParallel(unchecked({ actions: [], ...wrong }), 2, true)).rejects.toMatchObject({
      type: 'JsonActionException',
    });
  }
});
