import { join } from 'node:path';
import {
  ArgumentException,
  CancelledException,
  DirNotExistsException,
  FileAccessException,
  FileAutomationException,
  FileNotExistsException,
  InternalException,
  PathExistsException,
  TimeoutException,
} from '../../core/errors.ts';
import { isTransientCode } from '../../core/transient.ts';
import { codeOf, type OwnCode } from './system-fault.ts';

/** Where a fault happened, in the caller's words. */
export interface FaultPlace {
  /** The path as the caller knows it, never a descriptor address. */
  readonly path: string;
  /** The action's argument that named the path. */
  readonly argument?: string;
  /** What should have been there when the system says that nothing is; a file unless said otherwise. */
  readonly missing?: 'file' | 'directory';
}

/** Turns whatever a file call threw into a typed error; what is typed already passes through unchanged. */
export function translate(fault: unknown, place: FaultPlace): FileAutomationException {
  if (fault instanceof FileAutomationException) return fault;
  const { argument, missing = 'file' } = place;
  const path = placeOf(fault, place);
  if (isNamed(fault, 'AbortError')) {
    return fault.cause instanceof FileAutomationException
      ? fault.cause
      : new CancelledException(`The work on ${path} was cancelled; start it again to finish it.`, { context: { path }, cause: fault });
  }
  if (isNamed(fault, 'TimeoutError')) {
    return new TimeoutException(`The work on ${path} took longer than allowed; allow more time and start it again.`, {
      context: { path },
      cause: fault,
      retryable: true,
    });
  }
  const at = { path, ...(argument !== undefined && { argument }) };
  const code = codeOf(fault);
  if (code === undefined) return withoutSystemCode(fault, at);
  const options = { context: { ...at, code }, cause: fault };
  switch (code) {
    case 'ENOENT':
      return missing === 'directory'
        ? new DirNotExistsException(`No directory at ${path}; check the path or create it.`, options)
        : new FileNotExistsException(`No file at ${path}; check the path.`, options);
    case 'EEXIST':
      return new PathExistsException(`Something is already at ${path}; choose another path or allow overwriting.`, options);
    default: {
      const sentence = REFUSALS.get(code) ?? PASSING.get(code);
      const message = sentence?.(path) ?? `The system refused to work on ${path} with ${code}; look up that code for the reason.`;
      return new FileAccessException(message, { ...options, retryable: code in OWN || isTransientCode(code) });
    }
  }
}

/** A directory is named with the entry in it that the fault is about (`rawNameFault`). */
const placeOf = (fault: unknown, { path }: FaultPlace): string =>
  fault instanceof Error && 'entry' in fault && typeof fault.entry === 'string' ? join(path, fault.entry) : path;

function isNamed(fault: unknown, name: string): fault is Error {
  return fault instanceof Error && fault.name === name;
}

function withoutSystemCode(fault: unknown, place: { readonly path: string; readonly argument?: string }): FileAutomationException {
  // Node refuses a path it cannot hand to the system (NUL inside) before asking it.
  if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_INVALID_ARG_VALUE') {
    return new ArgumentException('The path holds a character that no path can have; remove it.', { context: place, cause: fault });
  }
  return new InternalException('An unexpected fault happened while working on a file; the log has the details.', {
    context: place,
    cause: fault,
  });
}

type Sentence = (path: string) => string;

/** The refusal to take away, with the tree it lies in, a directory of ours. */
const kept: Sentence = (path) =>
  `${path} holds what it takes to undo runs, so the directories it lies in stay; forget those runs first (factotum undo --forget RUN).`;

/** The refusal to replace a file by one that others may do more with. */
const opened: Sentence = (path) =>
  `The file system of ${path} would let others do more with the new file than with the old one, which stays; check the mount options.`;

/** Faults that stay until somebody changes something. */
const REFUSALS: ReadonlyMap<string, Sentence> = new Map([
  ['EACCES', (path) => `Permission denied for ${path}; check its mode and owner and those of its directory.`],
  ['EPERM', (path) => `The system does not permit this on ${path}; check its owner, its flags and the mount options.`],
  ['EROFS', (path) => `The file system of ${path} is read-only; choose another place or mount it for writing.`],
  ['ENOSPC', (path) => `No space is left on the device of ${path}; free some and run again.`],
  ['EDQUOT', (path) => `The disk quota for ${path} is used up; free some space or raise the quota.`],
  ['EFBIG', (path) => `${path} would grow beyond what its file system or the process limit allows; split it or raise the limit.`],
  ['EISDIR', (path) => `${path} is a directory where a file is needed; name a file.`],
  ['ENOTDIR', (path) => `A part of ${path} is not a directory; check the path.`],
  ['ENOTEMPTY', (path) => `The directory ${path} is not empty; empty it first or remove the whole tree.`],
  ['ENAMETOOLONG', (path) => `A name in ${path} is too long for its file system; shorten it.`],
  ['EILSEQ', (path) => `${path} goes through a link or name that is not UTF-8; rename it or make the link again.`],
  ['ELOOP', (path) => `${path} goes through too many links; look for links that lead back to themselves.`],
  ['EMLINK', (path) => `${path} has as many links as its file system allows; remove some.`],
  ['EXDEV', (path) => `${path} lies on another file system than its counterpart; copy it instead of moving it.`],
  ['EINVAL', (path) => `The file system of ${path} cannot do this with these values; check the name and the options.`],
  ['ENOTSUP', (path) => `The file system of ${path} does not support this; choose another place.`],
  ['EOPNOTSUPP', (path) => `The file system of ${path} does not support this; choose another place.`],
  ['ENOSYS', (path) => `The file system of ${path} does not support this; choose another place.`],
  ['ENXIO', (path) => `${path} is a pipe, socket or device that nobody serves; name a regular file.`],
  ['ENODEV', (path) => `The device of ${path} is gone or cannot do this; check that it is connected.`],
  ['EKEPT' satisfies OwnCode, kept],
  ['EOPENED' satisfies OwnCode, opened],
]);

/** Faults of ours that may be gone on the next try. */
const OWN: Readonly<Record<Exclude<OwnCode, 'EKEPT' | 'EOPENED'>, Sentence>> = {
  ECHANGED: (path) => `${path} changed while it was being copied; run again when nobody writes to it.`,
  EEDITED: (path) => `Another program keeps changing ${path}, so that an edit of it would undo what that does; run again when it rests.`,
  ETAKEN: (path) => `Somebody else has made ${path} meanwhile; run again to start from what is there now.`,
};

/** Faults that may be gone on the next try without a change. */
const PASSING: ReadonlyMap<string, Sentence> = new Map([
  ...Object.entries(OWN),
  ['EBUSY', (path) => `${path} is in use by the system or another program; try again when it is free.`],
  ['ETXTBSY', (path) => `${path} is a program that is running; try again when it has ended.`],
  ['EMFILE', (path) => `This process has too many files open to reach ${path}; try again or raise its limit of open files.`],
  ['ENFILE', (path) => `The machine has too many files open to reach ${path}; try again later.`],
  ['ENOMEM', (path) => `The machine has too little memory to work on ${path}; try again later.`],
  ['EAGAIN', (path) => `${path} is not ready at the moment; try again.`],
  ['EINTR', (path) => `The work on ${path} was interrupted by the system; try again.`],
  ['EIO', (path) => `The device of ${path} reported a read or write error; try again and check the device.`],
  ['ESTALE', (path) => `The file server has lost track of ${path}; try again.`],
  ['ETIMEDOUT', (path) => `The file server did not answer in time for ${path}; try again.`],
]);
