import type { LostAttribute, LostChange } from '../../core/journal.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect, Note } from '../../core/result.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { unkeptNote } from '../../lib/fs/move-entry.ts';
import type { ListRun } from '../run.ts';
import { type CommandContext, gather } from './context.ts';

/** A note names this many targets and counts the rest. */
const MAX_NAMED = 10;

/** Says what of a command cannot be taken back, one note for each reason. */
export const lossNotes = (lost: readonly LostChange[]): Note[] => {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of lost) {
    const targets = byReason.get(reason);
    if (targets === undefined) byReason.set(reason, [path]);
    else targets.push(path);
  }
  return [...byReason].map(([reason, targets]) => {
    const more = targets.length > 1 ? ` and ${targets.length - 1} more` : '';
    const message = `${targets[0]}${more} cannot be undone: ${reason}.`;
    return { kind: 'not_undoable', message, reason, targets: targets.slice(0, MAX_NAMED), count: targets.length };
  });
};

/** Says what of files that a command has made or replaced could not be kept. */
export const attributeNotes = (unkept: readonly LostAttribute[]): Note[] => {
  const [first] = unkept;
  if (first === undefined) return [];
  const lost = (['owner', 'mode'] as const).flatMap((kind) => {
    const of = unkept.filter(({ what }) => what === kind);
    const count = of.reduce((sum, { others = 0 }) => sum + 1 + others, 0);
    return count === 0 ? [] : [{ what: kind, count, paths: of.slice(0, MAX_NAMED).map(({ path }) => path) }];
  });
  return [unkeptNote(first.path, lost)];
};

/** Remembers that a command of a journalled run has others do something. */
export const tellForeign = (context: CommandContext, { about }: Ready): void => {
  if (context.list.files().isJournalled !== true) return;
  const { lost } = gather(context);
  if (about.effects.includes('executes')) lost.push({ path: about.name, reason: UNDO_REASONS.byProgram });
  if (about.effects.includes('network')) lost.push({ path: about.name, reason: UNDO_REASONS.byNetwork });
};

/** Paths of this machine begin with no scheme. */
const isElsewhere = (target: string): boolean => /^[a-z][a-z0-9]*(?:\+[\w-]+)?:\/\//.test(target);

/** What of the effects of a command could not be taken back if this were a real run; nothing where none is journalled. */
export const foreseenLosses = ({ files, foresight, run }: ListRun, effects: readonly Effect[]): LostChange[] => {
  if (foresight === undefined || effects.every(({ kind }) => kind === 'read')) return [];
  const { undoLimits, roomAt } = files();
  if (undoLimits === undefined) return [];
  return effects.flatMap(({ kind, target }): LostChange[] => {
    const lost = (reason: string) => [{ path: run.house.masker.text(target), reason }]; // notes are kept as they are
    if (kind === 'execute') return lost(UNDO_REASONS.byProgram);
    if (kind === 'network' || (kind !== 'read' && isElsewhere(target))) return lost(UNDO_REASONS.byNetwork);
    const goes = kind === 'delete' || kind === 'overwrite';
    const reason = goes ? foresight.couldKeep(target, undoLimits, roomAt?.(target)) : undefined;
    return reason === undefined ? [] : lost(reason);
  });
};
