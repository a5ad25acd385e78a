/** What is to be done when: each key once. Idle keys cost nothing but their memory. */
export interface Agenda {
  /** Puts a key down for an instant, instead of the one it had. */
  set(key: string, at: number): void;
  remove(key: string): void;
  clear(): void;
  /** Takes the keys that are due, earliest first. */
  takeDue(now: number): string[];
  /** When the first key is due; undefined where there is none. */
  readonly nextAt: number | undefined;
}

interface Entry {
  readonly key: string;
  readonly at: number;
}

/** Makes an empty agenda: a binary heap from which entries that no longer count are dropped when they surface. */
export const createAgenda = (): Agenda => {
  const times = new Map<string, number>();
  let heap: Entry[] = [];

  const swap = (one: number, other: number) => {
    // Both are positions in the heap.
    const kept = heap[one] as Entry;
    heap[one] = heap[other] as Entry;
    heap[other] = kept;
  };

  const timeAt = (place: number): number => heap[place]?.at ?? Number.POSITIVE_INFINITY;

  const rise = (start: number) => {
    for (let place = start; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (timeAt(parent) <= timeAt(place)) return;
      swap(parent, place);
      place = parent;
    }
  };

  const sink = () => {
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left;
      if (timeAt(child) >= timeAt(place)) return;
      swap(child, place);
      place = child;
    }
  };

  const drop = () => {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    sink();
  };

  const first = (): Entry | undefined => {
    for (let [entry] = heap; entry !== undefined; [entry] = heap) {
      if (times.get(entry.key) === entry.at) return entry;
      drop();
    }
    return undefined;
  };

  return {
    set(key, at) {
      if (times.get(key) === at) return;
      times.set(key, at);
      heap.push({ key, at });
      rise(heap.length - 1);
    },
    remove: (key) => void times.delete(key),
    clear() {
      times.clear();
      heap = [];
    },
    takeDue(now) {
      const due: string[] = [];
      for (let entry = first(); entry !== undefined && entry.at <= now; entry = first()) {
        times.delete(entry.key);
        due.push(entry.key);
        drop();
      }
      return due;
    },
    get nextAt() {
      return first()?.at;
    },
  };
};
