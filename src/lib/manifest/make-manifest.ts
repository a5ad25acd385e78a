import type { Grant } from '../../core/files.ts';
import { walkShared } from '../fs/walk-shared.ts';
import { addLeftOut, type LeftOut, nothingLeftOut } from '../search/left-out.ts';
import { searchThreads } from '../search/search-threads.ts';
import { type LinesQuery, linesPart, type ManifestLines } from './manifest-lines.ts';

/** What a manifest says of itself. */
export interface ManifestHead {
  readonly version: 1;
  readonly algorithm: string;
  /** Where the tree was. */
  readonly root: string;
  /** ISO 8601, in UTC. */
  readonly created_at: string;
}

export interface MakeOptions {
  readonly grant: Grant;
  readonly head: ManifestHead;
  readonly query: LinesQuery;
  readonly signal: AbortSignal;
  /** Takes the next bytes of the manifest. */
  write(text: Uint8Array): Promise<void>;
  readonly patienceMs?: number;
}

/** What went into a manifest. */
export interface Made {
  readonly files: number;
  readonly bytes: number;
  readonly unreadable: LeftOut;
}

/** About 30 MB. */
const START_AFTER_MS = 25;

/** Makes the manifest of a tree, a line for each file in the order of paths; it is written while the tree is read. */
export const makeManifest = async ({ grant, head, query, signal, write, ...rest }: MakeOptions): Promise<Made> => {
  const unreadable = nothingLeftOut();
  let [files, bytes] = [0, 0];
  const walk = walkShared<ManifestLines>({
    grant,
    start: await linesPart(query),
    signal,
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('manifest_lines', { shared, query }, { signal }) }),
    ...rest,
  });
  await write(Buffer.from(JSON.stringify(head, undefined, 2).replace(/\n\}$/, ',\n  "files": {')));
  for await (const lines of walk) {
    addLeftOut(unreadable, lines.unreadable);
    if (lines.files === 0) continue;
    await write(Buffer.from(files === 0 ? '\n' : ',\n'));
    for (const piece of lines.text) await write(piece);
    files += lines.files;
    bytes += lines.bytes;
  }
  await write(Buffer.from(files === 0 ? '}\n}\n' : '\n  }\n}\n'));
  return { files, bytes, unreadable };
};
