import { defineAction } from '../../core/action.ts';
import { number, text } from '../../core/args.ts';
import { LockTimeoutException, PolicyException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { dbPath, name, owner, timeout } from './arguments.ts';
import { lease, locksOf, placeOf, placeOfHeld, planChange, planChangeOfHeld, toLease } from './lease.ts';

export const lockAcquire = defineAction({
  name: 'FA_lock_acquire',
  summary: 'Takes a lock by name for a while, or until it is given back.',
  args: {
    name: name(),
    timeout: timeout(),
    ttl: number('Seconds after which it is free again; null: only when it is given back.', { default: null, above: 0 }),
    db_path: dbPath(),
    owner: text('Who takes it; who has it already gets it again. Null: somebody new.', { default: null, minLength: 1, maxLength: 256 }),
  },
  returns: lease,
  examples: [{ args: { name: 'nightly', ttl: 60, db_path: 'locks.db' } }],
  plan: planChange,
  async run(ctx, { name: lock, timeout: timeoutS, ttl, db_path, owner: who }) {
    if (ttl === null && db_path === null && ctx.isLimited) throw endless(lock);
    const owned = { owner: who ?? ctx.newId(), ttlS: ttl };
    return toLease(await locksOf(ctx).acquire(await placeOf(ctx, lock, db_path), owned, { timeoutS, signal: ctx.signal }), lock);
  },
});

const endless = (name: string) =>
  new PolicyException(
    `Without a ttl the lock ${name} would be held until it is given back, which only the owner may ask for; give it a ttl.`,
    {
      context: { rule: 'locks', argument: 'ttl', name },
    },
  );

export const lockRelease = defineAction({
  name: 'FA_lock_release',
  summary: 'Gives a lock back; false where this owner does not hold it.',
  args: { name: name(), owner: owner(), db_path: dbPath() },
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ args: { name: 'nightly', owner: 'nobody', db_path: 'locks.db' }, value: false }],
  plan: planChangeOfHeld,
  async run(ctx, { name: lock, owner: who, db_path }) {
    const place = await placeOfHeld(ctx, lock, db_path);
    return place !== undefined && (await locksOf(ctx).release(place, who));
  },
});

export const lockRefresh = defineAction({
  name: 'FA_lock_refresh',
  summary: 'Extends a lock that is still held; fails where it was lost.',
  args: {
    name: name(),
    owner: owner(),
    ttl: number('Seconds from now after which it is free again.', { above: 0 }),
    db_path: dbPath(),
  },
  returns: lease,
  idempotent: true,
  examples: [
    {
      after: [['FA_lock_acquire', { name: 'nightly', owner: 'host-1', ttl: 5, db_path: 'locks.db' }]],
      args: { name: 'nightly', owner: 'host-1', ttl: 60, db_path: 'locks.db' },
    },
  ],
  async plan(ctx, { name: lock, owner: who, db_path }) {
    if (db_path === null) return;
    if ((await ctx.files.stat(db_path)) === undefined) throw notHeld(lock, who, db_path);
    await planChange(ctx, { db_path });
  },
  async run(ctx, { name: lock, owner: who, ttl, db_path }) {
    const place = await placeOfHeld(ctx, lock, db_path);
    if (place === undefined) throw notHeld(lock, who, db_path);
    return toLease(await locksOf(ctx).refresh(place, { owner: who, ttlS: ttl }), lock);
  },
});

const notHeld = (name: string, owner: string, dbPath: string | null) =>
  new LockTimeoutException(`The lock ${JSON.stringify(name)} is not held: there is no store at ${dbPath}; acquire it first.`, {
    context: { name, owner, path: dbPath },
  });
