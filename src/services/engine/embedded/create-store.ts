import { randomUUID } from 'node:crypto';
import { StoreException } from '../../../core/errors.ts';
import { isLarge } from '../../../core/json-pieces.ts';
import type { ClaimRef, Pruned } from '../port/engine.ts';
import type { Store } from '../port.ts';
import type { Spool } from '../spool/spool.ts';
import { leavesReading } from '../store-fault.ts';
import { KINDS, type ShelfName } from './calls.ts';
import type { Link } from './link.ts';
import { type Sending, sendApart } from './reader.ts';
import { recordInPieces } from './record-in-pieces.ts';
import type { Asked } from './repositories.ts';
import { SLICE } from './runs/prune.ts';

export interface StoreParts {
  /** Called at the first need, and again when the link it gave has ended. */
  connect(): Promise<Link>;
  /** Called for the first long read, where such reads have a connection of their own. */
  connectReader?(): Promise<Link>;
  now(): number;
  /** Where one-shots leave their runs; what lies there is taken in before runs are shown. */
  readonly spool?: Spool;
  readonly place: string;
}

interface Opened extends Sending {
  readonly writer: Link;
}

/** The store over a link: every call of the port, and what is made of them. */
export const createStore = ({ connect, connectReader, now, spool, place }: StoreParts): Store => {
  let link: Promise<Opened> | undefined;
  let isClosed = false;

  const openBoth = async (): Promise<Opened> => {
    const writer = await connect();
    return { writer, ...sendApart(writer, connectReader) };
  };

  const open = async (): Promise<Opened> => {
    if (isClosed) throw closed(place);
    const asked = link ?? openBoth();
    link = asked;
    try {
      const opened = await asked;
      if (opened.writer.isOpen) return opened;
    } catch (fault) {
      if (link === asked) link = undefined; // whoever asks next tries anew
      throw fault;
    }
    if (link === asked) link = undefined;
    return open();
  };

  const shelf = <S extends ShelfName>(name: S): Asked[S] => {
    const methods = Object.keys(KINDS[name]).map((method) => [
      method,
      async (...args: readonly unknown[]) => (await open()).send({ shelf: name, method, args, now: now() }),
    ]);
    // `KINDS` has exactly the methods of the shelf, and each call is answered by the repository's method of that name.
    return Object.fromEntries(methods) as Asked[S];
  };

  const { takeIn, pruneSlice, indexSlice, draft, record, ...runs } = shelf('runs');
  const nodes = shelf('nodes');
  const locks = shelf('locks');
  const ledger = shelf('ledger');

  const listeners = new Set<() => void>();
  const hinting =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const value = await call(...args);
      for (const listener of listeners) listener();
      return value;
    };

  /** Where nothing can be written, what lies in the spool waits, and what is known can be read. */
  const takeInSpool = async () => {
    try {
      await spool?.takeIn(takeIn);
    } catch (fault) {
      if (!leavesReading(fault)) throw fault;
    }
  };

  let indexing: Promise<void> | undefined;
  /** Where somebody looks for texts, lists are added to the index meanwhile, slice by slice, between whatever else is asked. */
  const keepIndex = (): void => {
    if (connectReader === undefined) return; // a short-lived process looks through what is not indexed
    const work = async () => {
      while (!isClosed && (await indexSlice()) > 0);
    };
    indexing ??= work()
      .catch(() => {}) // what is not indexed is looked through
      .finally(() => {
        indexing = undefined;
      });
  };

  const close = async () => {
    isClosed = true;
    await indexing;
    const opened = await link?.catch(() => undefined); // what could not be opened need not be closed
    link = undefined;
    await opened?.close();
  };

  return {
    ...runs,
    // Nobody else waits for the store of a short-lived process.
    record: (run) => (connectReader !== undefined && isLarge(run) ? recordInPieces(run, { draft, record }) : record(run)),
    submit: hinting(runs.submit),
    fire: hinting(runs.fire),
    redrive: hinting(runs.redrive),
    verdict: hinting(runs.verdict),
    heartbeat: (claims, leaseMs) => runs.heartbeat(claims.map(bare), leaseMs),
    nodes: {
      ...nodes,
      plan: (claim, commands) => nodes.plan(bare(claim), commands),
      record: (claim, changes) => nodes.record(bare(claim), changes),
    },
    audit: shelf('audit'),
    queue: shelf('queue'),
    schedules: shelf('schedules'),
    watchers: shelf('watchers'),
    ledger: { ...ledger, take: hinting(ledger.take) },
    locks,
    transfers: shelf('transfers'),
    notifications: shelf('notifications'),
    undo: shelf('undo'),
    approvals: shelf('approvals'),
    states: shelf('states'),
    async ready() {
      await open();
      await takeInSpool();
    },
    onQueued(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async run(runId) {
      const known = await runs.run(runId);
      if (known !== null) return known;
      await takeInSpool();
      return runs.run(runId);
    },
    async head(runId) {
      const known = await runs.head(runId);
      if (known !== null) return known;
      await takeInSpool();
      return runs.head(runId);
    },
    async runs(filter, cursor) {
      await takeInSpool();
      if (filter?.text !== undefined || filter?.action !== undefined) keepIndex();
      return runs.runs(filter, cursor);
    },
    async lock(name, ttlMs) {
      const owner = randomUUID();
      const lock = await locks.acquire({ name, owner, ttlMs });
      if (lock === null) return null;
      return {
        fence: BigInt(lock.fence),
        renew: async (again = ttlMs) => (await locks.refresh({ name, owner, ttlMs: again })) !== null,
        release: () => locks.release({ name, owner }),
      };
    },
    async prune(retention) {
      await takeInSpool();
      let sum = NOTHING;
      for (;;) {
        const slice = await pruneSlice(retention);
        sum = added(sum, slice);
        if (Object.values(slice).every((count) => count < SLICE)) return sum;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Lists are long, and a claim is named without its own. */
const bare = ({ runId, attempt, fence }: ClaimRef): ClaimRef => ({ runId, attempt, fence });

const NOTHING: Pruned = { runs: 0, fires: 0, audit: 0, transfers: 0, notifications: 0, approvals: 0 };

const added = (some: Pruned, more: Pruned): Pruned => ({
  runs: some.runs + more.runs,
  fires: some.fires + more.fires,
  audit: some.audit + more.audit,
  transfers: some.transfers + more.transfers,
  notifications: some.notifications + more.notifications,
  approvals: some.approvals + more.approvals,
});

const closed = (place: string): StoreException =>
  new StoreException(`The store at ${place} is closed; open it again.`, { context: { place } });
