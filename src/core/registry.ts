import type { Action, Family } from './action.ts';
import { AddCommandException } from './errors.ts';
import { type About, aboutAction, type PlainFunction, prepareAction, prepareFunction, type Ready } from './ready.ts';

/** A family known by its index only; its code is loaded when one of its names is first needed. */
export interface LazyFamily {
  readonly actions: readonly About[];
  load(): Promise<Family>;
}

/** A definition, however closely its types are known: compilers before 5.5 compare the types of examples the wrong way round. */
export type Definition = Omit<Action, 'examples'> & { readonly examples: readonly object[] };

/** A definition or a plain function. */
export type Registrable = Definition | PlainFunction;

export interface RegisterOptions {
  /** Take the place of an existing name instead of refusing. */
  readonly replace?: boolean;
}

/** The shared table of actions. Changes are seen at once by every caller. */
export interface Registry {
  register(name: string, what: Registrable, options?: RegisterOptions): void;
  registerMany(mapping: Readonly<Record<string, Registrable>>, options?: RegisterOptions): void;
  registerFamily(family: LazyFamily, options?: RegisterOptions): void;
  /** Forgets a name; false when it was unknown. */
  unregister(name: string): boolean;
  /** Loads the code behind these names; undefined when nothing has to be loaded. Unknown names are passed over. */
  load(names: Iterable<string>): Promise<void> | undefined;
  /** The action behind a name or alias, once loaded. */
  resolve(name: string): Ready | undefined;
  /** What the index knows of a name or alias, loaded or not. */
  about(name: string): About | undefined;
  /** All names, sorted, without aliases. */
  names(): string[];
  readonly size: number;
  onChange(listener: () => void): () => void;
}

interface Slot {
  readonly about: About;
  ready: Ready | undefined;
  readonly load: (() => Promise<void>) | undefined;
}

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

export const createRegistry = (): Registry => {
  const slots = new Map<string, Slot>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  /** Puts names into the table: all of them or none. A replaced action takes its aliases along. */
  const put = (taken: readonly (readonly [string, Slot])[], options: RegisterOptions | undefined) => {
    const met = new Set<string>();
    for (const [name] of taken) {
      mayTake(name, options);
      if (met.has(name)) throw nameTaken(name);
      met.add(name);
    }
    for (const [name, slot] of taken) {
      const old = slots.get(name);
      if (old?.about.name === name) for (const [each, other] of slots) if (other === old) slots.set(each, slot);
      slots.set(name, slot);
    }
    if (taken.length > 0) changed();
  };

  const mayTake = (name: string, options: RegisterOptions | undefined) => {
    if (!NAME.test(name)) {
      throw new AddCommandException(
        `${JSON.stringify(name)} cannot name an action; use letters, digits and underscores, starting with a letter.`,
        {
          context: { name: name.slice(0, 128) },
        },
      );
    }
    if (slots.has(name) && options?.replace !== true) throw nameTaken(name);
  };

  const prepare = (name: string, what: Registrable): Slot => {
    if (typeof what === 'function') {
      const ready = prepareFunction(name, what);
      return { about: ready.about, ready, load: undefined };
    }
    if (typeof what !== 'object' || what === null || typeof what.run !== 'function' || typeof what.args !== 'object') {
      throw new AddCommandException(`${name} is neither a function nor an action definition; pass one of the two.`, { context: { name } });
    }
    const about = aboutAction({ ...what, name }, 'registered', 'registered');
    return { about, ready: prepareAction(what as Action, about), load: undefined }; // whose examples nobody runs here
  };

  const registerMany: Registry['registerMany'] = (mapping, options) => {
    const taken = Object.entries(mapping).flatMap(([name, what]) => {
      const slot = prepare(name, what);
      return [name, ...slot.about.aliases].map((each) => [each, slot] as const);
    });
    put(taken, options);
  };

  const registry: Omit<Registry, 'size'> = {
    register: (name, what, options) => registerMany({ [name]: what }, options),
    registerMany,
    registerFamily({ actions, load }, options) {
      let loading: Promise<void> | undefined;
      const own = new Map<string, Slot>();
      const loadAll = () => {
        loading ??= load().then(
          (family) => {
            for (const action of family.actions) {
              const slot = own.get(action.name);
              if (slot !== undefined) slot.ready = prepareAction(action, slot.about);
            }
          },
          (fault: unknown) => {
            loading = undefined; // the next call tries again
            throw fault;
          },
        );
        return loading;
      };
      const taken = actions.flatMap((about) => {
        const slot: Slot = { about, ready: undefined, load: loadAll };
        own.set(about.name, slot);
        return [about.name, ...about.aliases].map((name) => [name, slot] as const);
      });
      put(taken, options);
    },
    unregister(name) {
      const slot = slots.get(name);
      if (slot === undefined) return false;
      for (const [each, other] of slots) if (other === slot) slots.delete(each);
      changed();
      return true;
    },
    load(names) {
      let pending: Set<Promise<void>> | undefined;
      for (const name of names) {
        const slot = slots.get(name);
        if (slot !== undefined && slot.ready === undefined && slot.load !== undefined) {
          pending ??= new Set();
          pending.add(slot.load());
        }
      }
      return pending && settleAll(pending);
    },
    resolve: (name) => slots.get(name)?.ready,
    about: (name) => slots.get(name)?.about,
    names: () => [...slots].flatMap(([name, slot]) => (slot.about.name === name ? [name] : [])).sort(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  // Not in the literal: one with a getter is a table to V8, and every command looks its action up here.
  return Object.defineProperty(registry as Registry, 'size', { get: () => slots.size, enumerable: true });
};

/** Waits for all, so that one that fails leaves no other half-loaded; then fails with the first failure. */
const settleAll = async (pending: Iterable<Promise<void>>): Promise<void> => {
  for (const each of await Promise.allSettled(pending)) if (each.status === 'rejected') throw each.reason;
};

const nameTaken = (name: string) =>
  new AddCommandException(`An action called ${name} exists already; choose another name or ask for it to be replaced.`, {
    context: { name },
  });
