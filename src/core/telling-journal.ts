import type { Change, Journal } from './journal.ts';

/** A journal that tells somebody which paths are about to be changed, then the one inside. Bulk work is told change by change: each path counts. */
export const tellingJournal = (inner: Journal | undefined, tell: (paths: readonly string[]) => unknown): Journal => ({
  async before(change, told) {
    await tell(pathsOf(change));
    await inner?.before(change, told);
  },
  limits: inner?.limits,
  ...(inner?.forCommand && { forCommand: (lost) => tellingJournal(inner.forCommand?.(lost), tell) }),
});

const pathsOf = (change: Change): readonly string[] => (change.kind === 'move' ? [change.from, change.to] : [change.path]);
