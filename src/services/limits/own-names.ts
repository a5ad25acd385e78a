import { spaceIn } from '../../core/name-space.ts';
import type { LimitSnapshot } from '../../core/ports/limits.ts';
import { createTurns } from './turns.ts';

export interface OwnNamesParts {
  /** The limits that are not as good as new: only of those something is kept. */
  list(): Promise<readonly LimitSnapshot[]>;
  /** Throws where a caller that has so many names may have no further one. */
  demand(caller: string, used: number): void;
}

/** Does something under a name; throws before where the name is one too many for its caller. */
type UnderName = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Sees to it that no caller with limits fills the store, and what is shown of it, with names: they may be made of paths or of numbers.
 * Names in use count like those of which something is kept, for something may be kept of each when its work has ended.
 */
export const createOwnNames = ({ list, demand }: OwnNamesParts): UnderName => {
  const inTurn = createTurns();
  /** How many calls are under way, by name. */
  const inUse = new Map<string, number>();

  const enter = async (caller: string, name: string): Promise<void> => {
    const names = new Set([...(await list()).map((each) => each.name), ...inUse.keys()].filter((each) => spaceIn(each) === caller));
    if (!names.has(name)) demand(caller, names.size);
    inUse.set(name, (inUse.get(name) ?? 0) + 1);
  };
  const leave = (name: string): void => {
    const left = (inUse.get(name) ?? 1) - 1;
    if (left === 0) inUse.delete(name);
    else inUse.set(name, left);
  };

  return async (name, work) => {
    const caller = spaceIn(name);
    if (caller === undefined) return work();
    await inTurn(caller, () => enter(caller, name));
    try {
      return await work();
    } finally {
      leave(name);
    }
  };
};
