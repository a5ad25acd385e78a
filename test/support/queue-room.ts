import { type Caller, OWNER } from '../../src/access/caller.ts';
import { createInstance } from '../../src/app/create.ts';
import type { Instance } from '../../src/app/instance/instance.ts';
import { type Action, defineAction } from '../../src/core/action.ts';
import { text } from '../../src/core/args.ts';
import { ExecuteActionException, type Json } from '../../src/core/errors.ts';
import * as shapes from '../../src/core/shapes.ts';
import { memoryStore } from '../../src/services/engine/memory/memory-store.ts';
import type { Submission } from '../../src/services/engine/port/engine.ts';
import type { RunId, RunRecord } from '../../src/services/engine/port/runs.ts';
import type { Store } from '../../src/services/engine/port.ts';
import { createDispatcher, type Dispatcher, type DispatcherParts, type EndedRun } from '../../src/services/queue/dispatcher.ts';
import { type ManualTime, manualTime } from './manual-time.ts';
import { type WaitingActions, waitingActions } from './waiting-actions.ts';

/** A dispatcher over a store in memory and a real instance, in time that a test moves. */
export interface QueueRoom extends AsyncDisposable {
  readonly time: ManualTime;
  readonly store: Store;
  readonly factotum: Instance;
  readonly dispatcher: Dispatcher;
  readonly waiting: WaitingActions;
  /** What `FA_t_once` (may not be repeated) and `FA_t_again` (may) did, in order. */
  readonly effects: readonly string[];
  /** Names that the two fail for, and whether trying again may help. */
  readonly failing: Map<string, 'passing' | 'final'>;
  readonly ended: readonly EndedRun[];
  readonly lines: readonly string[];
  submit(body: Json, options?: Partial<Submission>): Promise<RunId>;
  record(runId: RunId): Promise<RunRecord>;
  /** Waits until something holds, without time passing. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  /** Waits until the run has ended in this state. */
  untilState(runId: RunId, state: RunRecord['state']): Promise<RunRecord>;
  /** Another dispatcher on the same store, as after a crash of the first. */
  another(parts?: Partial<DispatcherParts>): Dispatcher;
}

/** Opens a room; the dispatcher is not started. */
export const openQueueRoom = (parts: Partial<DispatcherParts> = {}): QueueRoom => {
  const time = manualTime('2026-03-01T12:00:00Z');
  const store = parts.store === undefined ? memoryStore({ now: time.clock.now }) : (parts.store as Store); // tests hand in whole ones
  const waiting = waitingActions();
  const effects: string[] = [];
  const failing = new Map<string, 'passing' | 'final'>();
  const ended: EndedRun[] = [];
  const lines: string[] = [];
  const dispatchers: Dispatcher[] = [];
  const factotum = createInstance({ log: { level: 'silent' } });
  const act = (name: string): string => {
    const how = failing.get(name);
    if (how !== undefined) throw new ExecuteActionException(`${name} failed.`, { retryable: how === 'passing' });
    effects.push(name);
    return name;
  };
  factotum.registry.registerMany({
    ...waiting.actions,
    FA_t_once: acting('FA_t_once', false, act),
    FA_t_again: acting('FA_t_again', true, act),
  });

  const another = (more: Partial<DispatcherParts> = {}) => {
    const made = createDispatcher({
      store,
      clock: time.clock,
      setTimer: time.setTimer,
      log: (level, message) => lines.push(`${level}: ${message}`),
      runList: factotum.gateway.run,
      callerOf: (name): Caller | undefined => (name === OWNER.name ? OWNER : undefined),
      mask: factotum.masker.json,
      onEnded: (run) => ended.push(run),
      random: () => 1,
      ...parts,
      ...more,
    });
    dispatchers.push(made);
    return made;
  };

  const until: QueueRoom['until'] = async (holds) => {
    for (let turn = 0; turn < 10_000; turn += 1) {
      if (await holds()) return;
      await new Promise(setImmediate);
    }
    throw new Error('What was waited for did not come.');
  };
  const record = async (runId: RunId): Promise<RunRecord> => {
    const found = await store.run(runId);
    if (found === null) throw new Error(`no run ${runId}`);
    return found;
  };

  return {
    time,
    store,
    factotum,
    dispatcher: another(),
    waiting,
    effects,
    failing,
    ended,
    lines,
    submit: async (body, options = {}) => (await store.submit({ source: 'queue', caller: OWNER.name, body, ...options })).runId,
    record,
    until,
    async untilState(runId, state) {
      await until(async () => (await record(runId)).state === state);
      return record(runId);
    },
    another,
    async [Symbol.asyncDispose]() {
      const closing = dispatchers.map((each) => each.close({ drainMs: 0 }));
      await time.advance(10_000);
      await Promise.all(closing);
      await factotum.close();
      await store.close();
    },
  };
};

const acting = (name: string, idempotent: boolean, act: (name: string) => string): Action =>
  defineAction({
    name,
    summary: 'Acts.',
    args: { name: text('What is done.') },
    returns: shapes.json(),
    idempotent,
    examples: [],
    run: (_, { name: what }) => act(what),
  });
