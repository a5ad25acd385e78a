/** What an entry of an archive claims to be. */
export type ArchiveEntryKind = 'file' | 'dir' | 'symlink' | 'hardlink' | 'special';

/** One entry as its header tells it; nothing of it is trusted yet. */
export interface ArchiveEntry {
  /** As written; where it is not in the encoding it claims, as bytes (`\xff`). */
  readonly name: string;
  /** Further names that another reader might use for the same entry. */
  readonly otherNames: readonly string[];
  /** The name is not in the encoding it claims. */
  readonly isMisencoded: boolean;
  readonly kind: ArchiveEntryKind;
  /** In words, where the kind is `special`. */
  readonly about?: string;
  /** The declared length of the content. */
  readonly size: number;
  /** Bytes of the archive that hold the content, where they can be told apart. */
  readonly packedSize?: number;
  /** Undefined where it cannot be told. */
  readonly mtimeMs: number | undefined;
  /** Undefined where the archive has no Unix permissions. */
  readonly mode: number | undefined;
  readonly linkTarget?: string;
}

/** A name short and well-formed enough for the context of an error. */
export const shortName = (name: string): string =>
  (name.length > 200 ? `${name.slice(0, 200)}…` : name).replace(/\p{Surrogate}/gu, '\uFFFD');

/** A name as it can stand in a message: without line breaks. */
export const shownName = (name: string): string => JSON.stringify(shortName(name));
