/**
 * What a process and its writer's thread agree on about the end. A thread that is torn down while it is inside SQLite takes the process
 * with it (`Napi::Error`, exit code 134), whoever ended the process and why. So the thread passes this gate on its way in and out, and
 * the process shuts it before it ends.
 */
export type ExitGate = Int32Array;

const OUTSIDE = 0;
const INSIDE = 1;
const SHUT = 2;

/** A gate with the thread inside, as it is from its start until it has opened the store. */
export const createExitGate = (): ExitGate => {
  const gate = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  gate[0] = INSIDE;
  return gate;
};

/** Does the thread's work inside; nothing once the gate is shut, for the process ends. */
export const passGate = (gate: ExitGate, work: () => void): void => {
  if (Atomics.compareExchange(gate, 0, OUTSIDE, INSIDE) !== OUTSIDE) return;
  try {
    work();
  } finally {
    leaveGate(gate);
  }
};

/** Called by the thread that is inside. */
export const leaveGate = (gate: ExitGate): void => {
  Atomics.store(gate, 0, OUTSIDE);
  Atomics.notify(gate, 0);
};

/** Waits, holding this thread, until the other one is outside, and keeps it there; false where that takes too long. */
export const shutGate = (gate: ExitGate, patienceMs: number): boolean => {
  const untilMs = performance.now() + patienceMs;
  while (Atomics.compareExchange(gate, 0, OUTSIDE, SHUT) === INSIDE) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(gate, 0, INSIDE, leftMs);
  }
  return true;
};

/** SQLite waits up to 5 s for other processes, twice at the most: for a commit, and to empty its log. */
const PATIENCE_MS = 12_000;

/** One listener for all: a process may have many stores. */
const watched = new Set<ExitGate>();
const onExit = () => {
  for (const gate of watched) shutGate(gate, PATIENCE_MS);
};

/** Has the process wait at its end, however it comes to it; answers how to take that back once the thread has ended. */
export const watchGate = (gate: ExitGate): (() => void) => {
  if (watched.size === 0) process.on('exit', onExit);
  watched.add(gate);
  return () => {
    watched.delete(gate);
    if (watched.size === 0) process.off('exit', onExit);
  };
};
