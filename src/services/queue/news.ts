import { CancelledException } from '../../core/errors.ts';
import { type KeptOutcome, keepOutcome, reuseOutcome } from '../../core/kept-outcome.ts';
import type { CommandObserver } from '../../core/ports/commands.ts';
import type { Clock } from '../../core/ports.ts';
import type { RunResult, Status } from '../../core/result.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { Claim } from '../engine/port/engine.ts';
import type { CommandChange, CommandRecord } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import type { Persist } from './persist.ts';

export interface NewsParts {
  readonly store: Pick<Store, 'nodes'>;
  readonly claim: Claim;
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  readonly persist: Persist;
  /** Fires when nothing that is told matters any more. */
  readonly givenUp: AbortSignal;
  mask(value: unknown): unknown;
  /** The run is in other hands. */
  onLost(): void;
}

/** What the store is told of the commands of one run. */
export interface News extends CommandObserver {
  /** Commands of another run stand in the place of this one's, or it is known that they are left out. */
  takeOver(commands: ReadonlyMap<number, CommandRecord>): void;
  /** Whether a command was started here that may not be repeated. */
  isUnrepeatable(index: number): boolean;
  /** What the store does not know yet of a run that is over; nothing is sent after this. */
  rest(result: RunResult | undefined): Promise<readonly CommandChange[]>;
}

/** How long news may wait for company when nobody relies on it. */
const LAZY_MS = 200;
/** How a command may have ended for good in an earlier attempt of the same run. */
const FINISHED: ReadonlySet<string> = new Set(['ok', 'failed', 'reused'] satisfies Status[]);

/**
 * Tells the store of commands as they go. The start of a command that may not be repeated is on the disk before it takes effect,
 * its end is sent at once; the rest travels together, or with the settlement of a run that is soon over.
 */
export const createNews = ({ store, claim, clock, setTimer, persist, givenUp, mask, onLost }: NewsParts): News => {
  const finished = new Map(claim.earlier.filter(({ state }) => FINISHED.has(state)).map((record) => [record.index, record]));
  const unrepeatable = new Set<number>();
  let reused: ReadonlyMap<number, CommandRecord> = new Map();
  /** Those of whose end the store knows, or which wait to be told. */
  const told = new Set(finished.keys());
  let waiting: CommandChange[] = [];
  let sending: Promise<unknown> = Promise.resolve();
  let stopTimer = () => {};
  let waitMs = Number.POSITIVE_INFINITY;
  let isOver = false;

  const sendWaiting = async (): Promise<void> => {
    const changes = waiting;
    waiting = [];
    if (changes.length === 0) return;
    try {
      const { isAccepted } = await persist(() => store.nodes.record(claim, changes), givenUp);
      if (isAccepted) return;
    } catch (fault) {
      waiting = [...changes, ...waiting];
      throw fault;
    }
    onLost();
    throw new CancelledException('The run is in other hands by now.');
  };

  /** One after the other, so that the store hears of things in their order. */
  const send = (): Promise<void> => {
    stopTimer();
    waitMs = Number.POSITIVE_INFINITY;
    const sent = sending.then(sendWaiting);
    sending = sent.catch(() => {}); // shown to whoever waits for it: the start of a command, or the settlement
    return sent;
  };

  /** Sends within this time; news that comes meanwhile does not put it off. */
  const sendLater = (ms: number) => {
    if (isOver || waitMs <= ms) return;
    stopTimer();
    waitMs = ms;
    stopTimer = setTimer(() => void send().catch(() => {}), ms);
  };

  return {
    takeOver(commands) {
      reused = commands;
    },
    known(index) {
      const own = finished.get(index);
      // Both hold commands that have ended, so their state is a status.
      if (own !== undefined) return reuseOutcome(own as KeptOutcome, own.state as Status);
      const other = reused.get(index);
      return other === undefined ? undefined : reuseOutcome(other as KeptOutcome, other.state === 'skipped' ? 'skipped' : 'reused');
    },
    started({ index, id, action, isIdempotent }) {
      waiting.push({ index, ...(id !== undefined && { id }), action, isIdempotent, state: 'running', startedAt: clock.now() });
      if (isIdempotent) return sendLater(LAZY_MS);
      unrepeatable.add(index);
      return send();
    },
    ended(outcome) {
      told.add(outcome.index);
      waiting.push(keepOutcome(outcome, mask));
      sendLater(unrepeatable.has(outcome.index) ? 0 : LAZY_MS);
    },
    isUnrepeatable: (index) => unrepeatable.has(index),
    async rest(result) {
      isOver = true;
      stopTimer();
      await sending;
      const untold = (result?.results ?? []).filter(({ index }) => !told.has(index));
      return [...waiting, ...untold.map((outcome) => keepOutcome(outcome, mask))];
    },
  };
};
