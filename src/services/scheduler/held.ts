import type { Json } from '../../core/errors.ts';
import type { Store } from '../engine/port.ts';

/** Times that have come and wait for the run before them to end. They survive a restart. */
export interface Held {
  load(): Promise<void>;
  /** In order; empty where nothing waits. */
  of(name: string): readonly number[];
  names(): readonly string[];
  keep(name: string, slots: readonly number[]): Promise<void>;
}

const KIND = 'scheduler.held';

/** Makes the times that wait; `load` finds those of an earlier process. */
export const createHeld = ({ states }: Pick<Store, 'states'>): Held => {
  let held = new Map<string, readonly number[]>();
  return {
    async load() {
      held = new Map((await states.list(KIND)).map(({ name, state }) => [name, slotsOf(state)]));
    },
    of: (name) => held.get(name) ?? [],
    names: () => [...held.keys()],
    async keep(name, slots) {
      if (slots.length === 0) {
        if (held.delete(name)) await states.remove(KIND, name);
        return;
      }
      held.set(name, slots);
      await states.put(KIND, name, slots);
    },
  };
};

const slotsOf = (state: Json): readonly number[] => (Array.isArray(state) ? state.filter((slot) => typeof slot === 'number') : []);
