import type { Caller } from '../../access/caller.ts';
import { CancelledException, ExecuteActionException } from '../../core/errors.ts';
import type { Note, RunResult } from '../../core/result.ts';
import type { Claim, HeldLock } from '../engine/port/engine.ts';
import type { Store } from '../engine/port.ts';
import { notUndoable } from './not-undoable.ts';
import { resultOf, UNDO, type UndoReport } from './report.ts';
import type { UndoOptions } from './undo.ts';
import { undoWindows } from './windows.ts';

/** One undoing with everything it needs. */
export interface Undertaking extends UndoOptions {
  readonly claim: Claim;
  /** The run that is undone. */
  readonly undone: string;
  readonly caller: Caller;
  /** Nobody else undoes the run while it is held. */
  readonly lock: HeldLock;
  readonly leaseMs: number;
  /** Aborted when the process stops: what is left then is gone on with later. */
  readonly signal: AbortSignal;
}

/** Short, because whoever undoes again after a process was killed has to wait for it. */
const LOCK_MS = 5_000;

/** Keeps others from undoing the same run; null where somebody does, or did until a few seconds ago. */
export const lockRun = (store: Pick<Store, 'lock'>, undone: string): Promise<HeldLock | null> => store.lock(`undo:${undone}`, LOCK_MS);

/** Undoes a run that is in our hands and settles it. Rejects only where the store fails or the process stops; another one goes on then. */
export const carryOut = async (undertaking: Undertaking): Promise<RunResult> => {
  const { store, clock, claim, undone, lock } = undertaking;
  const startedAt = clock.monotonic();
  const hold = createHold(undertaking);
  const beat = setInterval(() => void hold.renew(), LOCK_MS / 3).unref();
  try {
    await store.nodes.plan(claim, [{ index: 0, action: UNDO, isIdempotent: true }]);
    await store.nodes.record(claim, [{ index: 0, state: 'running', startedAt: clock.now() }]);
    const report = await takeBack(undertaking, hold);
    const result = resultOf(claim.runId, undone, report, clock.monotonic() - startedAt);
    await settle(undertaking, result);
    return result;
  } finally {
    clearInterval(beat);
    await lock.release();
  }
};

/** Latest first, one after the other: each is marked before the next begins, so that whoever goes on knows where. */
const takeBack = async ({ store, files, undone, caller, signal }: Undertaking, hold: Hold): Promise<UndoReport> => {
  const left = notUndoable((await store.run(undone))?.commands ?? []);
  const lost: Note[] = [];
  const report: UndoReport = { undone: [], refused: [], left };
  const entries = await store.undo.list(undone);
  const times = { signal, windows: await undoWindows(store), onLost: (note: Note) => void lost.push(note) };
  for (const { number, state, path, revert } of files.stepsIn(entries, caller, times)) {
    if (state === 'undone') continue;
    if (signal.aborted) throw new CancelledException('The service stops; the rest is undone when it starts again.');
    const reason = await revert();
    await hold.demand();
    await store.undo.mark(undone, [number], reason === undefined ? 'undone' : 'refused');
    if (reason === undefined) report.undone.push(path);
    else report.refused.push({ path, reason });
  }
  // What could not be kept is refused by name already.
  if (report.refused.length > 0)
    return { ...report, left: [...left.filter((note) => !report.refused.some(({ reason }) => reason === note.reason)), ...lost] };
  await store.undo.mark(
    undone,
    entries.filter(({ state }) => state !== 'undone').map(({ number }) => number),
    'undone',
  ); // what stands beside the steps
  await files.discard(undone, entries);
  return { ...report, left: [...left, ...lost] };
};

const settle = async ({ store, claim }: Undertaking, { status, counts, duration_ms, results: [command] }: RunResult): Promise<void> => {
  const { accepted } = await store.settle([
    {
      runId: claim.runId,
      attempt: claim.attempt,
      fence: claim.fence,
      end: status,
      counts,
      durationMs: duration_ms,
      commands: [
        {
          index: 0,
          action: UNDO,
          state: status,
          value: command?.value,
          ...(command?.notes !== undefined && { notes: command.notes }),
          durationMs: duration_ms,
          ...(command?.error !== undefined && { error: command.error }),
        },
      ],
    },
  ]);
  if (accepted.length === 0) throw inOtherHands(claim);
};

const inOtherHands = ({ runId }: Claim) =>
  new ExecuteActionException('Another process has gone on with this undoing.', { context: { run_id: runId } });

/** Our hold on a run and on its undoing. */
interface Hold {
  renew(): Promise<void>;
  /** Throws where somebody else may have it: this process may have stood still for longer than its signs of life last. */
  demand(): Promise<void>;
}

const createHold = ({ store, clock, claim, lock, leaseMs, log }: Undertaking): Hold => {
  let isLost = false;
  let renewedAt = clock.now();

  const renew = async (): Promise<void> => {
    const at = clock.now();
    try {
      const { lost } = await store.heartbeat([claim], leaseMs);
      if (lost.length > 0 || !(await lock.renew(LOCK_MS))) isLost = true;
      renewedAt = at;
    } catch (fault) {
      // A store that does not answer now may answer the next time.
      log('warn', 'a sign of life could not be given while undoing', { run_id: claim.runId, error: String(fault) });
    }
  };

  return {
    renew,
    async demand() {
      if (Math.abs(clock.now() - renewedAt) > LOCK_MS / 2) await renew();
      if (isLost) throw inOtherHands(claim);
    },
  };
};
