import { lstatSync } from 'node:fs';
import type { Visitor } from '../fs/walk.ts';
import { type PartAnswer, type SharedParts, type StartPart, takeParts } from '../fs/walk-shared.ts';
import { createBlockDigest } from '../hash/block-digest.ts';
import { readInto } from '../hash/read-into.ts';
import { createEntryFilter } from '../search/entry-filter.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../search/left-out.ts';
import { createTextPieces } from '../text/text-pieces.ts';
import type { Done } from '../workers/task.ts';

/** What goes into a manifest. Plain data, for other threads. */
export interface LinesQuery {
  readonly algorithm: string;
  readonly exclude: readonly string[];
  /** The manifest itself, from the root and with `/`; null where it lies elsewhere. */
  readonly except: string | null;
  /** Whether to tell when each file was changed. */
  readonly withTimes: boolean;
}

/** The entries of a part of a tree as they stand in a manifest. */
export interface ManifestLines {
  /** Members of a JSON object, `,` and a line end between them; in pieces. */
  readonly text: readonly Uint8Array<ArrayBuffer>[];
  readonly files: number;
  readonly bytes: number;
  readonly unreadable: LeftOut;
}

const BETWEEN = ',\n';

/** Prepares the lines of parts of a tree on this thread: one query serves for many, one part at a time. */
export const linesPart = async (query: LinesQuery): Promise<StartPart<ManifestLines>> => {
  const { algorithm, exclude, except, withTimes } = query;
  const digest = await createBlockDigest(algorithm);
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });

  return (mustPause) => {
    const text = createTextPieces();
    let files = 0;
    const unreadable = nothingLeftOut();
    let bytes = 0;
    let reading: ReturnType<typeof readInto> | undefined;
    let time = '';
    /** Reads a file, or goes on with it. */
    const take: Visitor['entry'] = (name, _kind, directory) => {
      const relative = directory.relative + name;
      const address = directory.address(name);
      try {
        if (reading === undefined) {
          // Before it is read: a change meanwhile must show as one.
          time = withTimes ? `, "mtime_ms": ${lstatSync(address).mtimeMs}` : '';
          reading = readInto(digest, address);
        }
        const size = typeof reading === 'number' ? reading : goOn(reading, mustPause);
        if (size === undefined) return 'again';
        text.add(`${files === 0 ? '' : BETWEEN}    ${JSON.stringify(relative)}: {"size": ${size}, "checksum": "${digest.hex()}"${time}}`);
        files += 1;
        bytes += size;
      } catch (fault) {
        leaveUnreadable(unreadable, relative, fault);
      }
      reading = undefined;
      return undefined;
    };
    return {
      visitor: {
        wants: (name, kind, directory) =>
          kind === 'file' && !excludes(name, directory) && (except === null || directory.relative + name !== except),
        enters: (name, parent) => !excludes(name, parent),
        entry: take,
        unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
      },
      end() {
        if (typeof reading === 'object') reading.return(0);
        return { text: text.pieces(), files, bytes, unreadable };
      },
    };
  };
};

/** Reads on to the end, which tells the bytes; undefined where a pause comes before. */
const goOn = (reading: Generator<void, number>, mustPause: () => boolean): number | undefined => {
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
    if (mustPause()) return undefined;
  }
};

/** What other threads are asked for. */
export interface LinesOrder {
  readonly shared: SharedParts;
  readonly query: LinesQuery;
}

/** The latest work of this thread: it gets a long one in many short orders, which need not be prepared each time. */
let latest: { readonly query: string; readonly start: Promise<StartPart<ManifestLines>> } | undefined;

/** Takes part in making a manifest; a task for other threads. */
export const manifestLines = async ({ shared, query }: LinesOrder): Promise<Done<readonly PartAnswer<ManifestLines>[]>> => {
  const key = JSON.stringify(query);
  if (latest?.query !== key) latest = { query: key, start: linesPart(query) };
  const value = takeParts(shared, await latest.start);
  return { value, transfer: value.flatMap(({ result }) => result.text.map(({ buffer }) => buffer)) };
};
