import { TimeSlice, threadSlices } from '../../lib/async/time-slice.ts';
import type { Steps, Verdict } from '../run.ts';
import { NONE, type Order } from './order.ts';

export interface ScheduleOptions {
  /** How many commands may be under way at once. */
  readonly width: number;
  /** Whether a bad command holds back those that wait for it. */
  readonly failFast: boolean;
  readonly signal: AbortSignal;
  /** Ends the time of commands that always run; where it is left out, theirs is everybody's. */
  readonly cleanupSignal?: AbortSignal | undefined;
  /** The time of the commands; a whole run shares one. */
  readonly slice?: TimeSlice;
}

/**
 * Takes every command once all it waits for has ended, at most `width` at a time. No recursion and no promise per
 * synchronous command, so 100,000 of them are one loop. Resolves when every command was taken or left; undefined where that was
 * done at once.
 */
export const schedule = (order: Order, steps: Steps, options: ScheduleOptions): Promise<void> | undefined =>
  new Schedule(order, steps, options).start();

/** A class, because one is made for every list: what is called once for each command is made once for all lists. */
class Schedule {
  private readonly order: Order;
  private readonly steps: Steps;
  private readonly options: ScheduleOptions;
  private readonly slice: TimeSlice;
  private underWay = 0;
  private ended = 0;
  private broken: { readonly fault: unknown } | undefined = undefined;
  /** Set once somebody waits. */
  private waiting: { resolve(): void; reject(fault: unknown): void } | undefined = undefined;

  constructor(order: Order, steps: Steps, options: ScheduleOptions) {
    this.order = order;
    this.steps = steps;
    this.options = options;
    this.slice = options.slice ?? new TimeSlice(threadSlices);
  }

  start(): Promise<void> | undefined {
    this.pump();
    if (this.broken !== undefined) throw this.broken.fault;
    if (this.ended === this.order.count) return undefined;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private pump(): void {
    const { width } = this.options;
    try {
      while (this.underWay < width) {
        const at = this.order.next();
        if (at === NONE) break;
        this.takeOne(at);
        if (this.slice.isOver()) {
          this.giveWay();
          return;
        }
      }
      if (this.ended === this.order.count) this.waiting?.resolve();
    } catch (fault) {
      this.breakOff(fault);
    }
  }

  private giveWay(): void {
    this.slice.pass(() => {
      this.steps.resume?.();
      this.pump();
    });
  }

  private takeOne(at: number): void {
    const { signal, cleanupSignal = signal } = this.options;
    const steps = this.steps;
    if (signal.aborted && (cleanupSignal.aborted || !isAlways(steps, at))) {
      steps.leave(at, 'cancelled', undefined);
      this.end(at, 'bad');
      return;
    }
    const holder = this.order.holderOf(at);
    if (holder !== NONE && !isAlways(steps, at)) {
      steps.leave(at, 'skipped', holder);
      this.end(at, 'bad');
      return;
    }
    const verdict = steps.take(at);
    if (typeof verdict === 'string') this.end(at, verdict);
    else this.endLater(at, verdict);
  }

  private endLater(at: number, verdict: Promise<Verdict>): void {
    this.underWay += 1;
    verdict.then(
      (settled) => {
        this.underWay -= 1;
        this.end(at, settled);
        this.pump();
      },
      (fault: unknown) => this.breakOff(fault),
    );
  }

  private end(at: number, verdict: Verdict): void {
    this.ended += 1;
    this.order.ended(at, verdict === 'bad' && this.options.failFast);
  }

  private breakOff(fault: unknown): void {
    if (this.waiting === undefined) this.broken = { fault };
    else this.waiting.reject(fault);
  }
}

const isAlways = (steps: Steps, at: number): boolean => steps.always?.(at) === true;
