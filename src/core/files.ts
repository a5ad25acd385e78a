import type { BulkChanges, BulkJournal, DeviceRoom, LossTeller, UndoLimits } from './journal.ts';

/** What stands at a path. */
export type EntryKind = 'file' | 'dir' | 'link' | 'other';

/** One entry of the file system as the port sees it. */
export interface Entry {
  /** Absolute, as addressed; links on the way are not resolved. */
  readonly path: string;
  readonly name: string;
  readonly kind: EntryKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  /** Device and inode as one text: equal for two names of one file. */
  readonly identity: string;
  /** In a dry run: not on the disk as it is described here. */
  readonly isPlanned?: true;
}

/** A name in a directory. */
export interface Listed {
  readonly name: string;
  readonly kind: EntryKind;
}

/** One step of a walk: `path` is absolute, `relative` counts from the walked root. */
export interface Walked extends Listed {
  readonly path: string;
  readonly relative: string;
}

/** What long work needs to know to stop. */
export interface Interruptible {
  readonly signal: AbortSignal;
}

/** How a single file is written. */
export interface WriteOptions extends Interruptible {
  /** Refuse instead of replacing what is there. */
  readonly exclusive?: boolean;
  /** Mode of the new file; by default the replaced file's, else what the umask leaves. */
  readonly mode?: number;
  readonly mtimeMs?: number;
  /** Sync file and directory before it counts as done (default true). */
  readonly durable?: boolean;
  /** Known length, so that a dry run can tell it. */
  readonly expectedBytes?: number;
  /** Refuse where the directory is missing, instead of making it. */
  readonly needsDirectory?: boolean;
  /**
   * 32 hexadecimal digits. What was written stays aside under a name made of them when it is not committed, and the next writer with the
   * same ones goes on with it. Whoever uses them sees to it that there is one writer at a time.
   */
  readonly keptAs?: string;
}

/** A file open for reading at any place. */
export interface Reader extends AsyncDisposable {
  readonly entry: Entry;
  /** For other threads of this process, until the reader is disposed of; absent where there is no file behind it. */
  readonly fd?: number;
  /** Fills as much of `into` as there is from `position`; gives the number of bytes read. */
  readAt(into: Uint8Array, position: number): Promise<number>;
  /** The bytes from `start` (inclusive) to `end` (exclusive) in chunks. */
  stream(range?: { readonly start?: number; readonly end?: number; readonly chunkBytes?: number }): AsyncIterable<Uint8Array>;
}

/** A file being written aside; nothing shows under the target before `commit`. Disposal without commit leaves no trace. */
export interface Writer extends AsyncDisposable {
  write(chunk: Uint8Array): Promise<void>;
  writeAt(chunk: Uint8Array, position: number): Promise<void>;
  /** Lets other threads of this process write so many bytes, which count as spent; absent where there is no file behind it. */
  share?(bytes: number): SharedWriter;
  commit(): Promise<void>;
  /** Of a file that stays aside (`keptAs`): how long what an earlier writer has left was, and how to be rid of it. */
  readonly kept?: { readonly bytes: number; discard(): Promise<void> };
}

/** A file that other threads write; they must have ended before it is committed or disposed of. */
export interface SharedWriter {
  readonly fd: number;
  /** The target, for errors. */
  readonly path: string;
  /** Told what they have written; throws once they should stop. */
  wrote(bytes: number): void;
}

/** Where an edit writes what takes the place of a file. */
export type EditTarget = Pick<Writer, 'write' | 'writeAt' | 'share'>;

/** What came of an edit: the answer, and whether what was written takes the place of the file. */
export interface Edited<T> {
  readonly value: T;
  /** False: the file stays as it is, and what was written is thrown away. */
  readonly isChanged: boolean;
}

/** How a file is edited. */
export interface EditOptions extends Interruptible {
  /** Told why extended attributes and access lists could not be kept; the content is right all the same. */
  readonly onLost?: (reason: string) => void;
}

/** What is put behind the content of a file. */
export interface Addition {
  readonly record: Uint8Array;
  /** What records end with: a file whose last bytes are others gets it first, so that no record is joined to half of another. */
  readonly end?: Uint8Array;
}

/** What bulk work may do below a root. */
export type Access = 'read' | 'write' | 'remove';

/** What looking around leaves out as if it were not there, like what is our own: it is nothing that could not be read. */
export interface Shut {
  /** From the directory it starts at. */
  readonly paths: readonly string[];
}

/** Permission for bulk work below a root, judged before work starts; plain data that crosses to worker threads. */
export interface Grant {
  /** The real path of the root. */
  readonly root: string;
  readonly access: Access;
  /** Walk by open directory handles: a link swapped in during the work is not followed. */
  readonly byHandles: boolean;
  /** Left out where everything may be entered. */
  readonly shut?: Shut;
  /** No budget and no journal: nobody needs to be asked before a change. */
  readonly isFree?: boolean;
  /** Decide and report only. */
  readonly dry: boolean;
  /** Shared slots: stop flag, files done, bytes done (low and high half). */
  readonly counters: SharedArrayBuffer;
}

/** Goes on without what of a tree cannot be read, and tells of it; left out, the first such thing ends the work. */
export interface Bypass {
  /** The fault may be the system's own. */
  unreadable(path: string, fault: unknown): void;
  /** So many were there and are gone by now. */
  vanished(count: number): void;
}

/** How a directory is listed. */
export interface ListOptions {
  /** Told of each name that is no text. */
  readonly bypass?: Pick<Bypass, 'unreadable'> | undefined;
}

/** How much of a tree would be read. */
export interface CoverOptions extends Interruptible {
  /** Everything below, which is the default, or only what is in the directory itself. */
  readonly isDeep?: boolean;
  /** Told of directories below that cannot be read. */
  readonly bypass?: Pick<Bypass, 'unreadable'>;
}

/** How a tree is walked. */
export interface WalkOptions extends Interruptible {
  readonly bypass?: Pick<Bypass, 'unreadable'>;
}

/** How a tree is copied. */
export interface TreeCopyOptions extends CopyOptions {
  readonly bypass?: Bypass | undefined;
  /** Told of pipes, sockets and devices, which are left out: how many, and the first of them. */
  readonly onSpecial?: ((count: number, paths: readonly string[]) => void) | undefined;
}

/** How a file or tree is copied. */
export interface CopyOptions extends Interruptible {
  /** Times and mode. */
  readonly keepMetadata: boolean;
  /** Single files only: refuse instead of replacing what is there. */
  readonly exclusive?: boolean;
  /** Single files only: refuse a source that is written to meanwhile; the target stays as it was. */
  readonly isSettled?: boolean;
  /** Sync to the device before it counts as done; by default single files are, trees are not. */
  readonly durable?: boolean;
  readonly onBytes?: (bytes: number) => void;
}

/** Something beside its content that a move to another device could not keep. */
export interface LostProperty {
  readonly what: 'owner' | 'mode' | 'time' | 'hard_link' | 'attribute' | 'access_list';
  /** Of how many entries. */
  readonly count: number;
  /** The first of them, where they are now. */
  readonly paths: readonly string[];
}

/** How something is moved. */
export interface MoveOptions extends Interruptible {
  /** Told what of it, beside its content, its new file system did not take; `unknown` says why not everything could be found out. */
  readonly onLost?: ((lost: readonly LostProperty[], unknown?: string) => void) | undefined;
  readonly exclusive?: boolean;
  /** Counts as deleting what is moved: it goes into a trash. */
  readonly isDeletion?: boolean;
}

/** How a directory is made. */
export interface MakeDirOptions {
  readonly parents?: boolean;
  /** For its owner alone: one that somebody else made, or that a link leads to, is refused, and the rights of others end. */
  readonly isPrivate?: boolean;
}

/** How something is removed. */
export interface RemoveOptions {
  /** The command made it itself, so that nothing is lost: it counts as no deletion. */
  readonly isOwn?: boolean;
  /**
   * This very command has made it where nothing stood, and takes it back because it fails: nothing of it is kept to undo the run with. A
   * directory goes only where it is empty. It counts as no deletion.
   */
  readonly isNew?: boolean;
}

export interface TreeRemoveOptions extends RemoveOptions {
  /** Told of each entry that cannot go; then it stays with the directories that it lies in, and everything else goes. */
  onLeft?(path: string, fault: unknown): void;
}

/** How two files share disk space. */
export interface ShareOptions extends Interruptible {
  /** `hardlink`: one more name of the same file; `reflink`: a file of its own, with its own mode and times, divided when either changes. */
  readonly how: 'hardlink' | 'reflink';
}

/**
 * The only way from an action to the disk. For each change, in this order: real path, policy, quota, inverse
 * (undo journal), effect. Links are followed to where they end, except by `remove`, `move` and where said.
 * Whatever is put somewhere gets the directories that are missing on the way to it, made as by `makeDir`; they go again where it fails.
 * A move or copy takes a free name only while it is free; those that replace something, and what throws it away, come one after the other,
 * whichever process of this machine makes them, so that what is replaced is what was counted and kept.
 * System errors come out as the typed errors of the house.
 */
export interface FilePort {
  /** The absolute form of a path as written. */
  absolute(path: string): string;
  stat(path: string, options?: { readonly followLinks?: boolean }): Promise<Entry | undefined>;
  readLink(path: string): Promise<string>;
  /**
   * The entries of a directory, names sorted. A name that is not UTF-8 would name something else as text: it is told and left out, or, where
   * nobody is told, the listing is refused.
   */
  list(path: string, options?: ListOptions): Promise<readonly Listed[]>;
  /** Everything below a directory, parents first, names sorted, links never entered. */
  walk(path: string, options: WalkOptions): AsyncIterable<Walked>;
  /** The path itself, or the name inside it where it is an existing directory. */
  targetFor(path: string, name: string): Promise<string>;
  /** The whole file or a part; refused above 64 MiB, so that nobody reads an unbounded file into memory. */
  read(path: string, range?: { readonly offset?: number; readonly limit?: number }): Promise<Buffer>;
  open(path: string): Promise<Reader>;
  write(path: string, content: Uint8Array, options: WriteOptions): Promise<void>;
  create(path: string, options: WriteOptions): Promise<Writer>;
  /**
   * Changes a file by what it holds: `change` reads it and writes what takes its place. Edits and appends of one file come one after the
   * other, whichever process of this machine makes them. What anybody else changes meanwhile is noticed, and the edit is made again from
   * what is there then: `change` may be called several times and must change nothing else. Owner, mode, extended attributes and access
   * lists stay.
   */
  edit<T>(path: string, change: (source: Reader, target: EditTarget) => Promise<Edited<T>>, options: EditOptions): Promise<T>;
  /**
   * Puts a record behind what a file holds, in one write, so that it costs the same however long the file is and loses nothing that others
   * append meanwhile; a missing file is made. What to add may depend on the file: `compose` gets undefined where it is new.
   */
  append(path: string, compose: (file: Reader | undefined) => Addition | Promise<Addition>, options: Interruptible): Promise<void>;
  /** Copies what a file holds now: what is added meanwhile is left out, a file that shrinks is refused. */
  copy(from: string, to: string, options: CopyOptions): Promise<void>;
  /**
   * Moves a file, link or directory, across devices too: there it keeps owner, mode, times, extended attributes, access lists and the hard
   * links among what is moved, or `onLost` is told. A directory replaces at most an empty one.
   */
  move(from: string, to: string, options: MoveOptions): Promise<void>;
  /** Puts a file that shares the disk space of another one in the place of a file. Whether both hold the same is for the caller to know. */
  share(path: string, original: string, options: ShareOptions): Promise<void>;
  /** Removes a file or a link; the target of a link stays. */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /** Creates a directory; tells whether it was missing. */
  makeDir(path: string, options?: MakeDirOptions): Promise<boolean>;
  /** Creates a symbolic link; with a policy it may only lead where the caller may read. */
  makeLink(path: string, target: string): Promise<void>;
  setTimes(path: string, times: { readonly mtimeMs: number }): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /**
   * Copies what is below `from` into `to`; links as links; pipes, sockets and devices are left out. A new tree appears
   * whole or not at all; an existing one is merged into after a check that no kinds clash, links in the way are replaced. With a
   * `bypass` what cannot be read is missing from it; what cannot be written ends the copy all the same.
   */
  copyTree(from: string, to: string, options: TreeCopyOptions): Promise<void>;
  /** Removes a directory with everything in it; links are removed, never entered. What cannot go ends it, unless somebody is told. */
  removeTree(path: string, options: Interruptible & TreeRemoveOptions): Promise<void>;
  grant(root: string, access: Access): Promise<Grant>;
  /**
   * Tells the journal of changes that other threads are about to make below a granted root. Undefined where each has to be made through
   * this port; left out where that is always so, and where nobody needs to be told.
   */
  readonly announce?: ((changes: BulkChanges) => Promise<BulkJournal | undefined>) | undefined;
  /** The same port for one command, which is told what is not to be had back; left out where there is nothing to tell. */
  readonly forCommand?: ((teller: LossTeller) => FilePort) | undefined;
  /** What is changed through it is written down, so that it can be taken back. */
  readonly isJournalled?: boolean;
  /** In a dry run: what of old files the run could keep to be undone with; left out where it could not be undone anyhow. */
  readonly undoLimits?: UndoLimits | undefined;
  /**
   * In a dry run: everything below a directory would be read, or only its own entries. One effect tells it, and a later change of anything
   * there makes another plan. Left out on the disk, where reading it is enough.
   */
  readonly coverTree?: ((path: string, options: CoverOptions) => Promise<void>) | undefined;
  /** In a dry run: what is left on the device of a path. */
  roomAt?(path: string): DeviceRoom | undefined;
}
