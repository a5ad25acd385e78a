import { type FaultMessage, packFault } from '../workers/messages.ts';

/** Which of two trees. */
export type Side = 'source' | 'target';

/** Something of a tree that could not be dealt with, as plain data. */
export interface TreeFault {
  readonly side: Side;
  /** From the root, without `/` at the end. */
  readonly relative: string;
  readonly fault: FaultMessage;
}

/** Says where a fault happened. */
export const treeFault = (side: Side, relative: string, fault: unknown): TreeFault => ({
  side,
  relative: relative.endsWith('/') ? relative.slice(0, -1) : relative,
  fault: packFault(fault),
});

/** Whether something in a source could not be read, which may be left out; the source as a whole, and what a target does not take, may not. */
export const isUnreadable = ({ side, relative, fault }: TreeFault): boolean =>
  side === 'source' && relative !== '' && (fault.kind !== 'typed' || fault.record.type === 'FileAccessException');
