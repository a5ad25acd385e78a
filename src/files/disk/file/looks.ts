import { fchmodSync, futimesSync, type Stats } from 'node:fs';
import { keepOwner } from '../../../lib/fs/keep-owner.ts';
import { newFileMode } from '../../../lib/fs/new-file-mode.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { utime } from '../../../lib/fs/utime.ts';

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

/** Does the work; a fault with one of these codes counts as done. */
export const tolerating = (codes: readonly string[], work: () => void): void => {
  try {
    work();
  } catch (fault) {
    if (!codes.includes(codeOf(fault) ?? '')) throw fault;
  }
};
