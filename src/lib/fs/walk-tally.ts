import type { Grant } from '../../core/files.ts';

/** The shared counters of a grant, from any thread. */
export interface Tally {
  stop(): void;
  /** Lets further work begin under the same grant: a walk stops everybody when it ends. */
  goOn(): void;
  isStopped(): boolean;
  /** Counts work that is done. */
  add(files: number, bytes: number): void;
  files(): number;
  bytes(): number;
}

const STOP = 0;
const FILES = 1;
/** The low and the high half of the bytes are one 64-bit slot. */
const BYTES_AT = 8;

/** Opens the counters of a grant. */
export const openTally = ({ counters }: Pick<Grant, 'counters'>): Tally => {
  const slots = new Int32Array(counters);
  const byteSlot = new BigInt64Array(counters, BYTES_AT, 1);
  return {
    stop: () => void Atomics.store(slots, STOP, 1),
    goOn: () => void Atomics.store(slots, STOP, 0),
    isStopped: () => Atomics.load(slots, STOP) !== 0,
    add(files, bytes) {
      if (files > 0) Atomics.add(slots, FILES, files);
      if (bytes > 0) Atomics.add(byteSlot, 0, BigInt(bytes));
    },
    files: () => Atomics.load(slots, FILES),
    bytes: () => Number(Atomics.load(byteSlot, 0)),
  };
};

/** The same permission with counters of its own: work that has ended leaves them stopped. */
export const withOwnTally = <G extends Pick<Grant, 'counters'>>(grant: G): G => ({
  ...grant,
  counters: new SharedArrayBuffer(grant.counters.byteLength),
});
