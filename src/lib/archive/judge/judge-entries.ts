import { ArchiveException } from '../../../core/errors.ts';
import { mapInSlices } from '../../async/in-slices.ts';
import { type ArchiveEntry, shortName, shownName } from '../entry.ts';
import { type ArchiveLimits, demandBytes, demandEntries, demandRatio } from '../limits.ts';
import { demandNoCircle, judgeLinkTarget, unusableTarget } from './judge-link.ts';
import { judgeName, unusable } from './judge-name.ts';

export const LINK_RULES = ['refuse', 'inside'] as const;
/** Whether links are made at all; those that lead outside never are. */
export type LinkRule = (typeof LINK_RULES)[number];

/** An entry that may be written, and where. */
export interface JudgedEntry {
  readonly entry: ArchiveEntry;
  /** The entry's place among those that were judged. */
  readonly index: number;
  readonly segments: readonly string[];
  /** `copy`: a hard link, which becomes a copy of the earlier file at place `copyOf`. */
  readonly kind: 'file' | 'dir' | 'link' | 'copy';
  readonly copyOf?: number;
}

interface Rules {
  readonly links: LinkRule;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
}

/** Judges all entries of an archive before the first byte is written: one bad entry refuses the whole archive. */
export const judgeEntries = async (entries: readonly ArchiveEntry[], { links, limits, signal }: Rules): Promise<JudgedEntry[]> => {
  demandEntries(entries.length, limits);
  demandDeclaredBytes(entries, limits);
  const places = createPlaces();
  const judged = await mapInSlices(entries, { signal }, (entry, index) => judgeOne(entry, index, places, links));
  demandNoCircle(places.links);
  demandBytes(
    judged.reduce((sum, each) => sum + bytesOf(each, entries), 0),
    limits,
  );
  demandRatio(
    sumOf(entries, ({ size, packedSize }) => (packedSize === undefined ? 0 : size)),
    sumOf(entries, ({ packedSize }) => packedSize ?? 0),
    limits,
  );
  // The target itself needs no writing.
  return judged.filter(({ segments }) => segments.length > 0);
};

/** Refuses an archive by what its headers declare, before anything else of it is looked at. */
export const demandDeclaredBytes = (entries: readonly ArchiveEntry[], limits: ArchiveLimits): void =>
  demandBytes(
    sumOf(entries, ({ size }) => size),
    limits,
  );

const sumOf = (entries: readonly ArchiveEntry[], value: (entry: ArchiveEntry) => number): number =>
  entries.reduce((sum, entry) => sum + value(entry), 0);

const bytesOf = ({ entry, copyOf }: JudgedEntry, entries: readonly ArchiveEntry[]): number =>
  copyOf === undefined ? entry.size : (entries[copyOf]?.size ?? 0);

const judgeOne = (entry: ArchiveEntry, index: number, places: Places, links: LinkRule): JudgedEntry => {
  const { name, otherNames, isMisencoded, kind, size } = entry;
  if (isMisencoded) throw unusable(name, 'has a name that is not in the encoding it claims');
  const segments = judgeName(name);
  for (const other of otherNames) judgeName(other);
  if (kind === 'special') throw refuseKind(entry);
  if (segments.length === 0 && kind !== 'dir') throw unusable(name, 'names the target itself');
  places.claim(entry, index, segments);
  if (kind !== 'file' && kind !== 'symlink' && size > 0) throw unusable(name, 'is no file but has content');
  if (kind === 'symlink') return { entry, index, segments, kind: judgeSymlink(entry, segments, places, links) };
  if (kind === 'hardlink') return { entry, index, segments, kind: 'copy', copyOf: judgeHardlink(entry, places, links) };
  return { entry, index, segments, kind };
};

const judgeSymlink = ({ name, linkTarget = '' }: ArchiveEntry, segments: readonly string[], places: Places, links: LinkRule): 'link' => {
  const leadsTo = judgeLinkTarget(name, segments, linkTarget);
  if (links === 'refuse') throw refuseLink(name);
  places.links.set(segments.join('/'), leadsTo.join('/'));
  return 'link';
};

const judgeHardlink = ({ name, linkTarget = '' }: ArchiveEntry, places: Places, links: LinkRule): number => {
  const target = judgeName(linkTarget);
  if (links === 'refuse') throw refuseLink(name);
  const earlier = places.fileAt(target);
  if (earlier === undefined) throw unusableTarget(name, 'has no earlier file of the archive as its target');
  return earlier;
};

/** Which places of the target are taken so far, and by what. */
interface Places {
  readonly links: Map<string, string>;
  claim(entry: ArchiveEntry, index: number, segments: readonly string[]): void;
  fileAt(segments: readonly string[]): number | undefined;
}

const createPlaces = (): Places => {
  const dirs = new Set<string>();
  const others = new Map<string, { readonly index: number; readonly isFile: boolean }>();

  const claimDir = (path: string, name: string) => {
    if (others.has(path)) throw unusable(name, 'needs a directory where the archive has something else');
    dirs.add(path);
  };

  return {
    links: new Map(),
    claim({ name, kind }, index, segments) {
      for (let depth = segments.length - 1; depth > 0; depth -= 1) {
        const parent = segments.slice(0, depth).join('/');
        if (dirs.has(parent)) break; // its own parents were claimed with it
        claimDir(parent, name);
      }
      const path = segments.join('/');
      if (kind === 'dir') return claimDir(path, name);
      if (dirs.has(path) || others.has(path)) throw unusable(name, 'has a place that the archive uses twice');
      others.set(path, { index, isFile: kind === 'file' });
    },
    fileAt(segments) {
      const found = others.get(segments.join('/'));
      return found?.isFile === true ? found.index : undefined;
    },
  };
};

const refuseKind = ({ name, about = 'no file, directory or link' }: ArchiveEntry) =>
  new ArchiveException(`The archive entry ${shownName(name)} is ${about}, which is never extracted; have the archive made without it.`, {
    context: { entry: shortName(name), reason: 'special' },
  });

const refuseLink = (name: string) =>
  new ArchiveException(
    `The archive entry ${shownName(name)} is a link; set links to "inside" to extract links that stay inside the target.`,
    {
      context: { entry: shortName(name), reason: 'link' },
    },
  );
