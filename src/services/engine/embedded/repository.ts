import type { Json } from '../../../core/errors.ts';
import type { Database, SqlValue } from '../driver.ts';
import type { StoreHealth } from '../port/engine.ts';
import type { Seal } from './seal.ts';

/** What every repository works with. */
export interface Tools {
  readonly db: Database;
  /** For lists that are still to run: they hold their secrets. */
  readonly seal: Seal;
  /** Has what was overwritten or deleted taken out of the log too, once this is committed. */
  scrub(): void;
  /** The time of the call that is being answered. */
  now(): number;
  /** Whether writing is possible at all, and where. */
  condition(): Condition;
}

/** In which state the store is. */
export type Condition = Pick<StoreHealth, 'isWritable' | 'reason' | 'place'>;

/** A part of the port as repositories implement it: done when it returns, committed by whoever called it. */
export type Sync<T> = { readonly [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never };

export const toText = (value: Json | undefined): string => JSON.stringify(value ?? null);

/** Only for texts that `toText` wrote. */
export const fromText = <T = Json>(text: string): T => JSON.parse(text);

export const optional = <T extends SqlValue>(value: T | undefined): T | null => value ?? null;

/** The next number of a counter. */
export const advance = (tools: Tools, counter: 'event' | 'fence'): number => advanceBy(tools, counter, 1)();

/** Gives the next so many numbers of a counter, one by one. Taking them at once costs as much as taking one. */
export const advanceBy = ({ db }: Tools, counter: 'event' | 'fence', count: number): (() => number) => {
  const row = db.get<{ value: number }>('UPDATE counter SET value = value + ? WHERE name = ? RETURNING value', count, counter);
  let last = (row?.value ?? 0) - count;
  return () => {
    last += 1;
    return last;
  };
};
