import type { StorageCode } from '../../../../core/storage.ts';

/** What a status means to whoever asked. */
export interface StatusMeaning {
  readonly code: StorageCode;
  /** Why, with the remedy, behind the place it is about. */
  readonly words: string;
  readonly isRetryable?: true;
  /** The session is gone with it. */
  readonly endsSession?: true;
}

/** The statuses that this client compares with. */
export const STATUS = {
  ok: 0,
  pending: 0x103,
  bufferOverflow: 0x8000_0005,
  noMoreFiles: 0x8000_0006,
  stoppedOnSymlink: 0x8000_002d,
  noSuchFile: 0xc000_000f,
  invalidDeviceRequest: 0xc000_0010,
  endOfFile: 0xc000_0011,
  moreProcessingRequired: 0xc000_0016,
  accessDenied: 0xc000_0022,
  objectNameNotFound: 0xc000_0034,
  objectNameCollision: 0xc000_0035,
  objectPathNotFound: 0xc000_003a,
  sharingViolation: 0xc000_0043,
  deletePending: 0xc000_0056,
  fileIsADirectory: 0xc000_00ba,
  notSupported: 0xc000_00bb,
  notADirectory: 0xc000_0103,
  fileClosed: 0xc000_0128,
} as const;

const LOST = { code: 'broken', words: 'the server has ended the session; try again', isRetryable: true, endsSession: true } as const;
const BUSY = { code: 'busy', words: 'somebody else uses it; try again later', isRetryable: true } as const;
const LOADED = { code: 'busy', words: 'the server has too much to do; try again later', isRetryable: true } as const;
const MISSING = { code: 'not_found', words: 'it is not there' } as const;
const WRONG_NAME = { code: 'bad_name', words: 'the server does not take the name; choose another' } as const;
const LOGIN = { code: 'denied', words: 'the login was refused; check username and password of the connection' } as const;
const ACCOUNT = { code: 'denied', words: 'the server does not let this account in now; ask who looks after it' } as const;
const DENIED = { code: 'denied', words: 'the server does not allow it to this user' } as const;
const FULL = { code: 'out_of_space', words: 'there is no room left; make some and try again' } as const;
const CANNOT = { code: 'unsupported', words: 'the server cannot do that' } as const;
const DAMAGED = { code: 'broken', words: 'the disk of the server failed' } as const;

/** Names of [MS-ERREF] and what they mean here. What is not in the table is shown by its number. */
const MEANINGS: ReadonlyMap<number, readonly [string, StatusMeaning]> = new Map<number, readonly [string, StatusMeaning]>([
  [
    0x8000_002d,
    ['STATUS_STOPPED_ON_SYMLINK', { code: 'unsupported', words: 'it leads over a symbolic link, which is not followed; name its target' }],
  ],
  [0xc000_000d, ['STATUS_INVALID_PARAMETER', CANNOT]],
  [0xc000_000f, ['STATUS_NO_SUCH_FILE', MISSING]],
  [0xc000_0010, ['STATUS_INVALID_DEVICE_REQUEST', CANNOT]],
  [0xc000_0022, ['STATUS_ACCESS_DENIED', DENIED]],
  [0xc000_0033, ['STATUS_OBJECT_NAME_INVALID', WRONG_NAME]],
  [0xc000_0034, ['STATUS_OBJECT_NAME_NOT_FOUND', MISSING]],
  [0xc000_0035, ['STATUS_OBJECT_NAME_COLLISION', { code: 'exists', words: 'it exists already' }]],
  [0xc000_0039, ['STATUS_OBJECT_PATH_INVALID', WRONG_NAME]],
  [0xc000_003a, ['STATUS_OBJECT_PATH_NOT_FOUND', MISSING]],
  [0xc000_003b, ['STATUS_OBJECT_PATH_SYNTAX_BAD', WRONG_NAME]],
  [0xc000_0043, ['STATUS_SHARING_VIOLATION', BUSY]],
  [0xc000_0044, ['STATUS_QUOTA_EXCEEDED', FULL]],
  [0xc000_0054, ['STATUS_FILE_LOCK_CONFLICT', BUSY]],
  [0xc000_0055, ['STATUS_LOCK_NOT_GRANTED', BUSY]],
  [0xc000_0056, ['STATUS_DELETE_PENDING', BUSY]],
  [
    0xc000_005e,
    ['STATUS_NO_LOGON_SERVERS', { code: 'unreachable', words: 'the server cannot ask its domain; try again later', isRetryable: true }],
  ],
  [0xc000_0064, ['STATUS_NO_SUCH_USER', LOGIN]],
  [0xc000_006a, ['STATUS_WRONG_PASSWORD', LOGIN]],
  [0xc000_006d, ['STATUS_LOGON_FAILURE', LOGIN]],
  [0xc000_006e, ['STATUS_ACCOUNT_RESTRICTION', ACCOUNT]],
  [0xc000_006f, ['STATUS_INVALID_LOGON_HOURS', ACCOUNT]],
  [0xc000_0070, ['STATUS_INVALID_WORKSTATION', ACCOUNT]],
  [0xc000_0071, ['STATUS_PASSWORD_EXPIRED', ACCOUNT]],
  [0xc000_0072, ['STATUS_ACCOUNT_DISABLED', ACCOUNT]],
  [0xc000_007f, ['STATUS_DISK_FULL', FULL]],
  [0xc000_009a, ['STATUS_INSUFFICIENT_RESOURCES', LOADED]],
  [0xc000_009c, ['STATUS_DEVICE_DATA_ERROR', DAMAGED]],
  [0xc000_00a2, ['STATUS_MEDIA_WRITE_PROTECTED', DENIED]],
  [0xc000_00b5, ['STATUS_IO_TIMEOUT', LOADED]],
  [0xc000_00ba, ['STATUS_FILE_IS_A_DIRECTORY', { code: 'is_directory', words: 'it is a directory; name a file' }]],
  [0xc000_00bb, ['STATUS_NOT_SUPPORTED', CANNOT]],
  [0xc000_00c9, ['STATUS_NETWORK_NAME_DELETED', LOST]],
  [0xc000_00cc, ['STATUS_BAD_NETWORK_NAME', { code: 'not_found', words: 'the server has no such share; check the connection' }]],
  [0xc000_00d0, ['STATUS_REQUEST_NOT_ACCEPTED', LOADED]],
  [0xc000_0101, ['STATUS_DIRECTORY_NOT_EMPTY', { code: 'not_empty', words: 'the directory is not empty; remove what is in it first' }]],
  [0xc000_0103, ['STATUS_NOT_A_DIRECTORY', { code: 'exists', words: 'a file stands where a directory is needed' }]],
  [0xc000_0106, ['STATUS_NAME_TOO_LONG', WRONG_NAME]],
  [0xc000_0120, ['STATUS_CANCELLED', { code: 'broken', words: 'the server broke it off; try again', isRetryable: true }]],
  [0xc000_0121, ['STATUS_CANNOT_DELETE', DENIED]],
  [0xc000_0128, ['STATUS_FILE_CLOSED', { code: 'broken', words: 'the server has closed the file; try again', isRetryable: true }]],
  [0xc000_015b, ['STATUS_LOGON_TYPE_NOT_GRANTED', ACCOUNT]],
  [0xc000_0185, ['STATUS_IO_DEVICE_ERROR', DAMAGED]],
  [0xc000_0193, ['STATUS_ACCOUNT_EXPIRED', ACCOUNT]],
  [0xc000_0203, ['STATUS_USER_SESSION_DELETED', LOST]],
  [0xc000_0205, ['STATUS_INSUFF_SERVER_RESOURCES', LOADED]],
  [0xc000_020c, ['STATUS_CONNECTION_DISCONNECTED', LOST]],
  [0xc000_0224, ['STATUS_PASSWORD_MUST_CHANGE', ACCOUNT]],
  [0xc000_0234, ['STATUS_ACCOUNT_LOCKED_OUT', ACCOUNT]],
  [
    0xc000_0257,
    [
      'STATUS_PATH_NOT_COVERED',
      { code: 'unsupported', words: 'it lies on another server (DFS), which is not followed; connect to that server' },
    ],
  ],
  [0xc000_035c, ['STATUS_NETWORK_SESSION_EXPIRED', LOST]],
  [0xc000_0904, ['STATUS_FILE_TOO_LARGE', { code: 'unsupported', words: 'the server cannot hold a file of this size' }]],
]);

export const nameOfStatus = (status: number): string =>
  MEANINGS.get(status)?.[0] ?? `0x${status.toString(16).toUpperCase().padStart(8, '0')}`;

export const meaningOfStatus = (status: number): StatusMeaning =>
  MEANINGS.get(status)?.[1] ?? { code: 'broken', words: 'the server failed; see its log' };

/** Nothing is there, in whichever words. */
export const isMissing = (status: number): boolean =>
  status === STATUS.objectNameNotFound || status === STATUS.objectPathNotFound || status === STATUS.noSuchFile;
