import { lstatSync } from 'node:fs';
import { ownerOfPart } from '../fs/part-name.ts';
import type { Visitor } from '../fs/walk.ts';
import { type PartAnswer, type SharedParts, type StartPart, takeParts } from '../fs/walk-shared.ts';
import { createBlockDigest } from '../hash/block-digest.ts';
import { readInto } from '../hash/read-into.ts';
import { createEntryFilter } from '../search/entry-filter.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../search/left-out.ts';
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
  /** Members of a JSON object, `,` and a line end between them. */
  readonly text: Uint8Array<ArrayBuffer>;
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
    let text = '';
    let files = 0;
    const unreadable = nothingLeftOut();
    let bytes = 0;
    let reading: Generator<void, number> | undefined;
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
        let step = reading.next();
        for (; step.done !== true; step = reading.next()) if (mustPause()) return 'again';
        text += `${files === 0 ? '' : BETWEEN}    ${JSON.stringify(relative)}: {"size": ${step.value}, "checksum": "${digest.hex()}"${time}}`;
        files += 1;
        bytes += step.value;
      } catch (fault) {
        leaveUnreadable(unreadable, relative, fault);
      }
      reading = undefined;
      return undefined;
    };
    return {
      visitor: {
        wants: (name, kind, directory) =>
          kind === 'file' &&
          ownerOfPart(name) === undefined &&
          !excludes(name, directory) &&
          (except === null || directory.relative + name !== except),
        enters: (name, parent) => !excludes(name, parent),
        entry: take,
        unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
      },
      end() {
        reading?.return(0);
        return { text: new TextEncoder().encode(text), files, bytes, unreadable };
      },
    };
  };
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
  return { value, transfer: value.map(({ result }) => result.text.buffer) };
};
