/** What hints have said since the last look. */
export interface Dirty {
  readonly isEmpty: boolean;
  /** So many hints came that some may have been lost. */
  readonly isFlooded: boolean;
  /** Null: anything in the directory. */
  add(directory: string, name: string | null): void;
  /** Takes everything; null stands for a directory as a whole. */
  take(): [directory: string, names: ReadonlySet<string> | null][];
}

/** The system keeps 16,384 hints for a process that does not look, and drops the rest. */
const FLOOD = 10_000;

export const createDirty = (): Dirty => {
  let directories = new Map<string, Set<string> | null>();
  let count = 0;
  return {
    get isEmpty() {
      return count === 0;
    },
    get isFlooded() {
      return count >= FLOOD;
    },
    add(directory, name) {
      count += 1;
      if (count >= FLOOD) return directories.clear(); // everything is looked at then
      const names = directories.get(directory);
      if (name === null) directories.set(directory, null);
      else if (names === undefined) directories.set(directory, new Set([name]));
      else names?.add(name);
    },
    take() {
      const taken = [...directories];
      directories = new Map();
      count = 0;
      return taken;
    },
  };
};
