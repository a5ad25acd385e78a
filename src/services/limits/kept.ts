import type { Json } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import type { States } from '../engine/port/shelves.ts';

/** What a limit knows, by name: in the store where there is one, so that it survives and other processes see it. */
export interface Kept<T extends Json> {
  get(name: string): Promise<T | undefined>;
  /** Keeps a state where the one that was read still stands; undefined is none. False: another process was faster, so read again. */
  swap(name: string, before: T | undefined, after: T | undefined): Promise<boolean>;
  list(): Promise<readonly (readonly [string, T])[]>;
}

export interface KeptParts {
  readonly kind: string;
  /** Asked at every call: a house may get its store later. */
  states(): Promise<States | undefined>;
  readonly log: Log;
}

/** A store that cannot be used must not stop the work that it was to protect: then the memory of this process counts. */
export const createKept = <T extends Json>({ kind, states, log }: KeptParts): Kept<T> => {
  const memory = new Map<string, T>();
  let isComplaining = false;

  const ask = async <R>(call: (store: States) => Promise<R>, instead: R): Promise<R> => {
    try {
      const store = await states();
      if (store === undefined) return instead;
      const answer = await call(store);
      isComplaining = false;
      return answer;
    } catch (fault) {
      if (!isComplaining)
        log('warn', `The store does not keep limits (${kind}) for now; they hold in this process only.`, { reason: String(fault) });
      isComplaining = true;
      return instead;
    }
  };

  return {
    async get(name) {
      const known = memory.get(name);
      // Only this file writes under the kind, so what is found there has its shape.
      return ((await ask((store) => store.get(kind, name), known ?? null)) ?? undefined) as T | undefined;
    },
    async swap(name, before, after) {
      if (!(await ask((store) => store.swap(kind, name, before ?? null, after ?? null), true))) return false;
      if (after === undefined) memory.delete(name);
      else memory.set(name, after);
      return true;
    },
    async list() {
      const own = [...memory].map(([name, state]) => ({ name, state }));
      const all = await ask((store) => store.list(kind), own);
      return all.map(({ name, state }) => [name, state as T] as const); // as above
    },
  };
};
