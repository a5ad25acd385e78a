import { constants } from 'node:fs';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { openFile } from './open-file.ts';

/** A directory opened for syncing: what can fail should fail before names in it change. */
export interface SyncableDirectory extends Disposable {
  sync(): Promise<void>;
}

/** Opens a directory for syncing; undefined where that is not possible: without the right to read it, and on Windows. */
export const openToSync = (address: string): SyncableDirectory | undefined => {
  try {
    const directory = openFile(address, constants.O_RDONLY);
    return {
      async sync() {
        await directory.sync().catch(tolerate(CANNOT_SYNC));
      },
      [Symbol.dispose]: () => void directory.close(),
    };
  } catch (fault) {
    return tolerate(CANNOT_OPEN)(fault);
  }
};

const CANNOT_OPEN: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EISDIR']);
/** What some network file systems answer. */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EPERM']);

const tolerate =
  (codes: ReadonlySet<string | undefined>) =>
  (fault: unknown): undefined => {
    if (!codes.has(codeOf(fault))) throw fault;
  };
