import { nameOutOfSpace } from '../../../core/name-space.ts';
import type { WatchKind, WatchRules } from '../../../core/ports/watchers.ts';
import type { Meters } from '../../../core/ports.ts';
import { boundedMap } from '../../../lib/async/bounded-map.ts';
import type { Submission } from '../../engine/port/engine.ts';
import type { RunId } from '../../engine/port/runs.ts';
import type { SeenFile, Watcher } from '../../engine/port/shelves.ts';
import type { Store } from '../../engine/port.ts';
import { notesOf } from '../watch-notes.ts';
import { type FileEvent, type ShownEvent, type ShownFile, shownEvent, shownFile } from './file-event.ts';

export interface HandOverParts {
  readonly store: Pick<Store, 'ledger' | 'submit' | 'run'>;
  readonly stored: Watcher;
  readonly rules: WatchRules;
  readonly base: string;
  readonly meters: Pick<Meters, 'watchEvent'>;
  cancel(runId: RunId): Promise<unknown>;
  /** Runs of the watcher that wait or are under way. */
  readonly going: readonly RunId[];
  /** Told of every run that was queued, and its files. */
  onQueued(runId: RunId, paths: readonly string[]): void;
  /** Told of every event that is written down for good. */
  onTaken(event: FileEvent): void;
}

/** Writes events down in the ledger and queues runs for them, both in the same moment: each file is handed over once. */
export interface HandOver {
  /** Whether events must wait for the end of a run. */
  mustWait(): Promise<boolean>;
  /** Queues runs, unless the rules drop the events. */
  deliver(events: readonly FileEvent[]): Promise<void>;
  /** Writes events down without a run. */
  absorb(events: readonly FileEvent[]): Promise<void>;
}

const COALESCED_MOST = 1000;
const ABSORBED_AT_ONCE = 1000;
const BATCHES_AT_ONCE = 256;

/** Files that go into one run; all had the same happen to them. */
interface Batch {
  readonly kind: WatchKind;
  readonly events: readonly FileEvent[];
  /** What cancelled runs had been given. */
  readonly earlier: readonly ShownFile[];
}

export const createHandOver = (parts: HandOverParts): HandOver => {
  const { store, stored, rules, base, meters, cancel, onQueued, onTaken } = parts;
  const { ledger } = store;
  const going = new Set(parts.going);

  const isBusy = async (): Promise<boolean> => {
    for (const runId of going) {
      const run = await store.run(runId);
      if (run === null || !['queued', 'running'].includes(run.state)) going.delete(runId);
    }
    return going.size > 0;
  };

  const submissionFor = ({ kind, events, earlier }: Batch): Submission | undefined => {
    const fresh = events.map((event) => shownFile(base, event));
    const again = new Set(fresh.map(({ path }) => path));
    const [first, ...rest] = [...earlier.filter(({ path }) => !again.has(path)), ...fresh];
    if (first === undefined) return undefined;
    return {
      source: 'watch',
      caller: notesOf(stored).caller,
      body: stored.body,
      name: stored.name,
      options: { named: { event: shownEvent(nameOutOfSpace(notesOf(stored).caller, stored.name), kind, [first, ...rest]) } },
    };
  };

  /** All calls are made in one turn, so that the store commits them together. */
  const write = async (events: readonly FileEvent[], submission?: Submission): Promise<RunId | undefined> => {
    const gone = events.flatMap(({ path, fingerprint, movedFrom }) => (fingerprint === null ? [path] : (movedFrom ?? [])));
    const seen: SeenFile[] = events.flatMap(({ path, fingerprint }) => (fingerprint === null ? [] : [{ path, fingerprint }]));
    const [taken, submitted] = await Promise.all([
      seen.length === 0 ? undefined : ledger.take(stored.name, seen, submission),
      seen.length > 0 || submission === undefined ? undefined : store.submit(submission),
      gone.length === 0 ? undefined : ledger.forget(stored.name, gone),
    ]);
    for (const event of events) onTaken(event);
    return taken?.run?.runId ?? submitted?.runId;
  };

  const absorb = async (events: readonly FileEvent[]): Promise<void> => {
    for (let at = 0; at < events.length; at += ABSORBED_AT_ONCE) await write(events.slice(at, at + ABSORBED_AT_ONCE));
  };

  const queue = async (batches: readonly Batch[]): Promise<void> => {
    await boundedMap(batches, BATCHES_AT_ONCE, async (batch) => {
      const runId = await write(batch.events, submissionFor(batch));
      const paths = batch.events.map(({ path }) => path);
      if (runId !== undefined) onQueued(runId, paths);
      if (runId !== undefined && rules.onBusy !== 'queue') going.add(runId);
      for (const { kind } of batch.events) meters.watchEvent(kind);
    });
  };

  /** The new runs are queued before the old ones are cancelled: should the process end in between, nothing is lost. */
  const restart = async (events: readonly FileEvent[]): Promise<void> => {
    const old = [...going];
    const earlier = new Map<WatchKind, readonly ShownFile[]>();
    for (const runId of old) {
      const event = eventOf(await store.run(runId));
      if (event !== undefined) earlier.set(event.kind, [...(earlier.get(event.kind) ?? []), ...event.files]);
    }
    const kinds = new Set([...earlier.keys(), ...events.map(({ kind }) => kind)]);
    await queue(
      [...kinds].map((kind) => ({ kind, events: events.filter((event) => event.kind === kind), earlier: earlier.get(kind) ?? [] })),
    );
    for (const runId of old) {
      await cancel(runId);
      going.delete(runId);
    }
  };

  return {
    absorb,
    mustWait: async () => rules.onBusy === 'coalesce' && (await isBusy()),
    async deliver(events) {
      if (events.length === 0) return;
      const isTooLate = rules.onBusy === 'drop' || rules.onBusy === 'restart' ? await isBusy() : false;
      if (!isTooLate) return queue(batchesOf(events, rules.onBusy === 'coalesce' ? COALESCED_MOST : rules.batch));
      if (rules.onBusy === 'restart') return restart(events);
      await absorb(events);
      for (const _ of events) meters.watchEvent('dropped');
    },
  };
};

const batchesOf = (events: readonly FileEvent[], most: number): Batch[] => {
  const open = new Map<WatchKind, FileEvent[]>();
  const batches: Batch[] = [];
  for (const event of events) {
    let batch = open.get(event.kind);
    if (batch === undefined || batch.length >= most) {
      batch = [];
      open.set(event.kind, batch);
      batches.push({ kind: event.kind, events: batch, earlier: [] });
    }
    batch.push(event);
  }
  return batches;
};

/** The event that a run was given. */
const eventOf = (run: { readonly options: unknown } | null): ShownEvent | undefined =>
  // As `submissionFor` writes it.
  (run?.options as { readonly named: { readonly event: ShownEvent } } | undefined)?.named.event;
