import { accessSync, constants, statSync } from 'node:fs';
import { codeOf, systemFault } from './system-fault.ts';

/** What somebody wants of a file or directory; `change` is to put something into a directory or take it out. */
export type Use = 'read' | 'write' | 'change';

const BITS: Readonly<Record<Use, number>> = {
  read: constants.R_OK,
  write: constants.W_OK,
  change: constants.W_OK | constants.X_OK,
};

/** The fault that the system would answer with; undefined where it would not refuse for modes, owners or mounts. Nothing is tried. */
export const accessFault = (path: string, use: Use): Error | undefined => {
  const { geteuid, getuid } = process;
  // The system judges by the real user here, and by the effective one when it comes to it.
  if (geteuid !== undefined && geteuid() !== getuid?.()) return faultByMode(path, BITS[use]);
  try {
    accessSync(path, BITS[use]);
    return undefined;
  } catch (fault) {
    return REFUSALS.has(codeOf(fault) ?? '') && fault instanceof Error ? fault : undefined;
  }
};

const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

const faultByMode = (path: string, wanted: number): Error | undefined => {
  const { uid, gid, mode } = statSync(path);
  const user = process.geteuid?.() ?? 0;
  if (user === 0) return undefined;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  const shift = uid === user ? 6 : groups.includes(gid) ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted ? undefined : systemFault('EACCES', 'access', path);
};
