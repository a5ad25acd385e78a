import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import type { Arg } from '../../src/core/args.ts';
import type { Example } from '../../src/core/example.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { loadActions } from './all-actions.ts';

// Work that fails leaves what was there as it was, and nothing beside it: no target from a source that could not be read, no directory on
// the way to one, no store that was only opened. What fails for a part of a tree only is the matter of unreadable.test.ts.

const actions = (await loadActions()).filter(({ about }) => !about.effects.includes('network') && !about.effects.includes('executes'));

const pathIn = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
};

const isRead = ({ roles }: Arg): boolean => roles.some((role) => role.startsWith('reads') || role.startsWith('removes'));
const isTarget = (arg: Arg): boolean => !isRead(arg) && arg.roles.some((role) => role.startsWith('writes'));

const setUp = async (dir: TempDir, { files = {}, dirs = [], links = {}, after = [] }: Example): Promise<void> => {
  for (const [path, content] of Object.entries(files))
    dir.write(path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  for (const path of dirs) mkdirSync(dir.at(path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, dir.at(path));
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'error' } });
  await factotum.run(after);
};

/** Where targets that are not there yet go: below directories that are missing, or over something old. */
type Targets = 'missing' | 'old';

/** The arguments of an example, with one for each target that it leaves out; nothing is waited for. */
const withAllTargets = ({ args }: Example, known: Readonly<Record<string, Arg>>): Example['args'] => ({
  ...('timeout' in known && { timeout: 0 }),
  ...args,
  ...Object.fromEntries(
    Object.entries(known).flatMap(([name, arg]) => (args[name] === undefined && isTarget(arg) ? [[name, 'target']] : [])),
  ),
});

const withTargets = (dir: TempDir, args: Example['args'], known: Readonly<Record<string, Arg>>, targets: Targets): Example['args'] =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const [arg, path] = [known[name], pathIn(value)];
      const isThere = path !== undefined && lstatSync(dir.at(path), { throwIfNoEntry: false }) !== undefined;
      if (arg === undefined || path === undefined || isThere || !isTarget(arg)) return [name, value];
      if (targets === 'missing') return [name, `np1/q/${basename(path)}`];
      if (arg.roles.some((role) => role.endsWith('Tree'))) dir.write(`${path}/old`, 'old');
      else if (name !== 'db_path') dir.write(path, 'old');
      return [name, value];
    }),
  );

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);

/** Every entry, with its kind and content; a store that is used is written to. */
const standsBelow = (path: string): readonly string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const place = join(path, entry.name);
    if (entry.isDirectory()) return [`${place}/`, ...standsBelow(place)];
    return [entry.isFile() && !/\.db(?:-wal|-shm)?$/.test(place) ? `${place} ${digestOf(place)}` : place];
  });

/** Runs a command as somebody whom modes mean something to; tells what is left where it failed. */
const leftAfter = async (dir: TempDir, command: readonly unknown[], unreadable?: string) => {
  const before = standsBelow(dir.path);
  const place = unreadable === undefined ? undefined : dir.at(unreadable);
  const mode = place === undefined ? 0 : lstatSync(place).mode;
  if (place !== undefined) chmodSync(place, 0);
  const outcome = await asOrdinaryUser(dir.path, async () => {
    await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
    return (await factotum.run([command])).results[0];
  });
  if (place !== undefined && lstatSync(place, { throwIfNoEntry: false }) !== undefined) chmodSync(place, mode);
  const failed = outcome?.status === 'failed';
  return { failed, message: outcome?.error?.message, type: outcome?.error?.type, before, after: failed ? standsBelow(dir.path) : before };
};

for (const { about, action } of actions) {
  for (const [at, example] of action.examples.entries()) {
    const sources = Object.entries(action.args).filter(([name, arg]) => isRead(arg) && pathIn(example.args[name]) !== undefined);
    const targets = Object.entries(action.args).filter(([, arg]) => isTarget(arg));
    if (targets.length === 0) continue;
    describe(`${about.name}, example ${at + 1}`, () => {
      test.each<Targets>(['missing', 'old'])(
        'leaves nothing behind where what it reads cannot be read, over targets that are %s',
        async (which) => {
          for (const [name] of sources) {
            using dir = tempDir();
            await setUp(dir, example);
            const source = pathIn(example.args[name]) ?? '';
            if (lstatSync(dir.at(source), { throwIfNoEntry: false }) === undefined) continue;
            const args = withTargets(dir, withAllTargets(example, action.args), action.args, which);
            const { before, after, message, type } = await leftAfter(dir, [about.name, args], source);
            expect(type).not.toBe('InternalException');
            expect(after, `${name}: ${message}`).toEqual(before);
          }
        },
      );

      test('leaves nothing behind in directories that are missing', async () => {
        using dir = tempDir();
        await setUp(dir, example);
        for (const command of [
          withTargets(dir, withAllTargets(example, action.args), action.args, 'missing'),
          spoiled(dir, example, action.args),
        ]) {
          const { before, after, message } = await leftAfter(dir, [about.name, command]);
          expect(after, message).toEqual(before);
        }
      });
    });
  }
}

/** The same with sources that are not there. */
const spoiled = (dir: TempDir, example: Example, known: Readonly<Record<string, Arg>>): Example['args'] =>
  Object.fromEntries(
    Object.entries(withTargets(dir, withAllTargets(example, known), known, 'missing')).map(([name, value]) => {
      const arg = known[name];
      return arg !== undefined && isRead(arg) && typeof value === 'string' ? [name, 'not-there'] : [name, value];
    }),
  );

const db_path = 'np1/q/l.db';

test.each<[string, Example['args']]>([
  ['FA_lock_refresh', { name: 'n', owner: 'o', ttl: 5, db_path }],
  ['FA_lock_release', { name: 'n', owner: 'o', db_path }],
  ['FA_queue_ack', { item_id: 1, db_path }],
  ['FA_queue_nack', { item_id: 1, db_path }],
  ['FA_queue_dequeue', { db_path }],
  ['FA_queue_purge', { db_path }],
  ['FA_queue_enqueue', { action: { no: 'list' }, db_path }],
  ['FA_audit_purge', { older_than_seconds: 1, db_path }],
])('%s makes no store that it has nothing to put into', async (name, args) => {
  using dir = tempDir();
  await leftAfter(dir, [name, args]);
  expect(standsBelow(dir.path)).toEqual([]);
});

const lookers = actions.filter(({ about, action }) => 'db_path' in action.args && about.effects.every((effect) => effect === 'reads'));

test('some actions only look into a store', () => {
  expect(lookers.map(({ about }) => about.name)).toEqual(['FA_audit_count', 'FA_audit_recent', 'FA_queue_dead_letters', 'FA_queue_size']);
});

describe.each(lookers.map(({ about }) => about.name))('%s', (name) => {
  test.each<[string, (dir: TempDir) => unknown]>([
    ['that is missing', () => {}],
    ['that is an empty file', (dir) => dir.write('store.db', '')],
    ['that is none', (dir) => dir.write('store.db', 'no database at all'.repeat(100))],
    ['that is one', (dir) => setUp(dir, { args: {}, after: [['FA_lock_acquire', { name: 'n', db_path: 'store.db' }]] })],
  ])('leaves a store as it is %s', async (_, prepare) => {
    using dir = tempDir();
    await prepare(dir);
    // What SQLite keeps beside a store is part of it, and some drivers remove it late; where there is no store, none may come.
    const isStore = dir.read('store.db')?.startsWith('SQLite') === true;
    const look = () =>
      readdirSync(dir.path)
        .filter((file) => file === 'store.db' || !isStore)
        .map((file) => `${file} ${digestOf(dir.at(file))}`);
    const before = look();
    await leftAfter(dir, [name, { db_path: 'store.db' }]);
    expect(look()).toEqual(before);
  });
});
