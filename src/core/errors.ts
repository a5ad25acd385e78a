/** Plain data that survives JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface ExceptionOptions {
  /** What a program needs to know of the place: argument, path, index. Shown to callers, so never a secret. */
  readonly context?: { readonly [key: string]: Json };
  readonly cause?: unknown;
  /** Set where the fault is understood: whether the same call may succeed later without a change. */
  readonly retryable?: boolean;
}

/** The root of every error a caller can meet. `message` says what, where and the remedy, in one sentence. */
export abstract class FileAutomationException extends Error {
  static {
    Object.defineProperty(FileAutomationException.prototype, 'name', {
      configurable: true,
      get(this: FileAutomationException) {
        return this.type;
      },
    });
  }

  abstract readonly type: string;
  readonly context: { readonly [key: string]: Json };
  readonly retryable: boolean;

  constructor(message: string, { context = {}, cause, retryable = false }: ExceptionOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.context = context;
    this.retryable = retryable;
  }

  /** The wire form, the same at every door. */
  toJSON(): { type: string; message: string; retryable: boolean; context: { readonly [key: string]: Json } } {
    return { type: this.type, message: this.message, retryable: this.retryable, context: this.context };
  }
}

// The list itself and its commands

/** A command that cannot be called, or a nested list that did not end ok. */
export class ExecuteActionException extends FileAutomationException {
  readonly type: string = 'ExecuteActionException';
}

/** No action of that name is registered. */
export class UnknownActionException extends ExecuteActionException {
  override readonly type: string = 'UnknownActionException';
}

/** An argument is missing, unknown, of the wrong type or out of range. */
export class ArgumentException extends ExecuteActionException {
  override readonly type: string = 'ArgumentException';
}

/** A `${…}` reference cannot be read or has no value. */
export class SubstitutionException extends ExecuteActionException {
  override readonly type: string = 'SubstitutionException';
}

/** A condition that a list demands does not hold, or a list came to where it must not. */
export class AssertionException extends FileAutomationException {
  override readonly type = 'AssertionException';
}

/** `validate_first` found at least one problem; nothing ran. */
export class ValidationException extends FileAutomationException {
  override readonly type = 'ValidationException';
}

/** A graph with a cycle, an unknown or double id, or a malformed node; nothing ran. */
export class DagException extends FileAutomationException {
  override readonly type = 'DagException';
}

/** `expect_plan` no longer matches what would happen; nothing ran. */
export class PlanChangedException extends FileAutomationException {
  override readonly type = 'PlanChangedException';
}

/** A list that is not JSON, not a list, or cannot be read. */
export class JsonActionException extends FileAutomationException {
  override readonly type = 'JsonActionException';
}

/** A name that cannot be registered. */
export class AddCommandException extends FileAutomationException {
  override readonly type = 'AddCommandException';
}

/** A callback that cannot be called. */
export class CallbackExecutorException extends FileAutomationException {
  override readonly type = 'CallbackExecutorException';
}

/** A command line that cannot be understood. */
export class ArgparseException extends FileAutomationException {
  override readonly type = 'ArgparseException';
}

// Files and paths

/** No file at that path. */
export class FileNotExistsException extends FileAutomationException {
  override readonly type = 'FileNotExistsException';
}

/** No directory at that path. */
export class DirNotExistsException extends FileAutomationException {
  override readonly type = 'DirNotExistsException';
}

/** Something is in the way at the target. */
export class PathExistsException extends FileAutomationException {
  override readonly type = 'PathExistsException';
}

/** A path that leaves its root. */
export class PathTraversalException extends FileAutomationException {
  override readonly type = 'PathTraversalException';
}

/** The system refused: permission, full disk, read-only, wrong kind of file. */
export class FileAccessException extends FileAutomationException {
  override readonly type = 'FileAccessException';
}

// Local families

/** An argument of a zip action makes no sense. */
export class ZipInputException extends FileAutomationException {
  override readonly type = 'ZipInputException';
}

/** An archive that is broken, hostile, over a limit or of an unknown format. */
export class ArchiveException extends FileAutomationException {
  readonly type: string = 'ArchiveException';
}

/** A tar archive that is broken, hostile or over a limit. */
export class TarException extends ArchiveException {
  override readonly type: string = 'TarException';
}

/** A text that cannot be decoded, encoded, split or edited. */
export class TextOpsException extends FileAutomationException {
  override readonly type = 'TextOpsException';
}

/** A search pattern that cannot be run. */
export class GrepException extends FileAutomationException {
  override readonly type = 'GrepException';
}

/** CSV, JSON Lines, YAML or Parquet data that cannot be read or written. */
export class DataOpsException extends FileAutomationException {
  override readonly type = 'DataOpsException';
}

/** A JSON document or key path that cannot be edited. */
export class JsonEditException extends FileAutomationException {
  override readonly type = 'JsonEditException';
}

/** A difference that cannot be made, or a patch that does not fit. */
export class DiffException extends FileAutomationException {
  override readonly type = 'DiffException';
}

/** A manifest that cannot be read or trusted. */
export class ManifestException extends FileAutomationException {
  override readonly type = 'ManifestException';
}

/** A synchronisation that was refused or could not finish. */
export class SyncException extends FileAutomationException {
  override readonly type = 'SyncException';
}

/** A rotation that would keep nothing or cannot read its backups. */
export class RotateException extends FileAutomationException {
  override readonly type = 'RotateException';
}

/** A template that is broken, unsafe or over a limit. */
export class TemplateException extends FileAutomationException {
  override readonly type = 'TemplateException';
}

/** A version or trash entry that cannot be made, found or put back. */
export class VersioningException extends FileAutomationException {
  override readonly type = 'VersioningException';
}

/** A blob that is missing, damaged or badly named. */
export class CASException extends FileAutomationException {
  override readonly type = 'CASException';
}

/** A key, password or container that does not fit. */
export class CryptoException extends FileAutomationException {
  override readonly type = 'CryptoException';
}

/** Content that is not what its digest says. */
export class ChecksumMismatchException extends FileAutomationException {
  override readonly type = 'ChecksumMismatchException';
}

/** A program that could not be started, failed, or ran out of time. */
export class ShellException extends FileAutomationException {
  override readonly type = 'ShellException';
}

// Network and storage

/** An address that must not be reached. */
export class UrlValidationException extends FileAutomationException {
  override readonly type = 'UrlValidationException';
}

/** A download that failed or was not whole. */
export class DownloadException extends FileAutomationException {
  override readonly type = 'DownloadException';
}

/** A storage backend refused or failed. */
export class StorageException extends FileAutomationException {
  readonly type: string = 'StorageException';
}

/** S3 storage refused or failed. */
export class S3Exception extends StorageException {
  override readonly type: string = 'S3Exception';
}

/** Azure Blob storage refused or failed. */
export class AzureBlobException extends StorageException {
  override readonly type: string = 'AzureBlobException';
}

/** Drive refused or failed. */
export class DriveException extends StorageException {
  override readonly type: string = 'DriveException';
}

/** Dropbox refused or failed. */
export class DropboxException extends StorageException {
  override readonly type: string = 'DropboxException';
}

/** OneDrive refused or failed. */
export class OneDriveException extends StorageException {
  override readonly type: string = 'OneDriveException';
}

/** Box refused or failed. */
export class BoxException extends StorageException {
  override readonly type: string = 'BoxException';
}

/** SFTP refused or failed. */
export class SFTPException extends StorageException {
  override readonly type: string = 'SFTPException';
}

/** FTP refused or failed. */
export class FTPException extends StorageException {
  override readonly type: string = 'FTPException';
}

/** WebDAV refused or failed. */
export class WebDAVException extends StorageException {
  override readonly type: string = 'WebDAVException';
}

/** SMB refused or failed. */
export class SMBException extends StorageException {
  override readonly type: string = 'SMBException';
}

/** The file-system bridge refused or failed. */
export class FsspecException extends StorageException {
  override readonly type: string = 'FsspecException';
}

/** A transfer between two backends that cannot be done. */
export class CrossBackendException extends FileAutomationException {
  override readonly type = 'CrossBackendException';
}

// Reliability and limits

/** Every attempt failed with a transient error. */
export class RetryExhaustedException extends FileAutomationException {
  override readonly type = 'RetryExhaustedException';
}

/** A byte or time budget is used up. */
export class QuotaExceededException extends FileAutomationException {
  override readonly type = 'QuotaExceededException';
}

/** No token was free in time. */
export class RateLimitExceededException extends FileAutomationException {
  override readonly type = 'RateLimitExceededException';
}

/** The breaker is open after repeated failures. */
export class CircuitOpenException extends FileAutomationException {
  override readonly type = 'CircuitOpenException';
}

/** The lock was not free in time. */
export class LockTimeoutException extends FileAutomationException {
  override readonly type = 'LockTimeoutException';
}

/** The work took longer than allowed. May pass, unless told otherwise: another time it is faster. */
export class TimeoutException extends FileAutomationException {
  override readonly type = 'TimeoutException';

  constructor(message: string, options: ExceptionOptions = {}) {
    super(message, { retryable: true, ...options });
  }
}

/** The run was cancelled. */
export class CancelledException extends FileAutomationException {
  override readonly type = 'CancelledException';
}

// Services

/** A queue item that is unknown or in the wrong state. */
export class QueueException extends FileAutomationException {
  override readonly type = 'QueueException';
}

/** A job that is unknown, double or malformed. */
export class SchedulerException extends FileAutomationException {
  override readonly type = 'SchedulerException';
}

/** A cron expression that cannot be read or never fires. */
export class CronException extends FileAutomationException {
  override readonly type = 'CronException';
}

/** A watcher that is unknown, double or cannot watch. */
export class TriggerException extends FileAutomationException {
  override readonly type = 'TriggerException';
}

/** A notification or sink that cannot be used. */
export class NotificationException extends FileAutomationException {
  override readonly type = 'NotificationException';
}

/** The audit log cannot be read or written. */
export class AuditException extends FileAutomationException {
  override readonly type = 'AuditException';
}

/** A configuration that cannot be read or is wrong. */
export class ConfigException extends FileAutomationException {
  override readonly type = 'ConfigException';
}

/** A secret that cannot be used. */
export class SecretException extends FileAutomationException {
  readonly type: string = 'SecretException';
}

/** A secret reference that nothing resolves. */
export class SecretNotFoundException extends SecretException {
  override readonly type: string = 'SecretNotFoundException';
}

/** The store cannot be opened, read or written. */
export class StoreException extends FileAutomationException {
  override readonly type = 'StoreException';
}

/** Tracing cannot be set up. */
export class TracingException extends FileAutomationException {
  override readonly type = 'TracingException';
}

// Doors and access

/** A server that could not be reached or answered badly. */
export class HTTPActionClientException extends FileAutomationException {
  override readonly type: string = 'HTTPActionClientException';
}

/** A TCP connection without the right secret. */
export class TCPAuthException extends FileAutomationException {
  override readonly type = 'TCPAuthException';
}

/** A request without the right secret. */
export class AuthenticationException extends FileAutomationException {
  override readonly type = 'AuthenticationException';
}

/** The caller may not run this action. */
export class ActionNotPermittedException extends FileAutomationException {
  override readonly type = 'ActionNotPermittedException';
}

/** The caller's policy refuses this path, host or program. */
export class PolicyException extends FileAutomationException {
  override readonly type = 'PolicyException';
}

/** A server may not listen on that address. */
export class BindRefusedException extends FileAutomationException {
  override readonly type = 'BindRefusedException';
}

/** The MCP server cannot serve this request. */
export class MCPServerException extends FileAutomationException {
  override readonly type = 'MCPServerException';
}

/** A bug: the message shows nothing of the inside; the log has the stack under the run id. */
export class InternalException extends FileAutomationException {
  override readonly type = 'InternalException';
}

/** An error that already stands in the result of a nested list, raised again under its own type. */
export class RecordedException extends FileAutomationException {
  override readonly type: string;

  constructor({ type, message, retryable, context }: ReturnType<FileAutomationException['toJSON']>) {
    super(message, { retryable, context });
    this.type = type;
  }
}
