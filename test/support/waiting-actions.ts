import { type Action, defineAction } from '../../src/core/action.ts';
import { text } from '../../src/core/args.ts';
import * as shapes from '../../src/core/shapes.ts';

/** Actions that last until a test says so, for looking at a run in the middle. */
export interface WaitingActions {
  /** `FA_t_wait` stops at its signal, `FA_t_stubborn` does not. Both give their name back. */
  readonly actions: Readonly<Record<string, Action>>;
  /** Names of the calls begun so far, in order. */
  readonly begun: readonly string[];
  /** Names of the calls whose signal was aborted while they waited. */
  readonly aborted: readonly string[];
  /** Resolves once so many calls have begun. */
  untilBegun(count: number): Promise<void>;
  /** Lets the calls of this name go on, those to come too. */
  release(name: string): void;
}

/** Makes waiting actions with a memory of their own. */
export const waitingActions = (): WaitingActions => {
  const begun: string[] = [];
  const aborted: string[] = [];
  const released = new Set<string>();
  const waiting = new Map<string, (() => void)[]>();

  const wait = (name: string, signal: AbortSignal, heeds: boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push(name);
      const stop = () => {
        aborted.push(name);
        if (heeds) reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      const goOn = () => {
        signal.removeEventListener('abort', stop);
        resolve(name);
      };
      if (released.has(name)) goOn();
      else waiting.set(name, [...(waiting.get(name) ?? []), goOn]);
    });

  const waitingAction = (name: string, heeds: boolean): Action =>
    defineAction({
      name,
      summary: 'Waits.',
      args: { name: text('Whom to wait for.') },
      returns: shapes.json(),
      examples: [],
      run: ({ signal }, { name: whom }) => wait(whom, signal, heeds),
    });

  return {
    actions: { FA_t_wait: waitingAction('FA_t_wait', true), FA_t_stubborn: waitingAction('FA_t_stubborn', false) },
    begun,
    aborted,
    async untilBegun(count) {
      while (begun.length < count) await new Promise(setImmediate);
    },
    release(name) {
      released.add(name);
      for (const goOn of waiting.get(name) ?? []) goOn();
      waiting.delete(name);
    },
  };
};
