import type { Entry } from './files.ts';

/**
 * A change about to be made, told to the journal before it happens; paths are real. A tree that is new as a whole, or goes as a whole,
 * is one change. `arriving` is the file that will stand there, where it is ready.
 */
export type Change =
  | { readonly kind: 'create'; readonly path: string; readonly arriving?: Entry }
  | { readonly kind: 'overwrite'; readonly path: string; readonly entry: Entry; readonly arriving?: Entry }
  | { readonly kind: 'append'; readonly path: string; readonly entry: Entry; readonly added: Appended }
  /** `isNew`: what goes was made by the command that takes it back, so that there is nothing to keep. */
  | { readonly kind: 'delete'; readonly path: string; readonly entry: Entry; readonly isNew?: boolean }
  /** What has no name as text, with all below it; `path` is how it is shown. It cannot be kept. */
  | { readonly kind: 'delete_unnamed'; readonly path: string }
  /** `keepAt` is called where the tree is to be moved to a path instead of being deleted; else it is gone for good. */
  | {
      readonly kind: 'delete_tree';
      readonly path: string;
      readonly entry: Entry;
      readonly bytes: number;
      readonly files: number;
      keepAt(path: string): void;
    }
  | { readonly kind: 'make_dir'; readonly path: string }
  /** `whenCopied` is given what to call where another file than the moved one will stand there, with that file, before it does. */
  | {
      readonly kind: 'move';
      readonly from: string;
      readonly to: string;
      readonly replaced?: Entry;
      whenCopied?(tell: (arriving: Entry) => Promise<void>): void;
    }
  | { readonly kind: 'set'; readonly path: string; readonly entry: Entry };

/** What is about to stand at the end of a file, so that it can be told from what others write there. */
export type Appended = {
  readonly bytes: number;
  /** SHA-256, base64url. */
  readonly digest: string;
  /** What the end of the file lacked and gets before it, base64url; empty where nothing did. */
  readonly lead: string;
};

/** A change that cannot be taken back, and why. */
export interface LostChange {
  readonly path: string;
  readonly reason: string;
}

/** What of a file that was made or replaced is not as it should be, because the file system or the rights of the user did not allow it. */
export interface LostAttribute {
  readonly path: string;
  readonly what: 'owner' | 'mode';
  /** So many more, whose names are not told. */
  readonly others?: number;
}

/** Who hears of what a command could not keep. */
export interface LossTeller {
  /** A change cannot be taken back. */
  change(lost: LostChange): void;
  /** A file stands there with its content, but without something else that it should have. */
  attribute(lost: LostAttribute): void;
}

/** How much of old files one run may keep. */
export interface UndoLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** What a device has left for others. */
export interface DeviceRoom {
  readonly device: number;
  readonly freeBytes: number;
  /** So little is left that nothing that could go should stay. */
  readonly isTight: boolean;
}

/** Says that a change which the journal was told of was not made. */
export type Withdraw = () => Promise<void>;

/** Keeps the inverse of each change before it is made. Without a journal nothing is kept. */
export interface Journal {
  readonly limits?: UndoLimits | undefined;
  /** What below a tree is kept to undo runs with: such a tree is neither moved nor removed. */
  placeBelow?(tree: string): string | undefined;
  /** The same journal for one command, which is told what of its changes cannot be taken back. */
  forCommand?(tell: (lost: LostChange) => void): Journal;
  /**
   * Called once for each change; the change happens after it is done, and not at all when it fails. `told` is given what to call where the
   * change was not made after all, because others came first.
   */
  before(change: Change, told?: (withdraw: Withdraw) => void): Promise<void>;
  /**
   * Called once for many changes below a root that other threads are about to make. Undefined where they cannot be kept together: then
   * each has to be told on its own. Left out where that is always so.
   */
  beforeBulk?(changes: BulkChanges): Promise<BulkJournal | undefined>;
}

/** Changes below a root; paths count from it. What arrives is described as it will look. */
export interface BulkChanges {
  /** A real path. */
  readonly root: string;
  /** Files and links, which may take the place of others, and whole trees where nothing stands yet. */
  readonly arrivals: readonly BulkArrival[];
  /** Files that go. */
  readonly removed: readonly string[];
  /** Directories that get another mode. */
  readonly marked: readonly string[];
}

/** Something that is about to stand at a path: `file` where it is one. */
export interface BulkArrival {
  readonly relative: string;
  readonly file?: Pick<Entry, 'mode' | 'size' | 'mtimeMs'>;
}

/** Bulk work that the journal knows of. */
export interface BulkJournal {
  /** A file that is replaced or goes is first given a name that begins with this: see `keptName`. */
  readonly keepAt: string;
  /** Call it when the work has ended, however it did. */
  done(): Promise<void>;
}
