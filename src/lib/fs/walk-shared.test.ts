import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Grant } from '../../core/files.ts';
import type { Visitor } from './walk.ts';
import { splitParts } from './walk-parts.ts';
import { type PartAnswer, type SharedWalk, type StartPart, takeParts, walkShared } from './walk-shared.ts';
import { openTally } from './walk-tally.ts';

const grantOf = (root: string): Grant => ({ root, access: 'read', byHandles: false, dry: false, counters: new SharedArrayBuffer(16) });

/** Collects relative paths of files. */
const startCollecting: StartPart<string[]> = () => {
  const told: string[] = [];
  const visitor: Visitor = {
    wants: (_name, kind) => kind === 'file',
    enters: () => true,
    entry(name, _kind, { relative }) {
      told.push(relative + name);
      return undefined;
    },
    unreadable: () => {},
  };
  return { visitor, end: () => told };
};

const names = Array.from({ length: 600 }, (_, at) => `d${at % 7}/e${at % 11}/${String(at).padStart(3, '0')}`);
const tree = () => tempDir(Object.fromEntries(names.map((name) => [name, ''])));

/** A helper that runs later, on this thread. */
const helpLater: SharedWalk<string[]>['help'] = async (shared) => {
  await new Promise(setImmediate);
  return takeParts(shared, startCollecting);
};

const collect = async (walk: Partial<SharedWalk<string[]>> & { readonly grant: Grant }): Promise<string[]> => {
  const all: string[] = [];
  const { signal } = new AbortController();
  for await (const some of walkShared({ start: startCollecting, help: helpLater, helpers: 2, signal, ...walk })) all.push(...some);
  return all;
};

describe('a shared walk', () => {
  test('asks nobody for help with a small tree', async () => {
    using dir = tempDir({ 'a/b': '', c: '' });
    let asked = 0;
    const help = async (): Promise<PartAnswer<string[]>[]> => {
      asked += 1;
      return [];
    };
    expect(await collect({ grant: grantOf(dir.path), help })).toEqual(['a/b', 'c']);
    expect(asked).toBe(0);
  });

  test.each([0, 1, 3])('gives everything in order with %i helpers', async (helpers) => {
    using dir = tree();
    expect(await collect({ grant: grantOf(dir.path), helpers, patienceMs: 0 })).toEqual([...names].sort());
  });

  test('gives everything in order when a helper is slow', async () => {
    using dir = tree();
    let calls = 0;
    const help: typeof helpLater = async (shared) => {
      const answers = takeParts(shared, startCollecting);
      calls += 1;
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      return answers;
    };
    expect(await collect({ grant: grantOf(dir.path), help, patienceMs: 0 })).toEqual([...names].sort());
    expect(calls).toBeGreaterThan(0);
  });

  test('fails when a helper fails', async () => {
    using dir = tree();
    const help = async (shared: Parameters<typeof helpLater>[0]): Promise<PartAnswer<string[]>[]> => {
      takeParts({ ...shared, tellAfterMs: 0 }, startCollecting);
      throw new Error('no more');
    };
    await expect(collect({ grant: grantOf(dir.path), help, helpers: 1, patienceMs: 0 })).rejects.toThrow('no more');
  });

  test('stops when it is aborted', async () => {
    using dir = tree();
    const controller = new AbortController();
    const grant = grantOf(dir.path);
    const walk = walkShared({ grant, start: startCollecting, help: helpLater, helpers: 1, signal: controller.signal, patienceMs: 0 });
    await walk.next();
    controller.abort(new Error('enough'));
    await expect(walk.next()).rejects.toThrow('enough');
    expect(openTally(grant).isStopped()).toBe(true);
    await expect(collect({ grant: grantOf(dir.path), signal: controller.signal })).rejects.toThrow('enough');
  });

  test('stops when another thread sets the flag', async () => {
    using dir = tree();
    const grant = grantOf(dir.path);
    openTally(grant).stop();
    await expect(collect({ grant })).rejects.toThrow('stopped');
  });

  test('stops the others when nobody reads on', async () => {
    using dir = tree();
    const grant = grantOf(dir.path);
    for await (const _ of walkShared({
      grant,
      start: startCollecting,
      help: helpLater,
      helpers: 1,
      signal: new AbortController().signal,
      patienceMs: 0,
    }))
      break;
    expect(openTally(grant).isStopped()).toBe(true);
  });
});

test('what comes last is divided most, so that nobody has a large part at the end', () => {
  using dir = tempDir(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`d${Math.floor(at / 10)}/${at}`, ''])));
  const parts = splitParts(grantOf(dir.path), startCollecting(() => false).visitor, [{ relative: '' }], 30);
  const whole = Array.from({ length: 7 }, (_, at) => ({ relative: `d${at}/` }));
  const single = Array.from({ length: 30 }, (_, at) => ({ relative: `d${7 + Math.floor(at / 10)}/`, steps: [String(70 + at)] }));
  expect(parts).toEqual([...whole, ...single]);
});
