import type { Grant } from '../../core/files.ts';
import type { SizeQuery } from '../hash/files/size-part.ts';
import type { FileStore } from '../hash/files/sized-files.ts';
import { gatherSizes } from '../hash/files/stages.ts';
import { type LeftOut, nothingLeftOut } from '../search/left-out.ts';
import { readyThreads } from '../search/search-threads.ts';
import { groupsBy, repeatedValues } from './groups.ts';
import { gatherHashes, type Hashes } from './hashes.ts';

export interface DuplicatesOptions extends Pick<SizeQuery, 'minBytes' | 'exclude'> {
  readonly grant: Grant;
  /** How many bytes of each file are compared before whole files are. */
  readonly sampleBytes: number;
  /** Decide by a digest of this kind and tell it; null for the fast hash. */
  readonly algorithm: string | null;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
}

/** Files that hold the same. */
export interface DuplicateGroup {
  readonly size: number;
  /** From the root and with `/`, in order. */
  readonly paths: readonly string[];
  /** Null where none was asked for. */
  readonly digest: string | null;
}

export interface Duplicates {
  /** The largest files first, then in the order of paths. */
  readonly groups: DuplicateGroup[];
  readonly unreadable: LeftOut;
}

/** Numbers of files that hold the same, in order. */
interface Found {
  readonly files: readonly number[];
  readonly digest: string | null;
}

/**
 * Finds files with the same content below a root. Only files of a size that occurs twice are opened, and only those that begin alike
 * are read to their end. Several names of one file count as one file.
 */
export const findDuplicates = async (options: DuplicatesOptions): Promise<Duplicates> => {
  const { sampleBytes, algorithm, minBytes, exclude, ...rest } = options;
  const startedMs = performance.now();
  const stage = { ...rest, unreadable: nothingLeftOut() };
  const store = await gatherSizes({ minBytes, exclude, withTimes: false }, stage);
  const sizes = store.sizes();
  for (const index of store.otherNames) sizes[index] = NOT_COUNTED;
  const sizeOf = (index: number): number => sizes[index] ?? 0;

  const candidates = placesOfRepeated(sizes);
  const beginnings = await gatherHashes(
    { store, indices: candidates, bytesOf: (index) => Math.min(sizeOf(index), sampleBytes), algorithm: null },
    stage,
  );
  const alike = sameContent(candidates, placesOfRepeated(beginnings.keys()), { hashes: beginnings, sizeOf });

  const isSure = ({ files }: Found) => algorithm === null && sizeOf(files[0] ?? 0) <= sampleBytes;
  const unsure = Uint32Array.from(alike.flatMap((found) => (isSure(found) ? [] : found.files))).sort();
  const wholes = await gatherHashes({ store, indices: unsure, bytesOf: sizeOf, algorithm }, stage);
  const same = sameContent(unsure, unsure.keys(), { hashes: wholes, sizeOf }).map(({ files, digest }) => ({
    files,
    digest: algorithm === null ? null : digest,
  }));

  readyThreads(performance.now() - startedMs);
  const found = [...alike.filter(isSure).map(({ files }) => ({ files, digest: null })), ...same];
  return { groups: told(store, found, sizeOf), unreadable: stage.unreadable };
};

/** Further names of a file take no space; negative values do not count as repeated. */
const NOT_COUNTED = -1;

/** Where values stand that occur more than once. */
const placesOfRepeated = (values: Float64Array): Uint32Array => {
  const repeated = repeatedValues(values);
  const places: number[] = [];
  // By index: iterating over entries would make an array for each.
  for (let place = 0; place < values.length; place += 1) if (repeated.has(values[place] ?? 0)) places.push(place);
  return Uint32Array.from(places);
};

/** Groups the files at some places among those that were hashed. */
const sameContent = (
  indices: Uint32Array,
  places: Iterable<number>,
  { hashes, sizeOf }: { readonly hashes: Hashes; sizeOf(index: number): number },
): Found[] => {
  const indexAt = (place: number): number => indices[place] ?? 0;
  const keyOf = (place: number): string | undefined => {
    const hash = hashes.at(place);
    return hash && `${sizeOf(indexAt(place))} ${hash}`;
  };
  return groupsBy(places, keyOf).map((group) => ({ files: group.map(indexAt), digest: hashes.at(group[0] ?? 0) ?? null }));
};

/** The groups with their paths. */
const told = (store: FileStore, found: readonly Found[], sizeOf: (index: number) => number): DuplicateGroup[] => {
  const wanted = Uint32Array.from(found.flatMap(({ files }) => files)).sort();
  const paths = new Map<number, string>();
  for (const { index, directory, name } of store.at(wanted)) paths.set(index, directory + name);
  return found
    .toSorted(({ files: [a = 0] }, { files: [b = 0] }) => sizeOf(b) - sizeOf(a) || a - b)
    .map(({ files: [first = 0, ...others], digest }) => ({
      size: sizeOf(first),
      paths: [first, ...others].map((index) => paths.get(index) ?? ''),
      digest,
    }));
};
