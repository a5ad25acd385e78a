import { ManifestException } from '../../core/errors.ts';
import { createDigestList } from './digest-list.ts';

/** What a manifest says of one file. */
export interface ManifestEntry {
  /** From the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly checksum: string;
  /** When it was changed last; undefined where that was not written down. */
  readonly mtimeMs: number | undefined;
}

/** The entries of a manifest in the order of paths, packed: a million of them must fit. */
export interface ManifestEntries {
  readonly paths: readonly string[];
  /** Of the entry at a place. */
  sizeAt(place: number): number;
  /** In lower-case hex; undefined where it is no hex. */
  checksumAt(place: number): string | undefined;
  /** NaN where it was not written down. */
  mtimeMsAt(place: number): number;
}

/** Entries that are being read. */
export interface EntryCollector {
  add(entry: ManifestEntry): void;
  /** All of them; refuses two for one path. */
  entries(): ManifestEntries;
}

const FIRST_ROOM = 1024;

export const createEntryCollector = (): EntryCollector => {
  const paths: string[] = [];
  let sizes = new Float64Array(FIRST_ROOM);
  /** Only where some are written down. */
  let times: Float64Array<ArrayBuffer> | undefined;
  const digests = createDigestList();
  let isSorted = true;

  const makeRoom = () => {
    sizes = twice(sizes);
    times &&= twice(times);
  };

  return {
    add({ path, size, checksum, mtimeMs }) {
      const place = paths.length;
      if (place === sizes.length) makeRoom();
      isSorted &&= place === 0 || (paths[place - 1] ?? '') < path;
      paths.push(path);
      sizes[place] = size;
      if (mtimeMs !== undefined) times ??= new Float64Array(sizes.length).fill(Number.NaN);
      if (times !== undefined) times[place] = mtimeMs ?? Number.NaN;
      digests.add(checksum);
    },
    entries() {
      const order = isSorted ? undefined : orderOf(paths);
      const at = (place: number): number => order?.[place] ?? place;
      const sorted = order === undefined ? paths : Array.from(order, (place) => paths[place] ?? '');
      demandOnce(sorted);
      return {
        paths: sorted,
        sizeAt: (place) => sizes[at(place)] ?? 0,
        checksumAt: (place) => digests.get(at(place)),
        mtimeMsAt: (place) => times?.[at(place)] ?? Number.NaN,
      };
    },
  };
};

const twice = (values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  const more = new Float64Array(values.length * 2);
  more.set(values);
  return more;
};

/** Manifests of others may have any order. */
const orderOf = (paths: readonly string[]): Uint32Array =>
  Uint32Array.from(paths.keys()).sort((a, b) => ((paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1));

const demandOnce = (paths: readonly string[]): void => {
  const at = paths.findIndex((path, place) => path === paths[place + 1]);
  if (at >= 0) {
    throw new ManifestException(`The manifest has two entries for ${JSON.stringify(paths[at])}; write it again.`, {
      context: { entry: paths[at] ?? '' },
    });
  }
};
