import { SFTPException } from '../../../core/errors.ts';
import type { StorageCode } from '../../../core/storage.ts';
import type { StorageFaults } from '../../faults.ts';

/** The answers of SFTP 3 that are no success, as numbers on the wire. */
export const STATUS = {
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  OP_UNSUPPORTED: 8,
} as const;

const NAMES = new Map(Object.entries(STATUS).map(([name, code]) => [code as number, `SSH_FX_${name}`]));

/** The number of an answer; undefined for every other fault, such as a connection that is gone. */
export const statusOf = (fault: unknown): number | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'number' ? fault.code : undefined;

const MEANING: ReadonlyMap<number, { readonly code: StorageCode; readonly remedy: string }> = new Map([
  [STATUS.NO_SUCH_FILE, { code: 'not_found', remedy: 'check the location, list the directory above it' }],
  [STATUS.PERMISSION_DENIED, { code: 'denied', remedy: 'log in as somebody who may, or have the rights there changed' }],
  [STATUS.BAD_MESSAGE, { code: 'bad_name', remedy: 'the server takes no such name or request; choose another name' }],
  [STATUS.OP_UNSUPPORTED, { code: 'unsupported', remedy: 'the server cannot do that' }],
]);

/** An answer of the server as a fault of the storage; what is one already is handed on. */
export const translate = (faults: StorageFaults, fault: unknown, what: string, location: string): unknown => {
  const status = statusOf(fault);
  if (fault instanceof SFTPException || status === undefined) return fault;
  const { code, remedy } = MEANING.get(status) ?? { code: 'broken', remedy: 'the server does not say why; look into its log' };
  const name = NAMES.get(status) ?? `SSH_FX_${status}`;
  return faults.because(code, `${what} ${location} failed (${name}: ${saidBy(fault)}); ${remedy}.`, {
    context: { location, server_code: name },
  });
};

/** What a server said, in bounds: it may say anything. */
const saidBy = (fault: unknown): string =>
  (fault instanceof Error ? fault.message : '').replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200);
