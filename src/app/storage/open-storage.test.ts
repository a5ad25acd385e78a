import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Caller } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { createInstance } from '../create.ts';
import { buildDefaultRegistry } from '../default-registry.ts';

/** Carries one file from a location to another, as every transfer will. */
const carryFile = async ({ storage, signal }: Context, source: string, target: string): Promise<number> => {
  const [from, to] = [await storage(source), await storage(target)];
  const item = await from.storage.stat(from.path, { signal });
  const content = {
    ...(item !== undefined && { bytes: item.bytes }),
    async *chunks() {
      yield* await from.storage.read(from.path, { signal });
    },
  };
  return (await to.storage.write(to.path, content, { signal })).bytes;
};

const carry = defineAction({
  name: 'FA_test_carry',
  summary: 'Carries a file.',
  args: { source: text('Where from.', { role: 'readsLocation' }), target: text('Where to.', { role: 'writesLocation' }) },
  returns: shapes.json(),
  examples: [],
  plan: (ctx, { source, target }) => carryFile(ctx, source, target),
  run: (ctx, { source, target }) => carryFile(ctx, source, target),
});

const open = (cwd: string) => {
  const registry = buildDefaultRegistry();
  registry.register(carry.name, carry);
  return createInstance({ cwd, registry, log: { level: 'silent' } });
};

const from = (source: string, target: string) => ['FA_test_carry', { source, target }] as const;
const limited = (rules: Parameters<typeof createPolicy>[0]): Caller => ({ name: 'guest', remote: true, policy: createPolicy(rules) });

test('content goes from this machine to a storage and back', async () => {
  using dir = tempDir({ 'a.txt': 'hello' });
  await using factotum = open(dir.path);
  const { ok, results } = await factotum.run([
    from('a.txt', 'mem://sub/a'),
    from('mem://sub/a', 'local://out/b.txt'),
    ['FA_read_file', { file_path: 'out/b.txt' }],
  ]);
  expect([ok, results.map(({ value }) => value)]).toEqual([true, [5, 5, 'hello']]);
});

test('a plan names locations as they would be changed, and changes nothing', async () => {
  using dir = tempDir({ 'a.txt': 'hello' });
  await using factotum = open(dir.path);
  const list = [from('a.txt', 'mem://x'), from('a.txt', 'mem://x')];
  const { results } = await factotum.run(list, { dryRun: true });
  expect(results.map(({ plan }) => plan?.effects.filter(({ kind }) => kind !== 'read'))).toEqual([
    [{ kind: 'create', target: 'mem://x', bytes: 5 }],
    [{ kind: 'overwrite', target: 'mem://x', bytes: 5 }],
  ]);
  const after = await factotum.run([from('mem://x', 'b.txt')]);
  expect(after.results[0]?.error).toMatchObject({ type: 'StorageException', context: { code: 'not_found' } });
});

test('what one caller keeps in memory, another does not see', async () => {
  using dir = tempDir({ 'a.txt': 'hello' });
  await using factotum = open(dir.path);
  await factotum.run([from('a.txt', 'mem://x')]);
  const { results } = await factotum.run([from('mem://x', 'stolen.txt')], { caller: limited({ readWrite: [dir.path] }) });
  expect(results[0]?.error?.context).toMatchObject({ code: 'not_found' });
});

test.each([
  ['s3+backup://bucket/x', 'locations'],
  ['/etc/passwd', 'roots'],
  ['local:///etc/passwd', 'roots'],
  ['https://example.org/x', 'network'],
])('a limited caller cannot read %s without a rule', async (source, rule) => {
  using dir = tempDir();
  await using factotum = open(dir.path);
  const { results } = await factotum.run([from(source, 'mem://x')], { caller: limited({ readWrite: [dir.path] }) });
  expect(results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule } });
});

test('what is sent counts against the quota of the list', async () => {
  using dir = tempDir({ 'a.txt': 'hello' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run({ actions: [from('a.txt', 'mem://x'), from('a.txt', 'mem://y')], quota: { max_bytes: 8 } });
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ok', 'QuotaExceededException']);
});

test.each([
  ['drive://a', 'unsupported'],
  ['s3://bucket/key', 'unreachable'],
])('%s, which leads nowhere here, is refused as %s', async (target, code) => {
  using dir = tempDir({ 'a.txt': 'x' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run([from('a.txt', target)]);
  expect(results[0]?.error).toMatchObject({ type: 'StorageException', context: { code } });
});
