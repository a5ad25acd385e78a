import type { SinkTable } from '../../core/ports/notify.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { OutboxMessage } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import type { Attempt, Attempted } from './attempt.ts';
import { envelopesFor, type Waiting } from './envelopes.ts';
import type { Message } from './message.ts';

/** A message for one sink, and when it wants it; without a time at once. */
export interface Letter {
  readonly sink: SinkTable;
  readonly message: Message;
  readonly dueAt?: number | undefined;
}

/** Messages on their way. What was posted is sent, however often the process dies; now and then twice, never not at all. */
export interface Outbox {
  /** Stores letters and begins to send those that are due; done when they are stored. */
  post(letters: readonly Letter[]): Promise<{
    /** What became of each, in order. */
    readonly answers: Promise<readonly string[]>;
  }>;
  /** Sends from now on what waits, at its time. */
  start(): void;
  /** Sends nothing further but what is under way, here or on its way to be posted, and waits for that, though not for ever. */
  close(onTheWay: Promise<unknown>): Promise<void>;
}

export interface OutboxParts {
  readonly notifications: Store['notifications'];
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Pick<Meters, 'notified'>;
  readonly setTimer: SetTimer;
  readonly attempt: Attempt;
  sinks(): readonly SinkTable[];
  /** Ends every attempt under way. */
  stop(): void;
}

const AT_ONCE = 8;
/** That many letters are on their way to one sink; what comes meanwhile waits in the store, so that a flood does not become one of connections. */
const MOST_TO_ONE_SINK = 16;
const PAGE = 100;
const MOST_ATTEMPTS = 12;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
const LOOK_MS = 5_000;
const IDLE_LOOK_MS = 60_000;
/** How long attempts may go on when the service stops. */
const GRACE_MS = 3_000;
/** So much earlier come those that were not tried, so that a message that is never taken does not stay before them. */
const EARLIER_MS = 1_000;

/** A message that stays in the store for another attempt. */
interface NotTaken extends Pick<OutboxMessage, 'id' | 'sink' | 'attempts'> {
  readonly wasTried: boolean;
}

type Refusal = Omit<Exclude<Attempted, { isSent: true }>, 'isSent'>;

export const createOutbox = ({ notifications, clock, log, meters, setTimer, attempt, sinks, stop }: OutboxParts): Outbox => {
  const underWay = new Set<Promise<unknown>>();
  /** By sink: what is on its way without having waited in the store. */
  const onTheWay = new Map<string, { readonly thread: string; readonly sending: Promise<unknown> }[]>();
  let next: { readonly at: number; cancel(): void } | undefined;
  let isOpen = false;

  const tracked = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  };

  /** What cannot be stored is sent all the same: it may be about the very disk that is full. */
  const stored = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (fault) {
      log('error', 'the store of notifications fails; they are sent without it', { error: String(fault) });
      return undefined;
    }
  };

  const putOff = async ({ id, sink, attempts, wasTried }: NotTaken, { error, isFinal, retryAfterMs }: Refusal): Promise<void> => {
    const isOver = isFinal || attempts >= MOST_ATTEMPTS;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(retryAfterMs, FIRST_PAUSE_MS * 2 ** (attempts - 1)));
    const level = isOver ? 'error' : wasTried ? 'warn' : 'debug';
    log(level, isOver ? 'a notification is given up' : 'a notification waits for another attempt', { sink, attempts, error });
    const retryAt = clock.now() + pause - (wasTried ? 0 : EARLIER_MS);
    await notifications.failed(id, { error, retryAt: isOver ? null : retryAt });
  };

  const send = async (sink: SinkTable, message: Message, ids: readonly number[], attempts: number): Promise<Attempted> => {
    const outcome = await attempt(sink, message);
    meters.notified(sink.name, outcome.isSent ? 'sent' : 'failed');
    const settle = (id: number) =>
      outcome.isSent ? notifications.sent(id) : putOff({ id, sink: sink.name, attempts, wasTried: true }, outcome);
    await stored(() => boundedMap(ids, AT_ONCE, settle));
    return outcome;
  };

  /** Whether a letter goes without waiting in the store: there is room, and at most one of its thread is before it. */
  const mayGo = ({ sink, message }: Letter): boolean => {
    const going = (onTheWay.get(sink.name) ?? []).map(({ thread }) => thread);
    return going.length < MOST_TO_ONE_SINK && going.filter((thread) => thread === threadOf(message)).length < 2;
  };

  const go = async ({ sink, message }: Letter, id: Promise<number | undefined>): Promise<string> => {
    const going = onTheWay.get(sink.name) ?? [];
    onTheWay.set(sink.name, going);
    const before = going.findLast(({ thread }) => thread === threadOf(message));
    const sending = (async () => {
      await before?.sending;
      const row = await id;
      return send(sink, message, row === undefined ? [] : [row], 1);
    })();
    const entry = { thread: threadOf(message), sending };
    going.push(entry);
    try {
      const outcome = await sending;
      return outcome.isSent ? 'sent' : outcome.error;
    } finally {
      going.splice(going.indexOf(entry), 1);
      if (going.length === 0) onTheWay.delete(sink.name);
    }
  };

  const hold = async (letter: Letter, id: Promise<number | undefined>): Promise<string> => {
    if ((await id) === undefined) return go(letter, id); // nobody else would
    meters.notified(letter.sink.name, 'held');
    return 'held';
  };

  const post: Outbox['post'] = async (letters) => {
    const now = clock.now();
    const leaseMs = leaseFor(letters.map(({ sink }) => sink));
    const going = letters.map((letter) => letter.dueAt === undefined && mayGo(letter));
    const rows = letters.map(({ sink, message, dueAt }, at) => {
      const payload: Waiting = { message, isHeld: dueAt !== undefined };
      return { sink: sink.name, payload, dueAt: going[at] ? now + leaseMs : (dueAt ?? now) }; // ours until then: nobody else sends it meanwhile
    });
    const storing = stored(() => notifications.post(rows));
    const answers = letters.map((letter, at) =>
      (going[at] ? go : hold)(
        letter,
        storing.then((ids) => ids?.[at]),
      ),
    );
    tracked(Promise.all(answers));
    await storing;
    lookIn(LOOK_MS);
    return { answers: Promise.all(answers) };
  };

  /**
   * Sends what is due for one sink, as long as it is ours. Once it has not taken one the rest waits as if tried too, for it would meet the
   * same fault; `down` says of which sinks that is known.
   */
  const sendDue = async (name: string, due: readonly OutboxMessage[], leaseEnd: number, down: Map<string, Refusal>): Promise<void> => {
    const sink = sinks().find((each) => each.name === name);
    if (sink === undefined) {
      const gone = { error: `There is no sink named ${name} any more.`, isFinal: false, retryAfterMs: 0 };
      for (const { id, attempts } of due) await putOff({ id, sink: name, attempts, wasTried: true }, gone);
      return;
    }
    for (const { message, ids, attempts } of envelopesFor(sink, due)) {
      const refusal = down.get(name);
      if (refusal !== undefined) {
        await boundedMap(ids, AT_ONCE, (id) => putOff({ id, sink: name, attempts, wasTried: false }, refusal));
        continue;
      }
      if (clock.now() + sink.timeout * 1000 > leaseEnd) return;
      const outcome = await send(sink, message, ids, attempts);
      if (!outcome.isSent && !outcome.isFinal) down.set(name, outcome);
    }
  };

  const look = async (): Promise<void> => {
    const down = new Map<string, Refusal>();
    for (let isFull = true; isFull && isOpen; ) {
      const leaseMs = leaseFor(sinks());
      const leaseEnd = clock.now() + leaseMs;
      const due = await notifications.due({ max: PAGE, leaseMs });
      isFull = due.length === PAGE;
      const bySink = [...new Set(due.map(({ sink }) => sink))].map((sink) => ({ sink, due: due.filter((each) => each.sink === sink) }));
      await boundedMap(bySink, AT_ONCE, (each) => sendDue(each.sink, each.due, leaseEnd, down));
    }
    lookIn((await notifications.waiting()) > 0 ? LOOK_MS : IDLE_LOOK_MS);
  };

  const lookIn = (ms: number): void => {
    const at = clock.now() + ms;
    if (!isOpen || (next !== undefined && next.at <= at)) return;
    next?.cancel();
    const cancel = setTimer(() => {
      next = undefined;
      void tracked(look()).catch((fault: unknown) => {
        log('error', 'waiting notifications cannot be read', { error: String(fault) });
        lookIn(IDLE_LOOK_MS);
      });
    }, ms);
    next = { at, cancel };
  };

  return {
    post,
    start() {
      isOpen = true;
      lookIn(0);
    },
    async close(onTheWay) {
      isOpen = false;
      next?.cancel();
      next = undefined;
      const cancelStop = setTimer(stop, GRACE_MS);
      await onTheWay;
      await Promise.allSettled(underWay);
      cancelStop();
    },
  };
};

/** Messages of one incident go one after the other, so that nobody hears of a recovery before the failure. */
const threadOf = ({ incident, id }: Message): string => incident?.key ?? id;

/** Longer than any attempt takes: whoever holds messages so long is dead. */
const leaseFor = (sinks: readonly SinkTable[]): number => 60_000 + 2_000 * Math.max(0, ...sinks.map(({ timeout }) => timeout));
