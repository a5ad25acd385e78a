import { setMaxListeners } from 'node:events';
import { posix } from 'node:path';
import type { Context } from '../../core/context.ts';
import { CrossBackendException } from '../../core/errors.ts';
import type { TransferNotes } from '../../core/ports/transfers.ts';
import type { Progress } from '../../core/progress.ts';
import * as shapes from '../../core/shapes.ts';
import type { StoragePlace } from '../../core/storage.ts';
import { openStopper } from '../../lib/async/stop-signal.ts';
import { systemWait } from '../../lib/async/wait.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { createPace } from '../../lib/transfer/pace.ts';
import { locationOf, type TransferEnd, type TransferOptions, type TransferReport } from '../../lib/transfer/transfer.ts';
import type { CommonArgs } from './transfer-args.ts';

const HOW = ['copied', 'server_side', 'resumed', 'unchanged'] as const;
const VERIFIED = ['sha256', 'sha1', 'md5', 'crc32', 'quickxor', 'dropbox', 'etag', 'size', 'none'] as const;

/** What a transfer answers: what became of each file, and how many there were. */
export const transferReport = shapes.object({
  files: shapes.list(
    shapes.object({ path: shapes.text(), bytes: shapes.integer(), verified: shapes.oneOf(VERIFIED), how: shapes.oneOf(HOW) }),
  ),
  copied: shapes.integer(),
  unchanged: shapes.integer(),
  deleted: shapes.integer(),
  deleted_files: shapes.list(shapes.text()),
  failed: shapes.list(shapes.object({ path: shapes.text(), error: shapes.text() })),
  bytes: shapes.integer(),
  resumed_bytes: shapes.integer(),
  duration_ms: shapes.integer(),
});

/** A transfer about to begin. */
export interface Transfer {
  readonly options: TransferOptions;
  /** Shows how far it is, once it is known how far it has to go. */
  showTotal(bytes: number): void;
}

/**
 * Does a transfer under the rules that all of them have: its progress is shown and can be cancelled, its rate is kept, and what a transfer
 * to the same place that was broken off has left is removed.
 */
export const transferring = async (
  ctx: Context,
  args: CommonArgs,
  to: TransferEnd,
  work: (transfer: Transfer) => Promise<TransferReport>,
) => {
  const begun = ctx.clock.monotonic();
  const { signal, stop } = openStopper();
  setMaxListeners(0, signal); // all files under way listen to it
  const follow = (followed: AbortSignal): (() => void) => {
    const onAbort = () => stop(followed.reason);
    followed.addEventListener('abort', onAbort, { once: true });
    if (followed.aborted) onAbort();
    return () => followed.removeEventListener('abort', onAbort);
  };
  const forget = follow(ctx.signal);
  let progress: Progress | undefined;
  const { bandwidth, progress_name, source, target } = args;
  const isPlan = to.storage.willRead !== undefined;
  const notes = isPlan ? undefined : ownNotes(ctx);
  const options: TransferOptions = {
    signal,
    onConflict: args.on_conflict,
    compare: args.compare,
    verify: args.verify,
    requireVerified: args.require_verified,
    resume: args.resume,
    maxWorkers: args.max_workers,
    preserve: args.preserve,
    pace: bandwidth === null ? undefined : createPace({ bytesPerS: bandwidth, clock: ctx.clock, wait: systemWait }),
    onBytes: (bytes) => progress?.advance(bytes),
    notes,
    hold: ctx.isLimited ? ctx.hold : undefined, // the owner may have millions of files
  };
  const showTotal = (bytes: number): void => {
    if (isPlan) return;
    progress = ctx.progress(progress_name ?? `${source} to ${target}`, bytes, 'bytes');
    follow(progress.signal);
  };
  try {
    const report = await sweepingFirst(notes, to, signal, (sweepsFirst) => work({ options: { ...options, sweepsFirst }, showTotal }));
    return reportOn(ctx, report, args, Math.round(ctx.clock.monotonic() - begun));
  } finally {
    forget();
  }
};

/** Callers with limits have notes of their own. */
const ownNotes = ({ services, ownName }: Context): TransferNotes | undefined => {
  const { transfers } = services;
  return transfers && { hold: (key, signal, work) => transfers.hold(ownName(key), signal, work) };
};

/** While a transfer goes on, a note tells that something unfinished may be at its target: whoever finds it looks for that first. */
const sweepingFirst = async <T>(
  notes: TransferNotes | undefined,
  to: TransferEnd,
  signal: AbortSignal,
  work: (sweepsFirst: boolean) => Promise<T>,
): Promise<T> => {
  if (notes === undefined || to.storage.sweep === undefined) return work(false);
  return notes.hold(`to ${locationOf(to)}`, signal, async (note) => {
    const isLeft = (await note?.read()) !== undefined;
    await note?.write({ version: 1 });
    const result = await work(isLeft);
    await note?.remove();
    return result;
  });
};

const reportOn = (ctx: Context, { files, deleted, failed }: TransferReport, { max_listed }: CommonArgs, duration_ms: number) => {
  const carried = files.filter(({ how }) => how !== 'unchanged');
  if (files.length > max_listed || deleted.length > max_listed)
    ctx.note({ kind: 'truncated', message: `Each list holds the first ${max_listed}; the totals count all.`, limit: max_listed });
  const byPath = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const value = {
    files: byPath.slice(0, max_listed).map(({ path, bytes, verified, how }) => ({ path, bytes, verified, how })),
    copied: carried.length,
    unchanged: files.length - carried.length,
    deleted: deleted.length,
    deleted_files: deleted.toSorted().slice(0, max_listed),
    failed: failed.first.map(({ path, error }) => ({ path, error: error.message })),
    bytes: carried.reduce((sum, { bytes }) => sum + bytes, 0),
    resumed_bytes: carried.reduce((sum, { resumedBytes }) => sum + resumedBytes, 0),
    duration_ms,
  };
  return conclude(ctx, { value, failed, what: 'could not be transferred', as: CrossBackendException });
};

/** Opens both ends; a plan finds out here that one of them cannot be reached. */
export const openEnds = async (
  { storage }: Context,
  { source, target }: CommonArgs,
): Promise<{ from: StoragePlace; to: StoragePlace }> => ({
  from: await storage(source),
  to: await storage(target),
});

/** Where a single file goes: into what was written as a directory, or is one, under its own name. */
export const placeInside = async (from: TransferEnd, to: StoragePlace, signal: AbortSignal): Promise<TransferEnd> => {
  const isInside = to.isDirectory || to.path === '' || (await to.storage.stat(to.path, { signal }))?.kind === 'dir';
  if (!isInside) return to;
  const name = posix.basename(from.path);
  return { storage: to.storage, path: to.path === '' ? name : `${to.path}/${name}` };
};
