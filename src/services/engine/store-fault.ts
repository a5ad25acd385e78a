import { FileAutomationException, StoreException } from '../../core/errors.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';

/** Why the store could not do it. `full` and `read_only` leave it readable. */
export type StoreFaultKind = 'full' | 'read_only' | 'busy' | 'damaged' | 'unreadable' | 'no_access' | 'moved' | 'device' | 'unexpected';

type Sentence = (place: string) => string;

const SENTENCES: Readonly<Record<StoreFaultKind, Sentence>> = {
  full: (place) => `No space is left for the store at ${place}; free some, what is stored can still be read.`,
  read_only: (place) => `The store at ${place} cannot be written; make its disk and directory writable, what is stored can still be read.`,
  busy: (place) => `Another process keeps the store at ${place} busy; try again.`,
  damaged: (place) => `The store at ${place} is damaged; move it away and restore a copy.`,
  unreadable: (place) => `The file at ${place} is no store; name another one.`,
  no_access: (place) => `The store at ${place} cannot be opened; check that its directory exists and belongs to you.`,
  moved: (place) =>
    `The store at ${place} was moved, replaced or deleted while it was in use, so that nothing written to it would be found again; put it back, or stop the service and start it anew.`,
  device: (place) => `The device of the store at ${place} reported an error; check it, what is stored may still be readable.`,
  unexpected: (place) => `The store at ${place} refused its work; report what the context of this error says.`,
};

/** SQLite's primary result codes. */
const BY_RESULT: ReadonlyMap<number, StoreFaultKind> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read_only'],
  [10, 'device'],
  [11, 'damaged'],
  [13, 'full'],
  [14, 'no_access'],
  [26, 'unreadable'],
]);

/** Extended codes of input and output faults that tell more than the primary one: the file that threads share cannot grow. */
const BY_EXTENDED_RESULT: ReadonlyMap<number, StoreFaultKind> = new Map([[4874, 'full']]);

/** SQLite's own words, for calls of the installed driver that leave the code out. */
const BY_MESSAGE: ReadonlyMap<string, StoreFaultKind> = new Map([
  ['database is locked', 'busy'],
  ['attempt to write a readonly database', 'read_only'],
  ['disk I/O error', 'device'],
  ['database disk image is malformed', 'damaged'],
  ['database or disk is full', 'full'],
  ['unable to open database file', 'no_access'],
  ['file is not a database', 'unreadable'],
]);

const BY_SYSTEM_CODE: ReadonlyMap<string, StoreFaultKind> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read_only'],
  ['EACCES', 'no_access'],
  ['EPERM', 'no_access'],
  ['ENOENT', 'no_access'],
  ['ENOTDIR', 'no_access'],
  ['EIO', 'device'],
]);

/** Turns what the driver or the system threw into a `StoreException` that names the place; what is typed passes through. */
export const asStoreFault = (fault: unknown, place: string): FileAutomationException => {
  if (fault instanceof FileAutomationException) return fault;
  const kind = kindOf(fault);
  return new StoreException(SENTENCES[kind](place), {
    context: { place, fault: kind, ...(kind === 'unexpected' && { detail: fault instanceof Error ? fault.message : String(fault) }) },
    cause: fault,
    retryable: kind === 'busy' || kind === 'full',
  });
};

/** The same fault as it is told of another place, such as the file of which a copy was used. */
export const faultAt = (fault: unknown, place: string): unknown => {
  const kind = storeFaultKind(fault);
  if (kind === undefined || !(fault instanceof StoreException)) return fault;
  return new StoreException(SENTENCES[kind](place), {
    context: { ...fault.context, place },
    cause: fault.cause,
    retryable: fault.retryable,
  });
};

/** The fault of a store whose file is no longer where it was opened. */
export const movedFault = (place: string): StoreException =>
  new StoreException(SENTENCES.moved(place), { context: { place, fault: 'moved' } });

/** The kind of a fault that `asStoreFault` made; undefined for any other. */
export const storeFaultKind = (fault: unknown): StoreFaultKind | undefined => {
  if (!(fault instanceof StoreException)) return undefined;
  const { fault: kind } = fault.context;
  return typeof kind === 'string' && Object.hasOwn(SENTENCES, kind) ? (kind as StoreFaultKind) : undefined; // a key of the table
};

/** Whether what is stored can be read all the same. */
export const leavesReading = (fault: unknown): boolean => LEAVES_READING.has(storeFaultKind(fault));

const LEAVES_READING: ReadonlySet<StoreFaultKind | undefined> = new Set(['full', 'read_only', 'no_access', 'moved', 'device']);

const kindOf = (fault: unknown): StoreFaultKind => {
  const code = codeOf(fault);
  if (code !== undefined) return BY_SYSTEM_CODE.get(code) ?? 'unexpected';
  if (!(fault instanceof Error)) return 'unexpected';
  const result = 'errcode' in fault && typeof fault.errcode === 'number' ? fault.errcode : 0;
  return BY_EXTENDED_RESULT.get(result) ?? BY_RESULT.get(result & 0xff) ?? BY_MESSAGE.get(fault.message) ?? 'unexpected';
};
