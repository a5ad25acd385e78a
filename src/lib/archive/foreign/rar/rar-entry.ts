import { ArchiveException } from '../../../../core/errors.ts';
import { broken } from '../../broken.ts';
import type { ArchiveEntryKind } from '../../entry.ts';
import type { ForeignEntry } from '../foreign-entry.ts';

/** An entry of a rar archive. */
export interface RarEntry extends ForeignEntry {
  /** Where its packed content begins. */
  readonly dataAt: number;
  /** Its content lies there as it is, and we read it ourselves. */
  readonly isStored: boolean;
  /** It can be unpacked only after those before it. */
  readonly isSolid: boolean;
  readonly packing: RarPacking;
}

/** How a content was packed, as the header of its format says it. */
export type RarPacking =
  | { readonly kind: 'new'; readonly compression: number }
  | { readonly kind: 'old'; readonly packer: number; readonly method: number; readonly window: number; readonly checksum: number };

/** What a Unix mode says of a kind; undefined for plain files. */
export const kindByMode = (mode: number): { readonly kind: ArchiveEntryKind; readonly about?: string } | undefined =>
  KINDS.get(mode & 0o170000);

const KINDS: ReadonlyMap<number, { readonly kind: ArchiveEntryKind; readonly about?: string }> = new Map([
  [0o040000, { kind: 'dir' }],
  [0o120000, { kind: 'symlink' }],
  [0o010000, { kind: 'special', about: 'a named pipe' }],
  [0o020000, { kind: 'special', about: 'a character device' }],
  [0o060000, { kind: 'special', about: 'a block device' }],
  [0o140000, { kind: 'special', about: 'a socket' }],
]);

export const damagedRar = () => broken('is a damaged or cut rar file');

/** One volume alone would give parts of files. */
export const severalVolumes = () =>
  new ArchiveException('The archive is one of several volumes, which are not supported; extract them together with another program.', {
    context: { format: 'rar', reason: 'volumes' },
  });

export const encryptedHeaders = (format: string) =>
  new ArchiveException(`The archive is encrypted, which is not supported for ${format}; extract it with another program.`, {
    context: { format, reason: 'encrypted' },
  });
