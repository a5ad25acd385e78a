import { FileAutomationException } from '../../core/errors.ts';
import type { Notification } from '../../core/ports/notify.ts';
import type { Clock } from '../../core/ports.ts';
import type { Outcome, RunResult } from '../../core/result.ts';
import type { Claim } from '../engine/port/engine.ts';
import type { Store } from '../engine/port.ts';

/** A run of the store that is over. */
export interface EndedRun {
  readonly claim: Pick<Claim, 'source' | 'name' | 'runId'>;
  /** The result, or why the list was refused as a whole. */
  readonly outcome: RunResult | Error;
}

/** A notification that is stored, and so will be sent. */
export interface Alerted {
  /** False where nobody is there to hear it. */
  readonly wasHeard: boolean;
  /** Resolves when it was sent, or waits to be. */
  readonly delivered: Promise<unknown>;
}

/** Sends a notification. A sink may take its time, and the next one must not wait for it: this is done when it is stored. */
export type Alert = (message: Notification) => Promise<Alerted>;

/** Knows which jobs fail, so that people hear when they work again. */
export interface Failures {
  /** Tells of a run that did not end ok, and of the first that does again. */
  ended(run: EndedRun): Promise<void>;
  /** Tells that something of that name failed, or, without a fault, that it works again if it had failed. */
  checked(name: string, fault?: unknown): Promise<void>;
}

const KIND = 'notify.failing';
/** Whoever runs a list by hand sees its end; nobody watches these. */
const ORIGINS: Partial<Record<Claim['source'], string>> = { schedule: 'scheduler', watch: 'trigger', queue: 'queue' };

export const createFailures = ({ states, clock, alert }: { states: Store['states']; clock: Clock; alert: Alert }): Failures => {
  let reading: Promise<Map<string, string>> | undefined;
  const turns = new Map<string, Promise<unknown>>();

  /** Since when jobs fail. Read once: most runs are fine, and for those the store is not asked. */
  const failing = (): Promise<Map<string, string>> => {
    reading ??= states.list(KIND).then(
      (all) => new Map(all.map(({ name, state }) => [name, String(state)])),
      (fault: unknown) => {
        reading = undefined; // the next call tries again
        throw fault;
      },
    );
    return reading;
  };

  /** One after the other for each job, so that nobody hears of a recovery before the failure. */
  const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    turns.set(key, turn);
    const done = () => void (turns.get(key) === turn && turns.delete(key));
    turn.then(done, done);
    return turn;
  };

  const failed = async (key: string, message: Notification): Promise<Alerted> => {
    const known = await failing().catch(() => new Map<string, string>()); // it may be the store that failed
    const alerted = await alert({ ...message, incident: { key, phase: known.has(key) ? 'ongoing' : 'begun' } });
    if (!alerted.wasHeard || known.has(key)) return alerted;
    const since = new Date(clock.now()).toISOString();
    known.set(key, since);
    await states.put(KIND, key, since);
    return alerted;
  };

  const worked = async (key: string, context: NonNullable<Notification['context']>): Promise<Alerted | undefined> => {
    const known = await failing();
    const since = known.get(key);
    if (since === undefined) return undefined;
    const incident = { key, phase: 'over' } as const;
    const alerted = await alert({ subject: `factotum: ${key} works again`, body: `It had failed since ${since}.`, context, incident });
    known.delete(key);
    await states.remove(KIND, key);
    return alerted;
  };

  return {
    async ended({ claim: { source, name, runId }, outcome }) {
      const origin = ORIGINS[source];
      if (origin === undefined) return;
      const context = { run_id: runId };
      const isOk = !(outcome instanceof Error) && outcome.ok;
      if (name !== null) {
        const key = `${origin}[${name}]`;
        const failure = isOk ? undefined : { ...failureOf(key, outcome), context };
        return whenDelivered(inTurn(key, () => (failure === undefined ? worked(key, context) : failed(key, failure))));
      }
      // Nothing says that another list without a name is the same work, so it cannot work again.
      if (!isOk) await whenDelivered(alert({ ...failureOf(origin, outcome), context }));
    },
    checked: (name, fault) =>
      whenDelivered(
        inTurn<Alerted | undefined>(name, () => (fault === undefined ? worked(name, {}) : failed(name, failureOf(name, fault)))),
      ),
  };
};

const whenDelivered = async (alerting: Promise<Alerted | undefined>): Promise<void> => {
  await (await alerting)?.delivered;
};

/** The words for a failure. */
export const failureOf = (context: string, error: unknown): Notification => ({
  subject: `factotum: ${context.replace(/[\r\n\0]+/g, ' ')} failed`,
  body: bodyOf(error),
  level: 'error',
});

const bodyOf = (error: unknown): string => {
  if (error instanceof FileAutomationException) return `${error.type}: ${error.message}`;
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return isRunResult(error) ? runText(error) : String(error);
};

const isRunResult = (value: unknown): value is RunResult =>
  typeof value === 'object' && value !== null && 'results' in value && 'counts' in value;

/** The first command that did not end well, and how many more there are. */
const runText = ({ status, results }: RunResult): string => {
  const bad = results.filter((each) => each.status === 'failed' || each.status === 'cancelled' || each.status === 'indeterminate');
  const first = bad.find((each) => each.status === 'failed') ?? bad[0];
  if (first === undefined) return `The run ended as ${status}.`;
  const more = bad.length === 1 ? '' : `\n${bad.length - 1} more did not end well.`;
  return `${commandText(first, results.length)}${more}`;
};

const commandText = ({ action, index, status, error }: Outcome, total: number): string =>
  `${action ?? 'A command'} (${index + 1} of ${total}) ${error === undefined ? status : `failed with ${error.type}: ${error.message}`}`;
