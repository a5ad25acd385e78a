import type { Sharer, Shares } from '../../access/shares.ts';
import { SHARES, type ShareLimits, type ShareName } from '../../core/caller-limits.ts';
import { FileAutomationException, QuotaExceededException } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { RunFacts } from '../../services/engine/port/runs.ts';
import type { Store } from '../../services/engine/port.ts';

export interface KeepSharesParts {
  readonly shares: Pick<Shares, 'demand'>;
  readonly log: Log;
  /** What a caller may have; undefined where nobody says, so that it is the usual. */
  limitsOf(caller: string): ShareLimits | undefined;
}

/** A store that is told with every run how much its caller may have of it, and whose refusals say which key to raise. */
export const keepShares = (store: Store, { shares, log, limitsOf }: KeepSharesParts): Store => {
  const withShare = <T extends RunFacts>(facts: T): T => {
    if (facts.caller === OWNER_NAME || facts.share !== undefined) return facts;
    const limits = limitsOf(facts.caller);
    const mostOf = (share: ShareName): number => limits?.[share] ?? SHARES[share].usual;
    return { ...facts, share: { queued: mostOf('maxQueued'), storedBytes: mostOf('maxStoredBytes') } };
  };

  /** What the store refuses it names by the key alone. */
  const refused =
    (caller: string) =>
    (fault: unknown): never => {
      const share = shareOf(fault);
      if (share !== undefined) shares.demand(sharer(caller), share, Number.POSITIVE_INFINITY);
      throw fault;
    };
  const sharer = (name: string): Sharer => ({ name, policy: limitsOf(name) });

  return {
    ...store,
    submit: (submission) => store.submit(withShare(submission)).catch(refused(submission.caller)),
    record: (run) => store.record(withShare(run)),
    async fire(schedule, slot, submission) {
      if (submission === undefined) return store.fire(schedule, slot);
      try {
        return await store.fire(schedule, slot, withShare(submission)).catch(refused(submission.caller));
      } catch (fault) {
        if (shareOf(fault) === undefined) throw fault;
        log('warn', `a scheduled run was left out: ${fault instanceof Error ? fault.message : ''}`, { schedule });
        return false;
      }
    },
    ledger: {
      ...store.ledger,
      take: (watcher, files, submission) =>
        submission === undefined
          ? store.ledger.take(watcher, files)
          : store.ledger.take(watcher, files, withShare(submission)).catch(refused(submission.caller)),
    },
  };
};

/** The share of which the store says that it is used up. */
const shareOf = (fault: unknown): ShareName | undefined => {
  if (!(fault instanceof FileAutomationException) || fault.type !== QuotaExceededException.name) return undefined;
  return STORED.find((share) => SHARES[share].key === fault.context.limit);
};

const STORED = ['maxQueued', 'maxStoredBytes'] as const satisfies readonly ShareName[];
