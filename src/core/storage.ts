import type { Json } from './errors.ts';
import type { Interruptible } from './files.ts';

/** Digests that a service may know of what it holds; as text they are lower-case hexadecimal. */
export type HashName = 'sha256' | 'sha1' | 'md5' | 'crc32' | 'quickxor' | 'dropbox';

/** What stands at a path of a storage. Paths count from its root, names joined by `/`; the root itself is the empty text. */
export interface StoredItem {
  readonly path: string;
  readonly kind: 'file' | 'dir';
  /** 0 for a directory. */
  readonly bytes: number;
  /** When the content last changed, where the service tells. */
  readonly modifiedMs?: number;
  /** Another text whenever the content is another: an ETag, a revision. Left out where the service has none. */
  readonly version?: string;
  readonly hashes?: Readonly<Partial<Record<HashName, string>>>;
  /** In a dry run: not there as it is described here. */
  readonly isPlanned?: true;
  /** Of what was just written: what was compared to know that it arrived as it left. */
  readonly verified?: Verification;
}

/** What was compared to know that a file arrived as it left; `etag` is the service's own digest over parts. */
export type Verification = HashName | 'etag' | 'size' | 'none';

/** How a service takes a file in parts. */
export interface PartRules {
  /** Every part but the last has at least so many bytes. */
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly maxCount: number;
  /** Every part but the last is a multiple of it. */
  readonly multipleOf: number;
  /** A part can only be sent when all before it have arrived. */
  readonly isInOrder: boolean;
}

/** What a backend can do, as data: whoever uses it asks here, and never which backend it is. */
export interface StorageAbilities {
  /** Reading from any offset. */
  readonly range: boolean;
  /** `write` can refuse to replace, without a moment between the look and the write. */
  readonly exclusiveWrite: boolean;
  /** `real`: directories exist on their own; `implied`: they are there as long as something is in them. */
  readonly directories: 'real' | 'implied';
  /** Set where names that differ only in large and small letters are one. */
  readonly ignoresCase?: true;
  /** Digests that `stat` and `write` tell of files written through this port. */
  readonly hashes: readonly HashName[];
  /** The finest step of times that can be set; left out where the service sets its own. */
  readonly timeStepMs?: number;
  /** Set exactly where `startParts` and `resumeParts` are there. */
  readonly parts?: PartRules;
}

/** A stretch of bytes: `start` counts, `end` does not; without `end` to the end of the file. */
export interface Stretch {
  readonly start: number;
  readonly end?: number;
}

/** Content on its way to a storage. It may be asked for again from any offset, so that a broken write can be repeated. */
export interface Outgoing {
  /** Left out where nobody knows before the end. */
  readonly bytes?: number;
  /** A chunk is good until the next one is asked for. */
  chunks(stretch: Stretch, options: Interruptible): AsyncIterable<Uint8Array>;
}

export interface ReadOptions extends Interruptible {
  readonly stretch?: Stretch;
  /** Refuse (`changed`) where the file has another version by now. */
  readonly version?: string | undefined;
}

export interface StoreOptions extends Interruptible {
  /** Refuse (`exists`) instead of replacing; only where `can.exclusiveWrite`. */
  readonly exclusive?: boolean;
  /** Set where the service can (`can.timeStepMs`), otherwise not looked at. */
  readonly modifiedMs?: number | undefined;
  /** `none` spares the digest; lengths are compared all the same. */
  readonly verify?: 'strongest' | 'none';
  /**
   * Told what has arrived before it shows under its name, and throws to give it up. Every backend calls it that can look at a file before
   * that; where the service itself compares a digest that was sent along, it is called afterwards.
   */
  readonly confirm?: ((arrived: Arrived) => void) | undefined;
}

/** What a service holds of a file that was sent to it. */
export type Arrived = Pick<StoredItem, 'bytes' | 'hashes'>;

export interface ListOptions extends Interruptible {
  /** Everything below, not only the entries of the directory itself. */
  readonly deep?: boolean;
  /** Told of what below cannot be read, and the rest is listed; left out, or where a service cannot go on, that ends the list. */
  readonly onUnreadable?: (path: string, fault: unknown) => void;
  /** False: what links lead to is left out, where the service tells links from files. Links of this machine always are. */
  readonly followLinks?: boolean;
  /** Told of links and of other things that are no files and were left out. */
  readonly onSkipped?: (path: string) => void;
}

/** A part that the service holds until the file is committed. */
export interface HeldPart {
  /** From 1 on. */
  readonly number: number;
  readonly bytes: number;
  /** What the service wants to hear of it again when the file is committed. */
  readonly receipt: string;
}

export interface ResumeOptions extends Interruptible {
  /** The parts that were written down as held. A service that can tell by itself which it holds does not look at them. */
  readonly known?: readonly HeldPart[];
}

/** A file that arrives in parts. Nothing shows under its name before it is committed. */
export interface PartedWrite {
  /** Everything needed to go on with it in another process. Never a secret. */
  readonly ticket: Json;
  /** What the service held when it was started or resumed. */
  readonly held: readonly HeldPart[];
  /** Sends one part; the same number again replaces it. */
  put(number: number, content: Outgoing & { readonly bytes: number }, options: Interruptible): Promise<HeldPart>;
  /** Makes the file of all its parts, which are given in order. */
  commit(parts: readonly HeldPart[], options: Interruptible): Promise<StoredItem>;
  /** Gives up what the service holds. */
  discard(options: Interruptible): Promise<void>;
  /** Lets go of it here, so that it can be gone on with later; left out where nothing is held open. */
  leave?(): Promise<void>;
}

/**
 * Files at another place, by whatever protocol. A backend is the protocol and nothing more: trying again, counting, limits and digests are
 * layers around it, and conflicts, parts and resuming belong to transfers.
 *
 * Faults are the error type of the backend with one of the codes of `StorageCode` in `context.code` where the fault is understood, and
 * `retryable` where the same call may succeed later. No message, context or cause holds a secret.
 */
export interface Storage extends AsyncDisposable {
  /** How the root is written as a location, without a slash at the end: `s3+backup://bucket`. */
  readonly location: string;
  readonly can: StorageAbilities;
  stat(path: string, options: Interruptible): Promise<StoredItem | undefined>;
  /** The entries of a directory, or of everything below it; a directory comes before what is in it. Nothing where there is no directory. */
  list(path: string, options: ListOptions): AsyncIterable<StoredItem>;
  /** The content; a chunk is good until the next one is asked for. `not_found` comes before the first chunk. */
  read(path: string, options: ReadOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Puts a file there, with the directories that are missing. Nothing shows under its name before it is whole; a failure leaves what was there. */
  write(path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem>;
  /** Removes a file; tells whether it was there. */
  remove(path: string, options: Interruptible): Promise<boolean>;
  /** Makes a directory and those that are missing above it; only where directories are real. */
  makeDir?(path: string, options: Interruptible): Promise<void>;
  /** Removes an empty directory (`not_empty`); only where directories are real. Tells whether it was there. */
  removeDir?(path: string, options: Interruptible): Promise<boolean>;
  /** Copies a file without its bytes coming here; left out where the service cannot. */
  copy?(from: string, to: string, options: StoreOptions): Promise<StoredItem>;
  /** Moves a file in the same way, replacing what is there. */
  move?(from: string, to: string, options: Interruptible): Promise<StoredItem>;
  startParts?(path: string, options: StoreOptions & { readonly bytes: number }): Promise<PartedWrite>;
  /** Goes on with a file that was started; undefined where the service has forgotten it. */
  resumeParts?(path: string, ticket: Json, options: ResumeOptions): Promise<PartedWrite | undefined>;
  /** In a dry run: a file would be read. Left out where reading it is enough. */
  willRead?(path: string, options: Interruptible): Promise<void>;
  /** Removes what writes of ours that were broken off have left for this target, and only that. */
  sweep?(path: string, options: Interruptible): Promise<void>;
}

/** A location made ready to use. */
export interface StoragePlace {
  readonly storage: Storage;
  /** Where in the storage it is. */
  readonly path: string;
  /** It was written as a directory, with a slash at its end. */
  readonly isDirectory: boolean;
}

/** What a fault of a storage is about, the same for every backend. */
export type StorageCode =
  | 'not_found'
  | 'exists'
  | 'not_empty'
  | 'is_directory'
  | 'denied'
  | 'changed'
  | 'unsupported'
  | 'bad_name'
  | 'out_of_space'
  | 'busy'
  | 'broken'
  | 'unreachable';
