import { expect, test } from 'vitest';
import * as errors from '../../src/core/errors.ts';

/** The types that callers meet, each under the type it is a kind of. A name may be added; none is changed, moved or used again. */
const TREE = `
FileAutomationException
  ActionNotPermittedException
  AddCommandException
  ArchiveException
    TarException
  ArgparseException
  AssertionException
  AuditException
  AuthenticationException
  BindRefusedException
  CASException
  CallbackExecutorException
  CancelledException
  ChecksumMismatchException
  CircuitOpenException
  ConfigException
  CronException
  CrossBackendException
  CryptoException
  DagException
  DataOpsException
  DiffException
  DirNotExistsException
  DownloadException
  ExecuteActionException
    ArgumentException
    SubstitutionException
    UnknownActionException
  FileAccessException
  FileNotExistsException
  GrepException
  HTTPActionClientException
  InternalException
  JsonActionException
  JsonEditException
  LockTimeoutException
  MCPServerException
  ManifestException
  NotificationException
  PathExistsException
  PathTraversalException
  PlanChangedException
  PolicyException
  QueueException
  QuotaExceededException
  RateLimitExceededException
  RecordedException
  RetryExhaustedException
  RotateException
  SchedulerException
  SecretException
    SecretNotFoundException
  ShellException
  StorageException
    AzureBlobException
    BoxException
    DriveException
    DropboxException
    FTPException
    FsspecException
    OneDriveException
    S3Exception
    SFTPException
    SMBException
    WebDAVException
  StoreException
  SyncException
  TCPAuthException
  TemplateException
  TextOpsException
  TimeoutException
  TracingException
  TriggerException
  UrlValidationException
  ValidationException
  VersioningException
  ZipInputException
`;

test('the tree of error types is exactly this', () => {
  expect(`\n${branch(errors.FileAutomationException, '')}`).toBe(TREE);
});

test('the type of an error is the name of its class', () => {
  const concrete = classes.filter(([name]) => name !== 'FileAutomationException' && name !== 'RecordedException'); // one is abstract, one repeats another's type
  expect(concrete.map(([, type]) => Reflect.construct(type, ['A message.']).type)).toEqual(concrete.map(([name]) => name));
});

const classes = Object.entries(errors).sort(([one], [other]) => (one < other ? -1 : 1));

/** A class and, indented, what extends it. */
const branch = (type: (typeof classes)[number][1], indent: string): string => {
  const below = classes.filter(([, other]) => Object.getPrototypeOf(other) === type);
  return `${indent}${type.name}\n${below.map(([, other]) => branch(other, `${indent}  `)).join('')}`;
};
