import type { Job } from '../run.ts';
import { eachFollower, type Graph } from './graph.ts';

/** Which commands are free to be taken and what holds others back, during one run of a list. */
export interface Order {
  readonly count: number;
  /** The next free command, or `NONE` while all that are left wait. */
  next(): number;
  /** The bad command that holds this one back, or `NONE`. */
  holderOf(at: number): number;
  /** Frees what waited for this one, or holds it back. */
  ended(at: number, holdsBack: boolean): void;
}

/** Stands for no command. */
export const NONE = -1;

/** The order of a job. Only a graph needs tables: those of a short list would cost more than its commands. */
export const orderOf = (mode: Job['mode'], count: number, graph: Graph | undefined): Order => {
  if (graph !== undefined) return new GraphOrder(graph);
  return mode === 'serial' ? new Chain(count) : new Loose(count);
};

/** Each command waits for the one before it. */
class Chain implements Order {
  readonly count: number;
  private free = 0;
  private holder = NONE;

  constructor(count: number) {
    this.count = count;
  }

  next(): number {
    const at = this.free;
    this.free = NONE;
    return at < this.count ? at : NONE;
  }

  holderOf(): number {
    return this.holder;
  }

  ended(at: number, holdsBack: boolean): void {
    this.holder = holdsBack ? at : NONE;
    this.free = at + 1;
  }
}

/** No command waits for another. */
class Loose implements Order {
  readonly count: number;
  private taken = 0;

  constructor(count: number) {
    this.count = count;
  }

  next(): number {
    if (this.taken === this.count) return NONE;
    this.taken += 1;
    return this.taken - 1;
  }

  holderOf(): number {
    return NONE;
  }

  ended(): void {}
}

/** Each command waits for those it depends on. */
class GraphOrder implements Order {
  readonly count: number;
  private readonly graph: Graph;
  private readonly waits: Int32Array;
  /** Which bad command holds this one back, plus one; 0 for none. */
  private readonly heldBy: Int32Array;
  private readonly ready: Int32Array;
  private first = 0;
  private last = 0;

  constructor(graph: Graph) {
    const { count, waits } = graph;
    this.count = count;
    this.graph = graph;
    this.waits = waits.slice();
    this.heldBy = new Int32Array(count);
    this.ready = new Int32Array(count);
    for (let at = 0; at < count; at += 1) if (waits[at] === 0) this.free(at);
  }

  next(): number {
    if (this.first === this.last) return NONE;
    this.first += 1;
    return this.ready[this.first - 1] ?? NONE;
  }

  holderOf(at: number): number {
    return (this.heldBy[at] ?? 0) - 1;
  }

  ended(at: number, holdsBack: boolean): void {
    const { graph, waits, heldBy } = this;
    eachFollower(graph, at, (target) => {
      if (holdsBack && heldBy[target] === 0) heldBy[target] = at + 1;
      const left = (waits[target] ?? 0) - 1;
      waits[target] = left;
      if (left === 0) this.free(target);
    });
  }

  private free(at: number): void {
    this.ready[this.last] = at;
    this.last += 1;
  }
}
