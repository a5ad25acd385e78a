import { lineFault } from './faults.ts';

/** What is kept for the next who needs it. */
export interface Poolable {
  readonly isClosed: boolean;
  hold(isHeld: boolean): void;
  destroy(): void;
}

/** Told by what was opened. */
export interface PoolEvents {
  onFree(): void;
  onClose(): void;
}

export interface PoolOptions<T> {
  readonly most: number;
  open(signal: AbortSignal, events: PoolEvents): Promise<T>;
}

export interface Pool<T> {
  /** One that nobody uses; waits where there are too many already. */
  take(signal: AbortSignal): Promise<T>;
  close(): void;
}

/** Servers keep a connection for five seconds or more: one that was unused for longer than this is not tried. */
const KEPT_MS = 4_000;

interface Waiting {
  give(): void;
}

/** Connections that are used again, the latest first, and never more than so many. */
export const createPool = <T extends Poolable>({ most, open }: PoolOptions<T>): Pool<T> => {
  const all = new Set<T>();
  const free: { readonly item: T; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: Waiting[] = [];
  let count = 0;
  let isOver = false;

  const next = (): void => waiting.shift()?.give();

  const takeFree = (): T | undefined => {
    for (let found = free.pop(); found !== undefined; found = free.pop()) {
      clearTimeout(found.timer);
      if (found.item.isClosed) continue;
      found.item.hold(true);
      return found.item;
    }
    return undefined;
  };

  const add = async (signal: AbortSignal): Promise<T> => {
    count += 1;
    let item: T | undefined;
    let isGone = false;
    const leave = () => {
      if (isGone) return;
      isGone = true;
      count -= 1;
      if (item !== undefined) all.delete(item);
      next();
    };
    const onFree = () => {
      const kept = item;
      if (kept === undefined || isOver) return void kept?.destroy();
      kept.hold(false); // what nobody uses keeps no process alive
      const timer = setTimeout(() => kept.destroy(), KEPT_MS);
      timer.unref();
      free.push({ item: kept, timer });
      next();
    };
    try {
      item = await open(signal, { onFree, onClose: leave });
    } catch (fault) {
      leave();
      throw fault;
    }
    all.add(item);
    if (isOver) item.destroy();
    return item;
  };

  /** Waits for a turn; whoever gives up leaves the line. */
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const own: Waiting = {
        give() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        const at = waiting.indexOf(own);
        if (at !== -1) waiting.splice(at, 1);
        reject(signal.reason);
      };
      waiting.push(own);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    async take(signal) {
      for (;;) {
        signal.throwIfAborted();
        if (isOver) throw lineFault('ERR_CLOSED', 'the session was closed');
        const found = takeFree();
        if (found !== undefined) return found;
        if (count < most) return add(signal);
        await turn(signal);
      }
    },
    close() {
      isOver = true;
      for (const { timer } of free.splice(0)) clearTimeout(timer);
      for (const item of all) item.destroy();
      for (const { give } of waiting.splice(0)) give();
    },
  };
};
