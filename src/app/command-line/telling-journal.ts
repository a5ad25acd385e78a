import type { Change, Journal, LostChange } from '../../core/journal.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { createStages } from '../../files/journal/stages.ts';

/** A journal that says of every change, from when nothing can be written down, that it cannot be taken back; it is made all the same. */
export const tellingJournal = (inner: Journal | undefined, isBroken: () => boolean): Journal => {
  const stages = createStages();

  const around = (own: Journal | undefined, tell: (lost: LostChange) => void): Journal => {
    const tellOf = (path: string) => tell({ path, reason: UNDO_REASONS.notRecorded });
    const beforeBulk: Journal['beforeBulk'] = async (changes) => {
      if (isBroken()) return undefined;
      const bulk = await own?.beforeBulk?.(changes);
      if (bulk !== undefined && isBroken()) tellOf(changes.root);
      return bulk;
    };
    return {
      async before(change, told) {
        stages.begins(change);
        if (!isBroken()) await own?.before(change, told);
        const seen = isBroken() ? stages.seenOutside(change) : undefined;
        if (seen !== undefined) tellOf(pathOf(seen));
      },
      ...(own?.beforeBulk && { beforeBulk }),
    };
  };

  return {
    ...around(inner, () => {}),
    limits: inner?.limits,
    ...(inner?.placeBelow && { placeBelow: inner.placeBelow }),
    forCommand: (tell) => around(inner?.forCommand?.(tell) ?? inner, tell),
  };
};

const pathOf = (change: Change): string => (change.kind === 'move' ? change.to : change.path);
