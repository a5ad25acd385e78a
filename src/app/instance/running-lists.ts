import { OWNER } from '../../access/caller.ts';
import { CancelledException } from '../../core/errors.ts';
import type { RunResult } from '../../core/result.ts';
import { followSignals, openStopper } from '../../lib/async/stop-signal.ts';
import { type KnownKeys, unknownKeyIn, wrongSwitchIn } from '../../lib/text/known-keys.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import type { RunOptions } from '../factotum.ts';
import { wishedList } from './list-wishes.ts';

/** The lists that a program has handed to an instance. */
export interface RunningLists {
  run(request: unknown, options?: RunOptions): Promise<RunResult>;
  /** Takes no more, cancels what runs, and waits for it. */
  close(): Promise<void>;
}

/** `ready` is waited for before a list runs, where something must be open for it. */
export const createRunningLists = (gateway: Gateway, ready?: () => Promise<unknown>): RunningLists => {
  const closing = openStopper();
  /** Counted and not kept: a set of as many promises as come in a second costs a tenth of a short list. */
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    run(given, options = NOTHING_SAID) {
      if (closing.signal.aborted) return Promise.reject(closed());
      const fault = options === NOTHING_SAID ? undefined : faultIn(options);
      if (fault !== undefined) return Promise.reject(fault);
      const { signal, caller = OWNER, dryRun, validateFirst } = options;
      const request = dryRun || validateFirst ? wishedList(given, { dry_run: dryRun, validate_first: validateFirst }) : given;
      // Per run, not per command: a combined signal costs microseconds.
      const either = signal === undefined ? undefined : followSignals(signal, closing.signal);
      const call = { caller, signal: either?.signal ?? closing.signal };
      const result = ready === undefined ? gateway.run(request, call) : ready().then(() => gateway.run(request, call));
      running += 1;
      const done = () => {
        running -= 1;
        if (running === 0 && waiting.length > 0) for (const tell of waiting.splice(0)) tell();
        either?.forget();
      };
      result.then(done, done);
      return result;
    },
    async close() {
      closing.stop(closed());
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
};

/** A list without options is not slowed down by looking at them. */
const NOTHING_SAID: RunOptions = {};

const KNOWN: KnownKeys<RunOptions> = { signal: true, caller: true, dryRun: true, validateFirst: true };

const faultIn = (options: RunOptions) =>
  unknownKeyIn(options, KNOWN, 'factotum.run') ??
  wrongSwitchIn({ dryRun: options.dryRun, validateFirst: options.validateFirst }, 'factotum.run');

const closed = () => new CancelledException('This instance is closed; create another one.');
