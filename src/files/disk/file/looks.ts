import { fchmodSync, futimesSync, type Stats } from 'node:fs';
import type { LostAttribute } from '../../../core/journal.ts';
import { keepOwner } from '../../../lib/fs/keep-owner.ts';
import { newFileMode } from '../../../lib/fs/new-file-mode.ts';
import { codeOf, ownFault } from '../../../lib/fs/system-fault.ts';
import { utime, utimeNs } from '../../../lib/fs/utime.ts';

/** Times in milliseconds or, where they are to be kept exactly, in nanoseconds. */
export type FileTimes = { readonly atimeMs: number; readonly mtimeMs: number } | { readonly atimeNs: bigint; readonly mtimeNs: bigint };

/** How a finished file shows itself. */
export interface Looks {
  /** Undefined: the mode of the file that is replaced, else that of a new file. */
  readonly mode: number | undefined;
  readonly times?: FileTimes | undefined;
}

/** What a file was to have, and what is known of how that went. */
export interface Dressed {
  readonly replaced: Stats | undefined;
  readonly mode: number;
  readonly hasOwner: boolean;
  /** It is no mode that was to be kept; where it is refused, so is the file. */
  readonly isModeAsked: boolean;
  /** Of a new file that took its mode nothing is asked: some file systems have one mode for all. */
  readonly isModeRefused: boolean;
}

/** Gives a file that is still aside its owner, mode and times; owner first, because changing it may clear bits of the mode. */
export const dress = (fd: number, { mode, times, replaced }: Looks & { readonly replaced?: Stats | undefined }): Dressed => {
  const kept = replaced === undefined ? 'all' : keepOwner(fd, replaced);
  // Not set-user-id: new content must not inherit it.
  const derived = replaced === undefined ? newFileMode() : replaced.mode & 0o777;
  let isModeRefused = false;
  if (mode !== undefined) {
    fchmodSync(fd, mode);
  } else {
    // Our own file refuses a mode only where the file system has none.
    isModeRefused = !tolerating(['EPERM', 'ENOTSUP'], () => fchmodSync(fd, kept === 'none' ? withoutGroup(derived) : derived));
  }
  if (times !== undefined) setTimes(fd, times);
  return { replaced, mode: mode ?? derived, hasOwner: kept === 'all', isModeAsked: mode !== undefined, isModeRefused };
};

const setTimes = (fd: number, times: FileTimes): void => {
  if ('mtimeNs' in times) futimesSync(fd, utimeNs(times.atimeNs), utimeNs(times.mtimeNs));
  else futimesSync(fd, utime(times.atimeMs), utime(times.mtimeMs));
};

/** Another group gets no more than everybody had. */
const withoutGroup = (mode: number): number => mode & (0o707 | ((mode & 0o007) << 3));

/** What a file lacks of what it was to have. Throws where more may be done with it than with the file that it is to replace. */
export const lossesOf = (
  { mode: all }: Stats,
  { replaced, mode: wanted, hasOwner, isModeAsked, isModeRefused }: Dressed,
): readonly LostAttribute['what'][] => {
  const mode = all & 0o777;
  if (replaced === undefined) return isModeRefused && (wanted & ~mode) !== 0 ? ['mode'] : NONE;
  if ((mode & ~replaced.mode & ~wanted & 0o777) !== 0) throw ownFault('EOPENED');
  const hasMode = isModeAsked || mode === wanted;
  if (hasOwner && hasMode) return NONE;
  return [...(hasOwner ? [] : (['owner'] as const)), ...(hasMode ? [] : (['mode'] as const))];
};

const NONE: readonly never[] = [];

/** Does the work; a fault with one of these codes counts as done, and the answer tells of it. */
export const tolerating = (codes: readonly string[], work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (fault) {
    if (!codes.includes(codeOf(fault) ?? '')) throw fault;
    return false;
  }
};
