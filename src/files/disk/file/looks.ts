import { fchmodSync, fchownSync, fstatSync, futimesSync, type Stats } from 'node:fs';
import { newFileMode } from '../../../lib/fs/new-file-mode.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';

/** How a finished file shows itself. */
export interface Looks {
  /** Undefined: the mode of the file that is replaced, else that of a new file. */
  readonly mode: number | undefined;
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number } | undefined;
}

/** Gives a file that is still aside its owner, mode and times; owner first, because changing it may clear bits of the mode. */
export const dress = (fd: number, { mode, times, replaced }: Looks & { readonly replaced?: Stats | undefined }): void => {
  if (replaced !== undefined) keepOwner(fd, replaced);
  if (mode !== undefined) {
    fchmodSync(fd, mode);
  } else {
    // Not set-user-id: new content must not inherit it. Our own file refuses a mode only where the file system has none.
    const derived = replaced === undefined ? newFileMode() : replaced.mode & 0o777;
    tolerating(['EPERM', 'ENOTSUP'], () => fchmodSync(fd, derived));
  }
  if (times !== undefined) futimesSync(fd, utime(times.atimeMs), utime(times.mtimeMs));
};

const keepOwner = (fd: number, { uid, gid }: Stats): void => {
  const own = fstatSync(fd);
  if (own.uid !== uid || own.gid !== gid) tolerating(['EPERM', 'ENOTSUP'], () => fchownSync(fd, uid, gid));
};

/** A time as Node takes it: seconds keep microseconds; negative numbers would mean "now", negative dates do not. */
export const utime = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000);

/** Does the work; a fault with one of these codes counts as done. */
export const tolerating = (codes: readonly string[], work: () => void): void => {
  try {
    work();
  } catch (fault) {
    if (!codes.includes(codeOf(fault) ?? '')) throw fault;
  }
};
