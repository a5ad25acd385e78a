import type { WatchRules } from '../../../core/ports/watchers.ts';
import type { Log, Meters } from '../../../core/ports.ts';
import { boundedMap } from '../../../lib/async/bounded-map.ts';
import type { RunId } from '../../engine/port/runs.ts';
import type { Watcher } from '../../engine/port/shelves.ts';
import type { Store } from '../../engine/port.ts';
import type { Comparison, Round } from '../disk/comparison.ts';
import type { KnownTree } from '../disk/known-tree.ts';
import type { Scope } from '../disk/scope.ts';
import type { Echoes } from './echoes.ts';
import { eventsOf, type FileEvent } from './file-event.ts';
import { createHandOver } from './hand-over.ts';
import type { Change, Pending } from './pending.ts';

export interface DeliveryParts {
  readonly store: Pick<Store, 'ledger' | 'submit' | 'run'>;
  readonly stored: Watcher;
  readonly rules: WatchRules;
  readonly base: string;
  readonly scope: Scope;
  readonly known: KnownTree;
  readonly pending: Pending;
  readonly comparison: Comparison;
  readonly echoes: Echoes;
  readonly log: Log;
  readonly meters: Pick<Meters, 'watchEvent'>;
  cancel(runId: RunId): Promise<unknown>;
  readonly going: readonly RunId[];
}

/** Hands pending changes over once their files are complete. */
export interface Delivery {
  /** Rejects where the store fails; everything that was not handed over is still pending. */
  deliver(round: Round): Promise<void>;
  /** Nothing is delivered before then; 0 takes that back. */
  holdUntil(at: number): void;
  /** When there is something to deliver, as far as is known. */
  readonly nextAt: number;
}

const BUSY_LOOK_MS = 5_000;
const LOOKS_AT_ONCE = 16;
const DELIVERED_AT_ONCE = 5_000;

export const createDelivery = (parts: DeliveryParts): Delivery => {
  const { stored, rules, scope, known, pending, comparison, echoes, log } = parts;
  const quietMs = Math.max(rules.settleS, rules.debounceS) * 1000;
  /** Files that are left alone, and until when. */
  const resting = new Map<string, number>();
  let now = 0;
  let heldUntil = 0;

  const handOver = createHandOver({
    ...parts,
    onQueued: (runId, paths) => echoes.begun(runId, paths, now),
    onTaken({ path, fingerprint, movedFrom }) {
      pending.delete(path);
      if (fingerprint === null) known.delete(path);
      else known.set(path, fingerprint);
      if (movedFrom === null) return;
      pending.delete(movedFrom);
      known.delete(movedFrom);
    },
  });

  const wakeRested = () => {
    for (const [path, until] of resting) {
      if (until > now) continue;
      resting.delete(path);
      pending.unpark(path);
    }
  };

  const rest = (path: string, until: number) => {
    const reason = 'a file changes whenever it is handled and is taken up less often; exclude it if the list writes it';
    log('warn', reason, { watcher: stored.name, path });
    resting.set(path, until);
    pending.park(path);
  };

  const isMarked = async (path: string): Promise<boolean> => {
    const marker = scope.markerOf(path);
    return marker === undefined || (await comparison.look(marker))?.kind === 'file';
  };

  /** The change, if the file still is as it was seen and nothing else is waited for. */
  const confirmed = async ([path, change]: [string, Change], round: Round): Promise<[string, Change][]> => {
    const restsUntil = echoes.restsUntil(path, change.since);
    const look = restsUntil > now ? null : await comparison.look(path);
    if (restsUntil > now) rest(path, restsUntil);
    else if (look === null) pending.park(path);
    else if (change.fingerprint !== (look?.kind === 'file' ? look.fingerprint : null)) comparison.note(path, look, round);
    else if (change.fingerprint === null || (await isMarked(path))) return [[path, change]];
    else pending.park(path);
    return [];
  };

  const isWanted = ({ kind, isOwn }: FileEvent) => !isOwn && rules.events.includes(kind);

  return {
    async deliver(round) {
      now = round.now;
      wakeRested();
      if (now < heldUntil) return;
      const quiet = pending.quiet(now - quietMs, DELIVERED_AT_ONCE, known);
      if (quiet.length === 0) return;
      if (await handOver.mustWait()) {
        heldUntil = now + BUSY_LOOK_MS;
        return;
      }
      const changes = (await boundedMap(quiet, LOOKS_AT_ONCE, (each) => confirmed(each, round))).flat();
      const events = eventsOf(changes, known);
      await handOver.absorb(events.filter((event) => !isWanted(event)));
      await handOver.deliver(events.filter(isWanted));
    },
    holdUntil(at) {
      heldUntil = at;
    },
    get nextAt() {
      const { firstSince } = pending;
      const quietAt = firstSince === undefined ? Number.POSITIVE_INFINITY : Math.max(firstSince + quietMs, heldUntil);
      return Math.min(quietAt, ...resting.values());
    },
  };
};
