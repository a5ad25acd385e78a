import type { Grant } from '../../core/files.ts';
import type { FileStore } from '../hash/files/sized-files.ts';
import { gatherSizes, hashEach } from '../hash/files/stages.ts';
import { type LeftOut, nothingLeftOut } from '../search/left-out.ts';
import type { ManifestEntries } from './manifest-entries.ts';
import type { Manifest } from './read-manifest.ts';

export interface VerifyOptions {
  readonly grant: Grant;
  readonly manifest: Manifest;
  /** The manifest itself, from the root and with `/`; null where it lies elsewhere. */
  readonly except: string | null;
  /** Whether a path is to be looked at. */
  isWanted(path: string): boolean;
  /** Take a file of the same size and time for the same, without reading it. */
  readonly trustTimes: boolean;
  /** Why a file cannot be read; undefined where it is not there. */
  explain(path: string): Promise<string | undefined>;
  /** Takes directories that could not be read, and names that are no text. */
  readonly unreadable: LeftOut;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
}

/** A tree compared with its manifest; paths from the root and with `/`, in order. */
export interface Verified {
  readonly matched: string[];
  readonly missing: string[];
  readonly modified: string[];
  readonly extra: string[];
  /** Files that cannot be judged, and why. */
  readonly errors: [path: string, why: string][];
}

const OUT = 0; // not wanted, or an error
const MATCHED = 1;
const MISSING = 2;
const MODIFIED = 3;
const UNJUDGED = 4; // there, but could not be read

/** Compares a tree with its manifest. Nothing is read of files whose size differs. */
export const verifyManifest = async (options: VerifyOptions): Promise<Verified> => {
  const { grant, signal, manifest, trustTimes, explain, unreadable, patienceMs } = options;
  const { entries, algorithm } = manifest;
  const stage = { grant, signal, unreadable: nothingLeftOut(), ...(patienceMs !== undefined && { patienceMs }) };
  const store = await gatherSizes({ minBytes: 0, exclude: [], withTimes: trustTimes }, { ...stage, unreadable });
  const { verdicts, extra, unsure, sizes } = compareLists(store, options);

  const wanted = { store, indices: unsure.indices, bytesOf: (index: number) => sizes[index] ?? 0, algorithm };
  await hashEach(wanted, stage, (first, { isRead, digests }) => {
    for (const [at, digest] of digests.entries()) {
      const place = unsure.places[first + at] ?? 0;
      verdicts[place] = isRead[at] === 0 ? UNJUDGED : digest === entries.checksumAt(place) ? MATCHED : MODIFIED;
    }
  });
  const errors = await explainAll({ verdicts, entries, hidesSome: unreadable.count > 0, explain });
  const having = (verdict: number) => entries.paths.filter((_, place) => verdicts[place] === verdict);
  return { matched: having(MATCHED), missing: having(MISSING), modified: having(MODIFIED), extra, errors };
};

/** Goes through the tree and the manifest side by side; both are in the order of paths. */
const compareLists = (store: FileStore, { manifest: { entries }, except, isWanted, trustTimes }: VerifyOptions) => {
  const { paths } = entries;
  const [sizes, times] = [store.sizes(), store.times()];
  const verdicts = new Uint8Array(paths.length);
  const extra: string[] = [];
  // Not objects: there may be a million.
  const indices = new Uint32Array(store.count);
  const places = new Uint32Array(store.count);
  let unsure = 0;
  let place = 0;
  const passMissing = (before: string | undefined) => {
    for (let path = paths[place]; path !== undefined && (before === undefined || path < before); path = paths[place]) {
      if (isWanted(path)) verdicts[place] = MISSING;
      place += 1;
    }
  };
  for (const { index, directory, name } of store.at(countTo(store.count))) {
    const path = directory + name;
    passMissing(path);
    const isListed = paths[place] === path;
    if (isWanted(path)) {
      if (!isListed) {
        if (path !== except) extra.push(path);
      } else if (sizes[index] !== entries.sizeAt(place)) verdicts[place] = MODIFIED;
      else if (trustTimes && times[index] === entries.mtimeMsAt(place)) verdicts[place] = MATCHED;
      else {
        indices[unsure] = index;
        places[unsure] = place;
        unsure += 1;
      }
    }
    if (isListed) place += 1;
  }
  passMissing(undefined);
  return { verdicts, extra, sizes, unsure: { indices: indices.subarray(0, unsure), places: places.subarray(0, unsure) } };
};

function* countTo(end: number): Generator<number> {
  for (let number = 0; number < end; number += 1) yield number;
}

interface Unexplained {
  readonly verdicts: Uint8Array;
  readonly entries: ManifestEntries;
  /** Some directories could not be read: what is missing may be in them. */
  readonly hidesSome: boolean;
  explain(path: string): Promise<string | undefined>;
}

/** Finds out about what could not be read, and about entries that name nothing inside the tree. */
const explainAll = async ({ verdicts, entries, hidesSome, explain }: Unexplained): Promise<[string, string][]> => {
  const errors: [string, string][] = [];
  for (let place = 0; place < verdicts.length; place += 1) {
    const isMissing = verdicts[place] === MISSING;
    if (!isMissing && verdicts[place] !== UNJUDGED) continue;
    const path = entries.paths[place] ?? '';
    const why = isMissing && !isInside(path) ? NOT_INSIDE : isMissing && !hidesSome ? undefined : await explain(path);
    verdicts[place] = why === undefined ? MISSING : OUT;
    if (why !== undefined) errors.push([path, why]);
  }
  return errors;
};

const NOT_INSIDE = 'The entry names nothing inside the tree.';

/** A plain path of names: nothing in it can climb, and all of it can be a name. */
const isInside = (path: string): boolean =>
  !/\0|\p{Surrogate}/u.test(path) && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
