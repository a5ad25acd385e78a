import type { Call } from './calls.ts';

/** A way to an open store: in this thread or in another. */
export interface Link {
  send(call: Call): Promise<unknown>;
  /** False once its thread has ended by itself. */
  readonly isOpen: boolean;
  close(): Promise<void>;
}

/** A call and who waits for its answer. */
export interface Waiting {
  readonly call: Call;
  resolve(value: unknown): void;
  reject(fault: unknown): void;
}

/** Gathers what is asked before this turn of the event loop ends, so that it travels and is committed together. */
export const gather = (forward: (batch: readonly Waiting[]) => void): Link['send'] => {
  let batch: Waiting[] = [];
  const flush = () => {
    const full = batch;
    batch = [];
    try {
      forward(full);
    } catch (fault) {
      for (const { reject } of full) reject(fault);
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      batch.push({ call, resolve, reject });
      if (batch.length === 1) queueMicrotask(flush);
    });
};
