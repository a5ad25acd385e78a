import { constants } from 'node:os';

/** The system's code (`ENOENT`) of a caught fault; undefined for Node's own `ERR_…` codes and for everything else. */
export function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined;
  return typeof fault.code === 'string' && /^E[A-Z0-9]+$/.test(fault.code) ? fault.code : undefined;
}

/** Whether a fault says that a device, or what one may have of it, is full. */
export const isFull = (fault: unknown): boolean => codeOf(fault) === 'ENOSPC' || codeOf(fault) === 'EDQUOT';

/** An error with the shape of Node's system errors, for what the system would have said had it been asked. */
export function systemFault(code: keyof typeof constants.errno, syscall: string, path: string): NodeJS.ErrnoException {
  const message = `${code}: ${syscall} '${path}'`;
  return Object.assign(new Error(message), { code, errno: -constants.errno[code], syscall, path });
}

/** What no system says but work on several threads has to: where it happened is told by whoever knows the path. */
export type OwnCode = 'ECHANGED' | 'EEDITED' | 'ETAKEN' | 'EKEPT' | 'EOPENED';

/** A fault of ours in the same shape. */
export const ownFault = (code: OwnCode): Error & { readonly code: OwnCode } => Object.assign(new Error(code), { code });
