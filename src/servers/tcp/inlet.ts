import type { Socket } from 'node:net';

/** The reading side of a connection: bytes come only when they are asked for, so a client cannot send faster than its lists run. */
export interface Inlet {
  /** The next bytes; `ended` where there are no more, `late` where none came in time. */
  next(patienceMs: number): Promise<Buffer | 'ended' | 'late'>;
  /** Ends it from our side; whoever waits is told. */
  stop(): void;
  /** Drops whatever still comes. */
  discard(): void;
}

export const createInlet = (socket: Socket): Inlet => {
  let isStopped = false;
  let wake = () => {};
  const changed = () => wake();
  socket.on('readable', changed).on('end', changed).on('close', changed);

  /** False where nothing happened in time. */
  const change = (patienceMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      // What has come while this process was busy came in time: it is looked for once more.
      const patience = setTimeout(() => setImmediate(resolve, false), patienceMs);
      wake = () => {
        clearTimeout(patience);
        resolve(true);
      };
    });

  return {
    async next(patienceMs) {
      const untilMs = performance.now() + patienceMs;
      for (;;) {
        if (isStopped) return 'ended';
        const chunk: Buffer | null = socket.read();
        if (chunk !== null) return chunk;
        if (socket.readableEnded || socket.destroyed) return 'ended';
        if (!(await change(untilMs - performance.now()))) return 'late';
      }
    },
    stop() {
      isStopped = true;
      wake();
    },
    discard() {
      socket.off('readable', changed);
      socket.resume();
    },
  };
};
