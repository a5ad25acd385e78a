import type { Store } from '../../src/services/engine/port.ts';

/** The store as a process sees it that is killed at a call. */
export interface DyingStore {
  readonly store: Store;
  /** Resolves when the process is dead. */
  readonly died: Promise<void>;
}

/** Lets so many calls through; the next one is made or not, and neither it nor any later one is answered. */
export const dyingStore = (store: Store, calls: number, side: 'before' | 'after'): DyingStore => {
  let left = calls;
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = async (last: () => unknown) => {
    if (left === -1 && side === 'after') await last();
    die();
    return new Promise(() => {});
  };
  const dying = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver);
        if (typeof value === 'object' && value !== null) return dying(value);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          left -= 1;
          return left < 0 ? never(() => value(...args)) : value(...args);
        };
      },
    });
  return { store: dying(store), died };
};
