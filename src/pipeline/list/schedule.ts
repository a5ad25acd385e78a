import type { Steps, Verdict } from '../run.ts';
import { eachFollower, type Graph } from './graph.ts';

export interface ScheduleOptions {
  /** How many commands may be under way at once. */
  readonly width: number;
  /** Whether a bad command holds back those that wait for it. */
  readonly failFast: boolean;
  /** Commands that run whatever became of those before them. */
  readonly always?: (at: number) => boolean;
  readonly signal: AbortSignal;
}

/** How long the thread may be held before others get a turn, and how often the clock is looked at. */
const TURN_MS = 8;
const LOOK_EVERY = 64;

/**
 * Takes every command once all it waits for has ended, at most `width` at a time. No recursion and no promise per
 * synchronous command, so 100,000 of them are one loop. Resolves when every command was taken or left.
 */
export const schedule = (graph: Graph, steps: Steps, { width, failFast, always, signal }: ScheduleOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const { count } = graph;
    const waits = graph.waits.slice();
    // Which bad command holds this one back, plus one; 0 for none.
    const heldBy = new Int32Array(count);
    const ready = new Int32Array(count);
    let first = 0;
    let last = 0;
    let underWay = 0;
    let ended = 0;
    let turnStarted = performance.now();

    const end = (at: number, verdict: Verdict) => {
      ended += 1;
      const holdsBack = verdict === 'bad' && failFast;
      eachFollower(graph, at, (target) => {
        if (holdsBack && heldBy[target] === 0) heldBy[target] = at + 1;
        const left = (waits[target] ?? 0) - 1;
        waits[target] = left;
        if (left === 0) {
          ready[last] = target;
          last += 1;
        }
      });
    };

    const takeOne = (at: number) => {
      const holder = heldBy[at] ?? 0;
      if (signal.aborted) {
        steps.leave(at, 'cancelled', undefined);
        return end(at, 'bad');
      }
      if (holder !== 0 && always?.(at) !== true) {
        steps.leave(at, 'skipped', holder - 1);
        return end(at, 'bad');
      }
      const verdict = steps.take(at);
      if (typeof verdict === 'string') return end(at, verdict);
      underWay += 1;
      verdict.then((settled) => {
        underWay -= 1;
        end(at, settled);
        pump();
      }, reject);
    };

    const pump = () => {
      try {
        while (first < last && underWay < width) {
          const at = ready[first] ?? 0;
          first += 1;
          takeOne(at);
          if (first % LOOK_EVERY === 0 && performance.now() - turnStarted > TURN_MS) {
            setImmediate(() => {
              turnStarted = performance.now();
              pump();
            });
            return;
          }
        }
        if (ended === count) resolve();
      } catch (fault) {
        reject(fault);
      }
    };

    for (let at = 0; at < count; at += 1) {
      if (waits[at] === 0) {
        ready[last] = at;
        last += 1;
      }
    }
    pump();
  });
