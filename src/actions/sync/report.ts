import { join } from 'node:path';
import type { Context } from '../../core/context.ts';
import { array, boolean, object, string, whole } from '../../core/shapes.ts';
import { translate } from '../../lib/fs/faults.ts';
import type { NameList } from '../../lib/tree/name-list.ts';
import type { TreeFault } from '../../lib/tree/tree-fault.ts';
import { unpackFault } from '../../lib/workers/messages.ts';
import type { Decision } from './decide.ts';
import type { SyncArgs } from './sync-args.ts';
import type { Done } from './work.ts';

/** What a synchronisation answers: what became of each file, and how many there were. */
export const syncReport = object({
  copied: array(string()),
  skipped: array(string()),
  deleted: array(string()),
  errors: array(array(string())),
  dry_run: boolean(),
  totals: object({ copied: whole(), skipped: whole(), deleted: whole(), failed: whole(), vanished: whole(), bytes: whole() }),
});

/** Puts what was decided and done into the caller's words. */
export const reportOn = (ctx: Context, decision: Decision, done: Done, args: SyncArgs) => {
  const { src, dst, max_listed } = args;
  const faults = [...decision.faults, ...done.faults];
  const vanished = decision.vanished.count + done.vanished.count;
  const totals = {
    copied: done.copied.count,
    skipped: decision.same.count,
    deleted: done.deleted.length,
    failed: faults.length,
    vanished,
    bytes: done.bytes,
  };
  noteSpecial(ctx, decision.special);
  noteFailed(ctx, faults, { src, dst });
  if (vanished > 0) ctx.note({ kind: 'vanished', message: `${vanished} files vanished before they could be copied.`, count: vanished });
  if (Math.max(totals.copied, totals.skipped, totals.deleted, totals.failed) > max_listed)
    ctx.note({ kind: 'truncated', message: `Each list holds the first ${max_listed}; the totals count all.`, limit: max_listed });
  return {
    copied: first(done.copied.names, max_listed),
    skipped: first(decision.same.names, max_listed),
    deleted: first(done.deleted, max_listed),
    errors: faults.slice(0, max_listed).map((fault) => [fault.relative, sentenceOf(ctx, fault, { src, dst })]),
    dry_run: args.dry_run,
    totals,
  };
};

const first = (names: readonly string[], most: number): string[] => names.toSorted().slice(0, most);

/** A fault in words, with the path that it concerns. */
export const sentenceOf = (
  { files }: Context,
  { side, relative, fault }: TreeFault,
  { src, dst }: { readonly src: string; readonly dst: string },
): string => translate(unpackFault(fault), { path: join(files.absolute(side === 'source' ? src : dst), relative) }).message;

/** The command itself has not failed, so that this is all that somebody sees who does not read the answer. */
const noteFailed = (ctx: Context, faults: readonly TreeFault[], roots: { readonly src: string; readonly dst: string }): void => {
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length === 1 ? '' : ` ${faults.length - 1} more failed too: see errors.`;
  ctx.note({ kind: 'failed', message: `${sentenceOf(ctx, first, roots)}${others}`, count: faults.length });
};

const noteSpecial = ({ note }: Context, { count, names }: NameList): void => {
  if (count === 0) return;
  note({ kind: 'skipped', message: `${count} pipes, sockets or devices were left out.`, count, paths: names.slice(0, 20) });
};
