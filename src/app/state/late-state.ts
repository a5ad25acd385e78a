import type { Store } from '../../services/engine/port.ts';
import type { StateOptions } from '../instance/instance.ts';
import type { State, StateParts } from './state.ts';

export interface LateStateParts extends Omit<StateParts, 'store' | 'gateway' | 'meters' | 'keepsHistory' | keyof Taken> {
  /** Without them what is kept is kept in memory. */
  readonly options: StateOptions | undefined;
  /** Asked when it opens: lists reach state and state runs lists, so one of both comes later. */
  gateway(): StateParts['gateway'];
  metrics(): Promise<{ readonly meters: StateParts['meters'] }>;
}

/** Told by the options themselves. */
type Taken = Pick<StateParts, 'sinks' | 'resolveSecret' | 'dedupMs'>;

/** What an instance keeps, opened when it is first needed. */
export interface LateState {
  /** Opens all of it and, in an instance that serves, begins to run what is stored. */
  open(): Promise<State>;
  /** All of it, once it is open. */
  readonly opened: State | undefined;
  /** The store alone. */
  store(): Promise<Store>;
  /** The store, where the instance shares one with others or is using one in memory already. */
  sharedStore(): Promise<Store | undefined>;
  close(): Promise<void>;
}

export const createLateState = ({ options, gateway, metrics, ...parts }: LateStateParts): LateState => {
  const { open: openStore, isServing = true, keepsHistory = false, configure, ...taken } = options ?? {};
  let storing: Promise<Store> | undefined;
  let opening: Promise<State> | undefined;
  let opened: State | undefined;

  const store = (): Promise<Store> => {
    storing ??= openStore === undefined ? openMemory(parts.clock.now) : Promise.resolve(openStore());
    return storing;
  };

  const openAll = async (): Promise<State> => {
    const [{ openState }, { meters }] = await Promise.all([import('./state.ts'), metrics()]);
    opened = await openState({ ...parts, ...taken, store: await store(), gateway: gateway(), meters, keepsHistory });
    await configure?.(opened);
    if (isServing) await opened.start();
    return opened;
  };

  return {
    open() {
      opening ??= openAll();
      return opening;
    },
    get opened() {
      return opened;
    },
    store,
    sharedStore: async () => (openStore === undefined ? storing : store()),
    async close() {
      await opening?.catch(() => {}); // whoever asked for it has heard
      if (opened !== undefined) await opened.close();
      else await (await storing?.catch(() => undefined))?.close();
    },
  };
};

const openMemory = async (now: () => number): Promise<Store> =>
  (await import('../../services/engine/memory/memory-store.ts')).memoryStore({ now });
