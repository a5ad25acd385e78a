import type { OpenFile } from './open-file.ts';

/** Brings a large file to the device while it is still being written, so that its end need not wait for all of it. */
export interface WriteBack {
  /** Told the bytes of each write that is done. */
  wrote(bytes: number): void;
  /** Waits for what is under way. Throws what went wrong: the system tells a fault once, so a later sync might not know of it. */
  settled(): Promise<void>;
}

const STRETCH_BYTES = 32 * 1024 * 1024;

export const createWriteBack = (file: Pick<OpenFile, 'sync'>): WriteBack => {
  let waiting = 0;
  let underWay: Promise<void> | undefined;
  return {
    wrote(bytes) {
      waiting += bytes;
      if (waiting < STRETCH_BYTES || underWay !== undefined) return;
      waiting = 0;
      const syncing = file.sync();
      underWay = syncing;
      syncing.then(
        () => {
          underWay = undefined;
        },
        () => {}, // told when somebody waits for it
      );
    },
    settled: async () => underWay,
  };
};
