import type { Log } from '../../core/ports.ts';
import { houseSweeper } from '../../files/disk/sweep.ts';
import { undoFiles } from '../../files/journal/undo-files.ts';
import type { Store } from '../../services/engine/port.ts';
import { trimUndo, type UndoRoom } from '../../services/undo/trim.ts';
import type { Config } from '../config/load-config.ts';
import { retentionOf, undoRoomOf } from '../config/retention.ts';
import type { Part } from './change.ts';

/** How much a store keeps and for how long. */
export interface StorePart extends Part {
  /** Bytes of old files that a run may keep aside. */
  readonly undoBytes: number;
  /** The same in number. */
  readonly undoFiles: number;
  /** Forgets, now and every hour, what is older than the configuration keeps. */
  start(log: Log): void;
  /** Does so soon: a run of a caller with a share has kept something. */
  trimSoon(): void;
  close(): void;
}

const HOUR_MS = 3_600_000;
/** What is kept for undoing is looked through no more often. */
const TRIM_MS = 10_000;

export const createStorePart = (store: Store, first: Config['store'], mostOf?: UndoRoom['mostOf']): StorePart => {
  let section = first;
  let timer: NodeJS.Timeout | undefined;
  let trimming: NodeJS.Timeout | undefined;
  let tidy = async () => {};
  let isClosed = false;

  const trim = () => trimUndo({ store, files: undoFiles, now: Date.now(), ...undoRoomOf(section), ...(mostOf && { mostOf }) });

  const forgetOld = async () => {
    await trim();
    await store.prune(retentionOf(section));
    await houseSweeper.sweepAll();
  };

  return {
    get undoBytes() {
      return section.undo_bytes;
    },
    get undoFiles() {
      return section.undo_files;
    },
    start(log) {
      tidy = async () => {
        try {
          await forgetOld();
        } catch (fault) {
          if (isClosed) return; // the rest goes after the next start
          log('warn', 'old records could not be deleted', { reason: fault instanceof Error ? fault.message : String(fault) });
        }
      };
      void tidy();
      timer = setInterval(() => void tidy(), HOUR_MS).unref();
    },
    trimSoon() {
      if (isClosed) return;
      trimming ??= setTimeout(() => {
        trimming = undefined;
        void trim().catch(() => {}); // the hourly look tells what is wrong
      }, TRIM_MS).unref();
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(trimming);
    },
    prepare: ({ config }) => ({
      apply() {
        section = config.store;
        void tidy();
      },
      revert() {},
    }),
  };
};
