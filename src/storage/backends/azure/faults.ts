import type { StorageCode } from '../../../core/storage.ts';
import type { StorageFaults } from '../../faults.ts';

interface Meaning {
  readonly code: StorageCode;
  readonly retryable?: true;
  readonly words: string;
}

const denied = (words: string): Meaning => ({ code: 'denied', words });
const busy: Meaning = { code: 'busy', retryable: true, words: 'the service has too much to do; try later' };
const broken: Meaning = { code: 'broken', retryable: true, words: 'the service failed; try again' };
const notFound: Meaning = { code: 'not_found', words: 'nothing is there; check the location, list the directory above it' };
const exists: Meaning = { code: 'exists', words: 'it exists already; remove it first or allow replacing' };
const changed: Meaning = { code: 'changed', words: 'it was changed meanwhile; start again with what is there now' };

const BY_CODE: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    BlobNotFound: notFound,
    ResourceNotFound: notFound,
    ContainerNotFound: { code: 'not_found', words: 'there is no such container; make it first, or check its name' },
    BlobAlreadyExists: exists,
    ConditionNotMet: changed,
    TargetConditionNotMet: changed,
    SourceConditionNotMet: changed,
    CannotVerifyCopySource: notFound,
    InvalidBlockList: { code: 'changed', words: 'a block is not there any more; send it again' },
    AuthenticationFailed: denied('the service does not believe the credentials; check the key and the clock of this machine'),
    AuthorizationFailure: denied('these credentials may not do that, or the network rules of the account keep this machine out'),
    AuthorizationPermissionMismatch: denied('these credentials may not do that; check the role or the permissions of the signature'),
    AuthorizationProtocolMismatch: denied('the signature is for https only'),
    AuthorizationResourceTypeMismatch: denied('the signature is not for this kind of thing'),
    InsufficientAccountPermissions: denied('the account may not do that'),
    InvalidAuthenticationInfo: denied('the credentials have another form than the service wants; check them'),
    NoAuthenticationInformation: denied('the service wants credentials'),
    PublicAccessNotPermitted: denied('the account shows nothing to everybody'),
    AccountIsDisabled: denied('the account is disabled'),
    AccountRequiresHttps: denied('the account wants https'),
    BlobArchived: denied('the blob is archived; restore it first'),
    BlobImmutableDueToPolicy: denied('a policy keeps the blob as it is'),
    LeaseIdMissing: { code: 'busy', retryable: true, words: 'somebody holds a lease on it; try later' },
    ServerBusy: busy,
    ContainerBeingDeleted: busy,
    PendingCopyOperation: busy,
    OperationTimedOut: broken,
    InternalError: broken,
    Md5Mismatch: { code: 'broken', retryable: true, words: 'the content did not arrive as it was sent; send it again' },
    RequestBodyTooLarge: { code: 'unsupported', words: 'it is too large for the service' },
    BlockCountExceedsLimit: { code: 'unsupported', words: 'it has too many blocks for the service' },
    InvalidBlobType: { code: 'unsupported', words: 'it is no block blob' },
    InvalidResourceName: { code: 'bad_name', words: 'the service takes no such name; choose another one' },
    OutOfRangeInput: { code: 'bad_name', words: 'the name is too long or too short; choose another one' },
    InvalidUri: { code: 'bad_name', words: 'the service cannot read the name; choose another one' },
  } satisfies Record<string, Meaning>),
);

const byStatus = (status: number): Meaning => {
  if (status === 404) return notFound;
  if (status === 401 || status === 403) return denied('these credentials may not do that; check them');
  if (status === 412) return changed;
  if (status === 429 || status === 503) return busy;
  if (status === 507) return { code: 'out_of_space', words: 'the service has no room left' };
  if (status === 408 || status >= 500) return broken;
  if (status === 400)
    return { code: 'broken', retryable: true, words: 'the service cannot read the request; check account_url, try again' };
  return { code: 'broken', words: 'the service does not take the request; check the settings of the connection' };
};

/** A refusal as an error. What the service says in words is not repeated: it holds what was signed. */
export const refusalFault = (
  status: number,
  written: string | undefined,
  { path, faults, location }: { readonly path: string; readonly faults: StorageFaults; readonly location: string },
) => {
  const name = written !== undefined && /^[A-Za-z0-9]{1,64}$/.test(written) ? written : undefined;
  const { code, words, retryable = false } = BY_CODE.get(name ?? '') ?? byStatus(status);
  return faults.because(code, `${location}/${path}: ${words} (${name ?? status}).`, {
    context: { location: `${location}/${path}`, status, ...(name !== undefined && { server_code: name }) },
    retryable,
  });
};
