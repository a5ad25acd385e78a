import { defineAction } from '../../core/action.ts';
import { number, path, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { PathExistsException } from '../../core/errors.ts';
import { demandOk, runResult } from '../../core/steps-result.ts';
import { dbPath, name, timeout } from './arguments.ts';
import { locksOf, placeOf, planChange } from './lease.ts';

const createOne = [['FA_create_file', { file_path: 'a.txt', content: '1' }]];

export const withLock = defineAction({
  name: 'FA_with_lock',
  summary: 'Runs a list while holding a lock by name; other lists that name it wait.',
  args: {
    name: name(),
    actions: steps('The commands.'),
    timeout: timeout(),
    ttl: number('Seconds the lock outlives a process that died; it is renewed while the list runs. Null: 30.', { default: null, above: 0 }),
    db_path: dbPath(),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [{ args: { name: 'nightly', actions: createOne, db_path: 'locks.db' }, leaves: { 'a.txt': '1' } }],
  async plan(ctx, { actions, db_path }) {
    await planChange(ctx, { db_path });
    return demandOk(await ctx.runSteps(actions));
  },
  run: async (ctx, { name: lock, actions, timeout: timeoutS, ttl, db_path }) =>
    locksOf(ctx).hold(await placeOf(ctx, lock, db_path), { timeoutS, ttlS: ttl, signal: ctx.signal }, async (signal) =>
      demandOk(await ctx.runSteps(actions, { signal })),
    ),
});

export const withFileLock = defineAction({
  name: 'FA_with_file_lock',
  summary: 'Runs a list while holding the exclusive advisory lock of a file, which other programs can take with flock too.',
  args: {
    path: path('The file; created empty if missing, and left there.', { role: 'writes' }),
    actions: steps('The commands.'),
    timeout: timeout(),
  },
  returns: runResult,
  tellsSteps: true,
  examples: [{ args: { path: 'a.lock', actions: createOne }, leaves: { 'a.txt': '1', 'a.lock': '' } }],
  async plan(ctx, { path: file, actions }) {
    await demandFile(ctx, file);
    return demandOk(await ctx.runSteps(actions));
  },
  async run(ctx, { path: file, actions, timeout: timeoutS }) {
    await demandFile(ctx, file);
    return locksOf(ctx).holdFile(ctx.files.absolute(file), { timeoutS, signal: ctx.signal, runId: ctx.runId }, async () =>
      demandOk(await ctx.runSteps(actions)),
    );
  },
});

/** Makes an empty file where there is none; whoever is faster may make it too. */
const demandFile = async ({ files, signal }: Context, file: string): Promise<void> => {
  if ((await files.stat(file)) !== undefined) return;
  try {
    await files.write(file, new Uint8Array(), { exclusive: true, signal });
  } catch (fault) {
    if (!(fault instanceof PathExistsException) || (await files.stat(file)) === undefined) throw fault;
  }
};
